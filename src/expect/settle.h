// Where the next searches tell most about the ranking (docs/expected-winrate.md 4). Each value has an error by its
// depth, and a line that is not followed yet could lead anywhere; both add up to the interval of a candidate. A ranking
// is settled when no rival's interval reaches the best move's value and none is wide. Until then the searches that
// narrow the intervals of what is not settled most for their cost come next. Pure.
#pragma once

#include <set>
#include <vector>

#include "expect/analysis.h"
#include "expect/growth.h"

namespace pm::expect {

inline constexpr double clear_lead = .005;       // by which rivals have to stay below the best move's value
inline constexpr double narrow_enough = .02;     // an interval
inline constexpr std::size_t work_at_once = 16;  // searches and nodes that grow, at least, whatever the engines

// The depth at which a node is looked at first, and the next one after `depth`; none: it is at the full depth.
int first_depth(int full_depth);
std::optional<int> next_depth(int depth, int full_depth);

struct Work {
  struct Search {
    Place place;
    int depth;
  };
  std::vector<Search> searches;
  std::vector<Place> growing;  // whose replies the human model is to be asked about
  bool settled = false;        // nothing is left to do
};

// Candidates must have their summaries and intervals. What is in flight is left alone.
Work work_for(const Analysis& analysis, const Target& target, const std::set<Place>& in_flight);

}  // namespace pm::expect
