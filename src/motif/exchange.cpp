#include "motif/exchange.h"

#include <algorithm>
#include <array>
#include <optional>

#include "chess/movegen.h"
#include "motif/placement.h"

namespace pm::motif {
namespace {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

std::optional<Square> cheapest(const Position& position, Bitboard men) {
  for (const PieceKind kind :
       {PieceKind::pawn, PieceKind::knight, PieceKind::bishop, PieceKind::rook, PieceKind::queen, PieceKind::king}) {
    const Bitboard found = men & position.pieces(kind);
    if (found) return found.first();
  }
  return std::nullopt;
}

}  // namespace

int exchange_gain(const Position& position, chess::Move move) {
  if (move.kind() == chess::MoveKind::castling) return 0;
  const Position after = position.after(move);
  const Square at = move.to();
  const chess::Piece taken = position.captured_by(move);
  int standing = value_of(chess::kind_of(after.piece_on(at)));  // what can be taken next
  std::array<int, 33> gains{};
  gains[0] = taken == chess::Piece::none ? 0 : value_of(chess::kind_of(taken));
  if (move.kind() == chess::MoveKind::promotion) gains[0] += standing - value_of(PieceKind::pawn);
  Bitboard occupied = after.occupied();
  Colour side = after.side_to_move();
  std::size_t depth = 0;
  for (;;) {
    const Bitboard attackers = after.attackers_to(at, occupied) & occupied & ~Bitboard(at);
    const auto from = cheapest(after, attackers & after.pieces(side));
    if (!from) break;
    const PieceKind kind = chess::kind_of(after.piece_on(*from));
    if (kind == PieceKind::king && (attackers & after.pieces(!side))) break;  // it would be taken
    ++depth;
    gains[depth] = standing - gains[depth - 1];
    standing = value_of(kind);
    occupied &= ~Bitboard(*from);
    side = !side;
  }
  for (; depth > 0; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
  return gains[0];
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
