// How far the expected win rate of a tree may be off: each value has the error of its depth, and what is not followed
// could be worth more or less than the position it would be played in. Part of the error is common to a tree, as
// shallow searches see its positions the same way: what deeper ones have changed where they were made tells what they
// would change elsewhere. Pure.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expect/tree.h"

namespace pm::expect {

struct Interval {
  WinRate low{0};
  WinRate high{1};

  double width() const { return high.value() - low.value(); }
};

// What an interval is meant to hold nine times out of ten: the value if every counted node were searched to this depth
// and every line of the threshold followed; or, the whole truth, if what is below the threshold were followed too.
struct Target {
  int depth;
  bool below_threshold;
  double widened = 1;    // how much larger errors may be than those measured
  double steepness = 1;  // of the map: how much more a centipawn is worth than by `logistic`
  // Nodes of the player's own that turn out worse are pruned; nothing: none are.
  std::optional<WinRate> least = std::nullopt;
};

// Whose errors were measured (value_errors.inc); another engine's may be larger.
inline constexpr const char* measured_engine = "Stockfish 15.1";
inline constexpr double widened_for_others = 1.5;

// Positions near equality, clearly better for one side, and decided, as the errors are told apart.
inline constexpr std::size_t value_bands = 3;
std::size_t value_band(double win_rate);

// The error of a win rate, by the logistic map, by a search to this depth, root mean square: against an independent
// search to depth 16, and against a search by the same engine to a greater depth.
double value_error(int depth, double win_rate = .5);
double value_error(int depth, int target_depth, double win_rate);

// What makes an expected win rate uncertain, node by node, as variances. The tree must outlive it.
class Uncertainty {
 public:
  Uncertainty(const Tree& tree, const Target& target);

  // What deeper searches would change of the win rate, by what they have changed so far.
  double drift() const;
  Interval around(double expected) const;

  // How much variance goes when a counted node is searched to a greater depth, or its likely replies are known.
  double gone_by_searching(std::uint32_t node, int depth) const;
  double gone_by_growing(std::uint32_t node) const;

 private:
  // Of the positions valued by a search to one depth. Changes are in errors of that depth.
  struct Drift {
    double common = 0;   // part of the square of an error
    double changes = 0;  // the sum, of positions searched to the full depth since
    int count = 0;       // of these
    double weight = 0;   // of the others: probability times error, added up

    // Common changes have a normal distribution with this part as variance; so has what they are, once some are known.
    double mean() const;
    double variance(double weight, int count) const;
  };

  double scale_of(const Node& node) const;
  double logistic(const Node& node) const;
  double error_of(const Node& node, int depth) const;
  double weight_of(std::uint32_t node, int depth) const;
  double alone(std::uint32_t node, int depth) const;
  double pruned_or_not(std::uint32_t node, int depth) const;
  double unfollowed(std::uint32_t node) const;
  void add_to_drifts(std::uint32_t node);

  const Tree& tree_;
  Target target_;
  std::vector<double> below_;    // by node: what its part of the tree is worth; only where `least` makes it matter
  double alone_ = 0;             // the sum of what goes its own way at each node
  std::map<int, Drift> drifts_;  // by depth
};

// How much the moves that follow differ from the position they are played in, root mean square, all lines together.
inline constexpr double unfollowed_spread = .12;
inline constexpr double ninety_percent = 1.645;  // of a normal distribution, in standard deviations

}  // namespace pm::expect
