#include "base/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace pm {
namespace {

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const double shared = static_cast<double>(i + end - 1) / 2;
    for (; i < end; ++i) rank[order[i]] = shared;
  }
  return rank;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  return correlation(ranks(a), ranks(b));
}

}  // namespace pm
