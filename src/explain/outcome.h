// What a line comes to in material, as far as it can be relied upon.
//
// After each move of the side that begins, once captures that gain by static exchange are played out, the count is
// taken; what counts is what is not given back later in the line.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explain/haul.h"
#include "motif/line.h"
#include "score/score.h"

namespace pm::explain {

struct Outcome {
  Haul haul;
  int points = 0;                    // haul.points(), or a pawn less that is given back later
  std::size_t steps = 0;             // moves of the line until then
  std::vector<chess::Move> settled;  // and the captures that make the position quiet
  int before = 0;                    // of the points, those of earlier moves of the same trade; never above 0
  bool volunteered = false;          // the loser gave some of it without need: nothing that the line wins

  // It comes soon enough, by a move of the side that wins it.
  bool can_be_told() const;
  // The engine's score for the side that wins it is not far below its material then: else it is no win, whatever the
  // count. `had`: its material before.
  bool agrees_with(const score::MoverScore& score, int had) const;
  // The engine thinks much better of it: the count ends in the middle of something.
  bool is_too_low_for(const score::MoverScore& score, int had) const;
};

// The best such count within the first moves, the earliest of equal ones; nothing when there is no line or too much
// hangs all along it. `recent`: the moves before the one that is judged; what they took on the square where the line
// first takes something counts, since it is part of one trade. `judged`: the opponent's move before the line, when that
// is the one that is judged; what it took counts always.
std::optional<Outcome> outcome_of(const motif::Line& line, std::span<const motif::Step> recent,
                                  const motif::Step* judged = nullptr);

}  // namespace pm::explain
