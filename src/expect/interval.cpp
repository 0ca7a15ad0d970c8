#include "expect/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <ranges>

namespace pm::expect {
namespace {

struct Errors {
  int depth;
  std::array<double, value_bands> by_band;
  double common;  // of their squares: what is the same at all positions of a tree
};
constexpr std::array errors{std::to_array<Errors>({
#include "expect/value_errors.inc"
})};
double squared(double x) { return x * x; }

const Errors& errors_at(int depth) {
  const auto deeper =
      std::find_if(errors.begin(), errors.end(), [&](const Errors& each) { return each.depth > depth; });
  return deeper == errors.begin() ? *deeper : *std::prev(deeper);
}

// The probability that a normal number is more than so many standard deviations off, to one side.
double beyond(double deviations) { return std::erfc(deviations / std::numbers::sqrt2) / 2; }

bool may_be_pruned(const Node& node) {
  return is_own_move(node) && node.ply > 1 && node.kind != NodeKind::terminal && node.kind != NodeKind::repetition;
}

}  // namespace

std::size_t value_band(double win_rate) {
  const double lead = std::abs(win_rate - .5);
  return lead <= .15 ? 0 : lead <= .35 ? 1 : 2;
}

double value_error(int depth, double win_rate) {
  const std::size_t band = value_band(win_rate);
  double error = 0;
  // No less than at a greater depth.
  for (const Errors* each = &errors_at(depth); each != errors.data() + errors.size(); ++each) {
    error = std::max(error, each->by_band[band]);
  }
  return error;
}

double value_error(int depth, int target_depth, double win_rate) {
  if (depth >= target_depth) return 0;
  return std::sqrt(
      std::max(0.0, squared(value_error(depth, win_rate)) - squared(value_error(target_depth, win_rate)) / 2));
}

Uncertainty::Uncertainty(const Tree& tree, const Target& target) : tree_(tree), target_(target) {
  const std::vector<std::uint32_t> counted = counted_nodes(tree);
  if (target.least) {
    below_.resize(tree.nodes.size());
    for (const std::uint32_t at : std::ranges::reverse_view(counted)) {  // children before parents
      const Node& node = tree.nodes[at];
      below_[at] += valued_mass(tree, at) * (node.win_rate ? node.win_rate->value() : .5);
      if (at != 0) below_[node.parent] += below_[at];
    }
  }
  for (const std::uint32_t at : counted) {
    alone_ += alone(at, tree.nodes[at].depth) + unfollowed(at);
    add_to_drifts(at);
  }
}

double Uncertainty::Drift::mean() const { return common > 0 ? changes / (count + (1 - common) / common) : 0; }

double Uncertainty::Drift::variance(double of_weight, int of_count) const {
  return common > 0 ? (1 - common) / (of_count + (1 - common) / common) * squared(of_weight) : 0;
}

void Uncertainty::add_to_drifts(std::uint32_t at) {
  constexpr double most = 3;  // errors; some changes are out of all proportion, such as those by a mate that was found
  const Node& node = tree_.nodes[at];
  if (target_.below_threshold || !node.win_rate) return;
  if (node.depth < target_.depth) {
    drifts_.try_emplace(node.depth, Drift{errors_at(node.depth).common}).first->second.weight +=
        weight_of(at, node.depth);
    return;
  }
  for (const auto& [depth, win_rate] : node.before) {
    const double error = error_of(node, depth);
    if (error == 0) continue;
    Drift& drift = drifts_.try_emplace(depth, Drift{errors_at(depth).common}).first->second;
    drift.changes += std::clamp((node.win_rate->value() - win_rate.value()) / error, -most, most);
    ++drift.count;
  }
}

double Uncertainty::drift() const {
  double sum = 0;
  for (const auto& [depth, drift] : drifts_) sum += drift.weight * drift.mean();
  return sum;
}

Interval Uncertainty::around(double expected) const {
  double variance = alone_;
  for (const auto& [depth, drift] : drifts_) variance += drift.variance(drift.weight, drift.count);
  const double reach = ninety_percent * std::sqrt(variance);
  return {WinRate(std::clamp(expected - reach, 0.0, 1.0)), WinRate(std::clamp(expected + reach, 0.0, 1.0))};
}

double Uncertainty::gone_by_searching(std::uint32_t at, int depth) const {
  const Node& node = tree_.nodes[at];
  double gone = alone(at, node.depth) - alone(at, depth);
  const bool to_the_end = depth >= target_.depth;
  for (const auto& [of, drift] : drifts_) {
    const bool leaves = of == node.depth;
    const bool arrives = of == depth && !to_the_end;
    const bool tells = to_the_end && (leaves || node.before.contains(of));
    if (!leaves && !arrives && !tells) continue;
    const double weight = drift.weight - (leaves ? weight_of(at, of) : 0) + (arrives ? weight_of(at, of) : 0);
    gone += drift.variance(drift.weight, drift.count) - drift.variance(weight, drift.count + (tells ? 1 : 0));
  }
  if (!to_the_end && !drifts_.contains(depth)) {
    gone -= Drift{errors_at(depth).common}.variance(weight_of(at, depth), 0);
  }
  return gone;
}

double Uncertainty::gone_by_growing(std::uint32_t at) const {
  constexpr double gained = .7;  // of what is not followed; the rest is further down
  return gained * unfollowed(at);
}

// What a difference by `logistic` is by the map of this tree.
double Uncertainty::scale_of(const Node& node) const {
  if (target_.steepness == 1 || !node.win_rate) return target_.widened;
  const double here = node.win_rate->value() * (1 - node.win_rate->value());
  const double there = logistic(node) * (1 - logistic(node));
  return target_.widened * (here > 0 ? target_.steepness * here / there : 0);
}

double Uncertainty::logistic(const Node& node) const {
  const double win_rate = node.win_rate ? node.win_rate->value() : .5;
  if (target_.steepness == 1) return win_rate;
  return 1 / (1 + std::pow((1 - win_rate) / win_rate, 1 / target_.steepness));
}

double Uncertainty::error_of(const Node& node, int depth) const {
  if (node.kind == NodeKind::terminal) return 0;
  if (node.unevaluated && depth == node.depth) return unfollowed_spread;  // the position before stands in for it
  const double error =
      target_.below_threshold ? value_error(depth, logistic(node)) : value_error(depth, target_.depth, logistic(node));
  return scale_of(node) * error;
}

double Uncertainty::weight_of(std::uint32_t at, int depth) const {
  return valued_mass(tree_, at) * error_of(tree_.nodes[at], depth);
}

double Uncertainty::alone(std::uint32_t at, int depth) const {
  const double part = target_.below_threshold ? 1 : 1 - errors_at(depth).common;
  return part * squared(weight_of(at, depth)) + pruned_or_not(at, depth);
}

// A node near the border may yet turn out on the other side of it; then something else counts in its place.
double Uncertainty::pruned_or_not(std::uint32_t at, int depth) const {
  const Node& node = tree_.nodes[at];
  if (!target_.least || !node.win_rate || !may_be_pruned(node)) return 0;
  const double error = error_of(node, depth);
  if (error == 0) return 0;
  const bool follows = node.kind == NodeKind::inner;
  if (!follows && !node.open && node.child_count == 0) return 0;  // nothing would stand below it
  const double other = beyond(std::abs(node.win_rate->value() - target_.least->value()) / error);
  const double mass = node.cumulative_probability;
  const double known = follows ? below_[at] - mass * node.win_rate->value() : 0;
  const double change = std::max(std::abs(known), follows ? 0 : mass * unfollowed_spread * scale_of(node));
  return other * (1 - other) * squared(change);
}

double Uncertainty::unfollowed(std::uint32_t at) const {
  const Node& node = tree_.nodes[at];
  const bool may_follow =
      target_.below_threshold ? node.kind == NodeKind::inner : node.open && node.kind != NodeKind::pruned;
  return may_follow ? squared(valued_mass(tree_, at) * scale_of(node) * unfollowed_spread) : 0;
}

}  // namespace pm::expect
