// How hard a line is to find, on the scale of puzzle ratings: what a model that is asked about several ratings makes of
// each of the solver's moves, and what can be seen before anybody tried.
//
//   auto facts = ask_about_solutions(model, {{history, moves}});
//   puzzle_rating((*facts)[0], model.identity().name)       ->  1874
//
// The solver moves first; every second move is the opponent's and taken as given.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

struct Solution {
  chess::PositionHistory history;  // of the position to be solved
  std::vector<chess::Move> moves;  // legal, one at least
};

// What a rating is computed from; the weights of each are measured (calibration.h).
struct SolutionFacts {
  double log_product = 0;      // of the solver's moves' probabilities, on average over the sampled ratings
  double log_product_low = 0;  // the same at the lowest of them
  double product = 0;          // of the probabilities, on average
  double log_least = 0;        // of the unlikeliest move
  double log_legal = 0;        // of the number of legal moves at first
  double spread = 0;           // entropy of what people of the middle rating play at first, in nats
  double checks = 0;           // 1: the first move gives check
  double mates = 0;            // 1: the line ends in mate

  static constexpr std::size_t count = 9;
  std::array<double, count> values() const {  // with a constant
    return {1, log_product, log_product_low, product, log_least, log_legal, spread, checks, mates};
  }
};

// One for each solution, in order.
Expected<std::vector<SolutionFacts>> ask_about_solutions(HumanModel& model, std::span<const Solution> solutions);

// The rating a puzzle with this solution would have on Lichess, where players of that rating solve half of them.
// Nothing when the model was not measured.
std::optional<int> puzzle_rating(const SolutionFacts& facts, std::string_view model);
bool can_rate_puzzles(std::string_view model);

}  // namespace pm::human
