#include "expect/interval.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pm::expect {
namespace {

// By depth, from 4 on, two plies a step (docs/expected-winrate.md 6); at 4 no less than at 6.
constexpr std::array<double, 7> errors_from_four{.049, .049, .032, .022, .019, .015, .012};

double squared(double x) { return x * x; }

}  // namespace

double value_error(int depth) {
  const int step = std::clamp((depth - 4) / 2, 0, static_cast<int>(errors_from_four.size()) - 1);
  return errors_from_four[static_cast<std::size_t>(step)];
}

double value_error(int depth, int target_depth) {
  if (depth >= target_depth) return 0;
  return std::sqrt(std::max(0.0, squared(value_error(depth)) - squared(value_error(target_depth)) / 2));
}

double variance_at(const Tree& tree, std::uint32_t at, const Target& target) {
  const Node& node = tree.nodes[at];
  if (node.kind == NodeKind::terminal) return 0;
  const double mass = valued_mass(tree, at);
  const double value = target.below_threshold ? value_error(node.depth) : value_error(node.depth, target.depth);
  const bool may_grow =
      target.below_threshold ? node.kind == NodeKind::inner : node.open && node.kind != NodeKind::pruned;
  const double unfollowed = may_grow ? unfollowed_spread : 0;
  return squared(mass * target.widened) * (squared(value) + squared(unfollowed));
}

Interval interval_of(const Tree& tree, double expected, const Target& target) {
  double variance = 0;
  for (const std::uint32_t at : counted_nodes(tree)) variance += variance_at(tree, at, target);
  const double reach = ninety_percent * std::sqrt(variance);
  return {WinRate(std::clamp(expected - reach, 0.0, 1.0)), WinRate(std::clamp(expected + reach, 0.0, 1.0))};
}

}  // namespace pm::expect
