// What a line comes to in material, as far as it can be relied upon.
//
// After each move of the side that begins, once captures that gain by static exchange are played out, the count is
// taken; what counts is what is not given back later in the line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explain/haul.h"
#include "motif/line.h"

namespace pm::explain {

struct Outcome {
  Haul haul;
  int points = 0;                    // haul.points()
  std::size_t steps = 0;             // moves of the line until then
  std::vector<chess::Move> settled;  // and the captures that make the position quiet

  // It comes soon enough, by a move of the side that wins it.
  bool can_be_told() const;
};

// When what the opponent's move before the line captured counts as given: always (it is the move that is judged), or
// only when the line takes back.
enum class Given : std::uint8_t { always, if_taken_back };

// The best such count within the first moves, the earliest of equal ones; nothing when there is no line or too much
// hangs all along it. `trade`: the captures on one square, one after the other, that came before the move that is
// judged: they count when that move or the line goes on with them.
std::optional<Outcome> outcome_of(const motif::Line& line, std::span<const motif::Step> trade, Given given);

}  // namespace pm::explain
