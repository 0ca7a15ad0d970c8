// How far the expected win rate of a tree may be off: each value has the error of its depth, and what is not followed
// could be worth more or less than the position it would be played in. Pure.
#pragma once

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
  double widened = 1;  // how much larger errors may be than those measured, such as another engine's
};

Interval interval_of(const Tree& tree, double expected, const Target& target);

// The error of a win rate by a search to this depth, root mean square: against an independent search to depth 16, and
// against a search by the same engine to a greater depth.
double value_error(int depth);
double value_error(int depth, int target_depth);

// The variance that a counted node brings to the tree's expected win rate.
double variance_at(const Tree& tree, std::uint32_t node, const Target& target);

// How much the moves that follow differ from the position they are played in, root mean square, all lines together.
inline constexpr double unfollowed_spread = .12;
inline constexpr double ninety_percent = 1.645;  // of a normal distribution, in standard deviations

}  // namespace pm::expect
