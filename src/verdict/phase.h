// Opening, middlegame, endgame (docs/rules.md 7).
//
// The rule: the endgame begins when six or fewer pieces (no pawns, no kings) are left on the board. The middlegame
// begins when ten or fewer are left, or when one side keeps fewer than four pieces on its back rank, or with move 16 at
// the latest. A game never goes back to an earlier phase. (These counts are
// those that Lichess divides games by.)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "chess/position.h"

namespace pm::verdict {

enum class Phase : std::uint8_t { opening, middlegame, endgame };
inline constexpr std::array<std::string_view, 3> phase_names{"opening", "middlegame", "endgame"};

// The phase of a position in a game that has come as far as `so_far`.
Phase phase_of(const chess::Position& position, Phase so_far = Phase::opening);

}  // namespace pm::verdict
