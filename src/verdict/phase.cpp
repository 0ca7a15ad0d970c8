#include "verdict/phase.h"

#include <algorithm>

namespace pm::verdict {
namespace {

constexpr int endgame_pieces = 6;
constexpr int middlegame_pieces = 10;
constexpr int developed_back_rank = 4;  // fewer pieces than this
constexpr int last_opening_move = 15;

Phase phase_by_itself(const chess::Position& position) {
  using chess::Colour;
  const chess::Bitboard others = position.pieces(chess::PieceKind::pawn) | position.pieces(chess::PieceKind::king);
  const int pieces = (position.occupied() & ~others).count();
  if (pieces <= endgame_pieces) return Phase::endgame;
  const auto back_rank = [&](Colour c) {
    return (position.pieces(c) & chess::rank_bits(c == Colour::white ? 0 : 7)).count();
  };
  const bool developed = std::min(back_rank(Colour::white), back_rank(Colour::black)) < developed_back_rank;
  const bool over = pieces <= middlegame_pieces || developed || position.move_number() > last_opening_move;
  return over ? Phase::middlegame : Phase::opening;
}

}  // namespace

Phase phase_of(const chess::Position& position, Phase so_far) { return std::max(so_far, phase_by_itself(position)); }

}  // namespace pm::verdict
