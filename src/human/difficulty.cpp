#include "human/difficulty.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pm::human {
namespace {

constexpr double half = 0.5;
constexpr int rounded_to = 50;

// The nearest values that never fall (pool adjacent violators).
std::vector<double> never_falling(std::span<const double> values) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const double value : values) {
    pools.push_back({value, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> result;
  for (const Pool& pool : pools) result.insert(result.end(), pool.count, pool.mean());
  return result;
}

double log_odds(double probability) {
  constexpr double least = 1e-6;
  const double p = std::clamp(probability, least, 1 - least);
  return std::log(p / (1 - p));
}

}  // namespace

std::vector<int> sampled_ratings(const RatingRange& range) {
  const std::size_t steps = range.steps.size();
  if (steps <= most_sampled_ratings) return range.steps;
  std::vector<int> sampled;
  constexpr std::size_t parts = most_sampled_ratings - 1;
  for (std::size_t i = 0; i <= parts; ++i) sampled.push_back(range.steps[(i * (steps - 1) + parts / 2) / parts]);
  return sampled;
}

Difficulty difficulty_of(std::span<const int> ratings, std::span<const double> probabilities) {
  const std::vector<double> p = never_falling(probabilities);
  if (p.front() >= half) return {Difficulty::Reach::under, ratings.front()};
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (p[i] < half) continue;
    // Between two ratings the logarithm of the odds goes in a straight line.
    const double part = -log_odds(p[i - 1]) / (log_odds(p[i]) - log_odds(p[i - 1]));
    const double rating = ratings[i - 1] + part * (ratings[i] - ratings[i - 1]);
    return {Difficulty::Reach::about, static_cast<int>(std::lround(rating / rounded_to)) * rounded_to};
  }
  return {Difficulty::Reach::over, ratings.back()};
}

std::string difficulty_text(const Difficulty& difficulty) {
  return fmt::format("{} {}", reach_names[static_cast<std::size_t>(difficulty.reach)], difficulty.rating);
}

}  // namespace pm::human
