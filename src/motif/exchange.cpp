#include "motif/exchange.h"

#include <algorithm>
#include <optional>

#include "chess/movegen.h"
#include "motif/placement.h"

namespace pm::motif {
namespace {

using chess::PieceKind;
using chess::Position;
using chess::Square;

int taken_by(const Position& position, chess::Move move) {
  const chess::Piece taken = position.captured_by(move);
  const bool promotes = move.kind() == chess::MoveKind::promotion;
  return (taken == chess::Piece::none ? 0 : value_of(chess::kind_of(taken))) +
         (promotes ? value_of(move.promoted()) - value_of(PieceKind::pawn) : 0);
}

// The most that taking on this square gains, 0 when it does not pay.
int gain_on(const Position& position, Square square) {
  if (attackers_of(position, square, position.side_to_move()).empty()) return 0;
  int best = 0;
  for (const chess::Move move : chess::legal_moves(position)) {
    if (move.to() != square || position.captured_by(move) == chess::Piece::none) continue;
    best = std::max(best, taken_by(position, move) - gain_on(position.after(move), square));
  }
  return best;
}

}  // namespace

int exchange_gain(const Position& position, chess::Move move) {
  if (move.kind() == chess::MoveKind::castling) return 0;
  return taken_by(position, move) - gain_on(position.after(move), move.to());
}

std::optional<chess::Move> best_exchange(const Position& position) {
  std::optional<chess::Move> best;
  int most = 0;
  for (const chess::Move move : chess::legal_moves(position)) {
    const bool promotes = move.kind() == chess::MoveKind::promotion;
    if (position.captured_by(move) == chess::Piece::none && !promotes) continue;
    const int gain = exchange_gain(position, move);
    if (gain <= most) continue;
    most = gain;
    best = move;
  }
  return best;
}

}  // namespace pm::motif
