#include "verdict/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pm::verdict {
namespace {

constexpr double firm_from = .97;
constexpr double likely_from = .8;

// How often a severity stands, by how near the loss is to a line. Beyond that only one thing proved to matter: whether
// a move that is called an error was searched deeply. How far the score moved while it was searched did not.
struct DistanceRow {
  double below;
  double no_error;
  double shallow_error;
  double deep_error;
};

// Measured by bench/effort; its header says with which engine, games and day.
#include "verdict/confidence_table.inc"

}  // namespace

Sureness sureness_of(Confidence confidence) {
  if (confidence.probability >= firm_from) return Sureness::firm;
  return confidence.probability >= likely_from ? Sureness::likely : Sureness::open;
}

std::string_view word_of(Confidence confidence) {
  constexpr std::array<std::string_view, 3> words{"firm", "likely", "open"};
  return words[static_cast<std::size_t>(sureness_of(confidence))];
}

Confidence confidence_of(const Grounds& grounds) {
  if (grounds.first_choice) return {first_choice_stands};
  if (grounds.by_mate) return {mate_error_stands};
  const auto* const row = std::find_if(distance_rows.begin(), distance_rows.end() - 1,
                                       [&](const DistanceRow& each) { return grounds.distance < each.below; });
  if (!grounds.error) return {row->no_error};
  return {grounds.depth < deep_from ? row->shallow_error : row->deep_error};
}

double accuracy_reach(int moves) { return accuracy_reach_of_one / std::sqrt(std::max(1, moves)); }

double acpl_reach(int moves) { return acpl_reach_of_one / std::sqrt(std::max(1, moves)); }

}  // namespace pm::verdict
