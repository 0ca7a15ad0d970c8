#include "expect/interval.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pm::expect {
namespace {

// By depth, from 4 on, two plies a step (docs/expected-winrate.md 6); at 4 no less than at 6.
constexpr std::array<double, 7> errors_from_four{.049, .049, .032, .022, .019, .015, .012};

// How much the moves too unlikely to follow differ, all together, from the position they would be played in.
constexpr double unfollowed_spread = .12;
constexpr double ninety_percent = 1.645;  // of a normal distribution, in standard deviations

}  // namespace

double value_error(int depth) {
  const int step = std::clamp((depth - 4) / 2, 0, static_cast<int>(errors_from_four.size()) - 1);
  return errors_from_four[static_cast<std::size_t>(step)];
}

Interval interval_of(const Tree& tree, double expected) {
  double variance = 0;
  for (const std::uint32_t at : counted_nodes(tree)) {
    const Node& node = tree.nodes[at];
    const double mass = valued_mass(tree, at);
    const double value = node.kind == NodeKind::terminal ? 0 : value_error(node.depth);
    const double unfollowed = node.kind == NodeKind::inner ? unfollowed_spread : 0;
    variance += mass * mass * (value * value + unfollowed * unfollowed);
  }
  const double reach = ninety_percent * std::sqrt(variance);
  return {WinRate(std::clamp(expected - reach, 0.0, 1.0)), WinRate(std::clamp(expected + reach, 0.0, 1.0))};
}

}  // namespace pm::expect
