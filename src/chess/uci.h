// Moves in UCI notation: e2e4, e7e8q, 0000 for the null move.
//
// Castling is read in both notations, king to its goal (e1g1) and king takes rook (e1h1), and written as asked for:
// engines in UCI_Chess960 mode and Chess960 games need the second, everybody else expects the first.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "chess/position.h"

namespace pm::chess {

enum class CastlingNotation : std::uint8_t { king_to_goal, king_takes_rook };

// king_to_goal while all castling rights are those of standard chess (king on e, rooks on a and h).
CastlingNotation natural_notation(const Position& position);

// A legal move of the position, or move_syntax / move_illegal. The null move is not a legal move.
Expected<Move> parse_uci(const Position& position, std::string_view text);
std::string format_uci(Move m, CastlingNotation notation = CastlingNotation::king_to_goal);

}  // namespace pm::chess
