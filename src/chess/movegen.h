// Legal moves. Every move returned is legal: no king is left in check, pins and en-passant discoveries included.
//
//   for (Move m : legal_moves(position)) visit(position.after(m));
//
// Compiled twice, for any x86-64 and for CPUs with BMI2 and POPCNT; the choice is made once per process.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "chess/move.h"
#include "chess/position.h"

namespace pm::chess {

MoveList legal_moves(const Position& position);

// How many legal moves there are, without writing them down.
int count_legal_moves(const Position& position);

// Whether a move that obeys the movement of its piece (castling: that has the right) is legal: the own king is not
// attacked after it, and castling finds its way free and safe.
bool keeps_king_safe(const Position& position, Move m);

// Whether any 16 bits are a legal move here.
bool is_legal(const Position& position, Move m);

// Leaf positions after exactly `depth` plies, the classic check of a move generator. perft(p, 0) is 1.
std::uint64_t perft(const Position& position, int depth);
// The same, given up (no value) soon after `stop` asks for it.
std::optional<std::uint64_t> perft(const Position& position, int depth, const std::stop_token& stop);

}  // namespace pm::chess
