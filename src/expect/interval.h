// How far the expected win rate of a tree may be off: each value has the error of its depth, and what was not followed
// could be worth more or less than the position it would be played in.
#pragma once

#include "expect/tree.h"

namespace pm::expect {

struct Interval {
  WinRate low;
  WinRate high;
};

// Around `expected`; meant to hold the value of a full search nine times out of ten.
Interval interval_of(const Tree& tree, double expected);

// The error of a win rate by a search to this depth: root mean square against an independent search to depth 16.
double value_error(int depth);

}  // namespace pm::expect
