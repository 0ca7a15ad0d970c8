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
  bool takes_back = false;           // the line begins by taking back what was given in earlier moves
  bool whole_line = false;           // nothing is quiet before the end of the line: worth telling only with a motif
  bool volunteered = false;          // the loser gave some of it without need: nothing that the line wins

  // It comes soon enough, by a move of the side that wins it.
  bool can_be_told() const;
};

// What the engine thinks of a line, seen by the side that begins it, and that side's material before. A count far above
// the score is not believed, whatever the moves: lines end in the middle of things. Nor is one far below it, nor gifts
// that do not lose the game.
struct Belief {
  score::MoverScore score;
  int had = 0;

  bool holds(const Outcome& outcome) const;
  bool is_too_low(const Outcome& outcome) const;
};

// The first count that wins something and lasts; when there is none, what the line comes to. The line must not be
// empty. `recent`: the moves before the one that is judged; what they took on the square where the line first takes
// something counts, since it is part of one trade. `judged`: the opponent's move before the line, when that is the one
// that is judged; what it took counts always. Without `belief` every count is believed.
Outcome outcome_of(const motif::Line& line, std::span<const motif::Step> recent, const motif::Step* judged = nullptr,
                   const std::optional<Belief>& belief = std::nullopt);

}  // namespace pm::explain
