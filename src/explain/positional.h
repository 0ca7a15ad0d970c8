// What a move gives up without losing material: pawn structure, the bishop pair, castling, the king's shelter. Each
// fact is new since the move and named with its squares.
#pragma once

#include <vector>

#include "explain/claim.h"
#include "motif/line.h"

namespace pm::explain {

// By the move and the first moves of the engine's line after it; the most telling first.
std::vector<Claim> positional_claims(const motif::Step& played, const motif::Line& after);

// Ranks counted from 0, as the side sees them (chess::relative_rank()).
inline constexpr int fourth_rank = 3;
inline constexpr int sixth_rank = 5;
inline constexpr int seventh_rank = 6;

// The side has a right to castle left.
bool may_castle(const chess::Position& position, chess::Colour side);
// No enemy pawn can stop or take the pawn on its way.
bool is_passed(const chess::Position& position, chess::Square pawn);
// A pawn of that side attacks the square, or might do so when it moves on.
bool pawns_can_attack(const chess::Position& position, chess::Square square, chess::Colour by);

}  // namespace pm::explain
