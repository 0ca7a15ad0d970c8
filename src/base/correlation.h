// How far two lists of numbers go together, from -1 to 1. Both are as long, and two at least.
#pragma once

#include <span>

namespace pm {

// Pearson's: in a straight line. 0 when one of them is all the same.
double correlation(std::span<const double> a, std::span<const double> b);
// Spearman's: in order, whatever the line; equal numbers share their ranks.
double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace pm
