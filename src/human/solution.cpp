#include "human/solution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chess/movegen.h"
#include "human/calibration.h"
#include "human/difficulty.h"

namespace pm::human {
namespace {

constexpr double least_probability = 1e-5;
constexpr int lowest_puzzle = 400;  // as Lichess has them
constexpr int highest_puzzle = 3200;

double log_of(double probability) { return std::log(std::max(probability, least_probability)); }

double entropy_of(const Prediction& prediction) {
  double sum = 0;
  for (const MoveProbability& each : prediction.moves) {
    if (each.probability > 0) sum -= each.probability * std::log(each.probability);
  }
  return sum;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The queries of a solution: for each of the solver's moves one at each rating.
void add_queries(const Solution& solution, std::span<const int> ratings, std::vector<Query>& queries) {
  chess::PositionHistory history = solution.history;
  for (std::size_t i = 0; i < solution.moves.size(); ++i) {
    if (i % 2 == 0) {
      for (const int rating : ratings) queries.push_back({history, rating, rating});
    }
    history.play(solution.moves[i]);
  }
}

SolutionFacts facts_of(const Solution& solution, std::span<const Prediction> predictions, std::size_t ratings) {
  SolutionFacts facts;
  std::vector<double> logs(ratings);  // of the products so far
  for (std::size_t i = 0; i < solution.moves.size(); i += 2) {
    const auto own = predictions.subspan(i / 2 * ratings, ratings);
    double sum = 0;
    for (std::size_t r = 0; r < ratings; ++r) {
      const double log = log_of(probability_of(own[r], solution.moves[i]));
      logs[r] += log;
      sum += log;
    }
    facts.log_least = std::min(facts.log_least, sum / static_cast<double>(ratings));
  }
  facts.log_product = mean(logs);
  facts.log_product_low = logs.front();
  for (const double log : logs) facts.product += std::exp(log) / static_cast<double>(ratings);
  facts.log_legal = std::log(static_cast<double>(predictions.front().moves.size()));
  facts.spread = entropy_of(predictions[ratings / 2]);
  chess::Position position = solution.history.newest();
  position.play(solution.moves.front());
  facts.checks = position.in_check() ? 1 : 0;
  for (std::size_t i = 1; i < solution.moves.size(); ++i) position.play(solution.moves[i]);
  facts.mates = position.in_check() && chess::legal_moves(position).empty() ? 1 : 0;
  return facts;
}

}  // namespace

Expected<std::vector<SolutionFacts>> ask_about_solutions(HumanModel& model, std::span<const Solution> solutions) {
  const std::vector<int> ratings = sampled_ratings(model.identity().ratings);
  std::vector<Query> queries;
  for (const Solution& each : solutions) add_queries(each, ratings, queries);
  const auto predictions = model.predict(queries, Want::moves);
  if (!predictions) return tl::make_unexpected(predictions.error());
  std::vector<SolutionFacts> facts;
  std::size_t done = 0;
  for (const Solution& each : solutions) {
    const std::size_t own = (each.moves.size() + 1) / 2 * ratings.size();
    facts.push_back(facts_of(each, std::span(*predictions).subspan(done, own), ratings.size()));
    done += own;
  }
  return facts;
}

bool can_rate_puzzles(std::string_view model) { return solution_weights(model).has_value(); }

std::optional<int> puzzle_rating(const SolutionFacts& facts, std::string_view model) {
  const auto weights = solution_weights(model);
  if (!weights) return std::nullopt;
  const auto values = facts.values();
  const double rating = std::inner_product(values.begin(), values.end(), weights->begin(), 0.0);
  return std::clamp(static_cast<int>(std::lround(rating)), lowest_puzzle, highest_puzzle);
}

}  // namespace pm::human
