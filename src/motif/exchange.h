// Exchanges: what a capture gains when both sides go on taking on that square as long as it pays, by legal moves only.
// In points (P1 N3 B3 R5 Q9).
#pragma once

#include <optional>

#include "chess/position.h"

namespace pm::motif {

// The move must be legal; what it captures is the least it gains when nobody takes back. A move that captures nothing
// gains 0 or loses its piece.
int exchange_gain(const chess::Position& position, chess::Move move);

// The legal capture or promotion of the side to move that gains most; nothing when none gains.
std::optional<chess::Move> best_exchange(const chess::Position& position);

}  // namespace pm::motif
