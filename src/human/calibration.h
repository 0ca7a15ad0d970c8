// What was measured about each model, by bench/people: figures, not rules.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pm::human {

// By how much the logarithm of the likelihood of a player's moves falls from its best rating to the player's own, in
// nine games of ten (played_like.h). Of a model that was not measured the largest.
double likelihood_drop(std::string_view model);

// What each of SolutionFacts::values() adds to the rating of a puzzle (solution.h).
std::optional<std::span<const double>> solution_weights(std::string_view model);

}  // namespace pm::human
