// Is a piece safe, covered, trapped? The tactical rules behind "brilliant" and "critical" (docs/rules.md 2.6
// to 2.10), as pure functions of a position.
//
// Attackers are those that could really capture: pinned pieces do not count, a side in check has only its evasions.
// An adjacent enemy king counts even when it may not capture. Whose turn it is makes no difference: each side is asked
// as if it were to move.
#pragma once

#include <optional>

#include "chess/bitboard.h"
#include "chess/move.h"
#include "chess/position.h"

namespace pm::verdict {

// What the move just played captured; nothing matters to the rules but its value. 0: nothing.
struct JustCaptured {
  int value = 0;
};

// Pieces of colour `by` that can capture on `target`, the square of an enemy piece.
chess::Bitboard direct_attackers(const chess::Position& position, chess::Square target, chess::Colour by);
// The same with those behind them: take one away (never a king) and see who attacks now, again and again.
chess::Bitboard xray_attackers(const chess::Position& position, chess::Square target, chess::Colour by);
// Who could recapture: for the capture that leaves fewest, the x-ray attackers of the capturer.
chess::Bitboard xray_defenders(const chess::Position& position, chess::Square target);

bool is_safe(const chess::Position& position, chess::Square s, JustCaptured captured = {});

// Pieces of colour c (no pawns, no king) worth more than what was just captured, and not safe.
chess::Bitboard unsafe_pieces(const chess::Position& position, chess::Colour c, JustCaptured captured = {});

// Every capture of the piece leaves the capturer a bigger problem.
bool is_covered(const chess::Position& position, chess::Square s);

// The piece is unsafe where it stands and wherever it can go.
bool is_trapped(const chess::Position& position, chess::Square s);

// Why a move is a sacrifice that works, docs/rules.md 2.6.
struct Sacrifice {
  chess::Bitboard offered;  // the pieces left hanging; those that are covered or trapped only if there is no other
};
// Nothing when the move is no such sacrifice. The scores are not looked at: the gate of docs/rules.md 2.4 comes before.
std::optional<Sacrifice> find_sacrifice(const chess::Position& before, chess::Move m);

}  // namespace pm::verdict
