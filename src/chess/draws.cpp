#include "chess/draws.h"

#include "chess/movegen.h"

namespace pm::chess {

// FIDE Laws of Chess, articles 9.2, 9.3 and 9.6.
namespace {
constexpr int fifty_moves_in_plies = 100;
constexpr int seventy_five_moves_in_plies = 150;
constexpr int threefold = 3;
constexpr int fivefold = 5;
}  // namespace

bool is_insufficient_material(const Position& position) {
  using enum PieceKind;
  if (position.pieces(pawn) | position.pieces(rook) | position.pieces(queen)) return false;
  const Bitboard knights = position.pieces(knight);
  const Bitboard bishops = position.pieces(bishop);
  if (!(knights | bishops).many()) return true;
  if (knights) return false;
  return (bishops & light_squares).empty() || (bishops & ~light_squares).empty();
}

void History::push(const Position& position) {
  if (position.halfmove_clock() == 0) counts_.clear();
  newest_ = position.repetition_key();
  ++counts_[newest_];
}

int History::repetitions() const { return counts_.at(newest_); }

std::optional<GameEnd> game_end(const Position& position, int repetitions) {
  if (count_legal_moves(position) == 0) return position.in_check() ? GameEnd::checkmate : GameEnd::stalemate;
  if (is_insufficient_material(position)) return GameEnd::insufficient_material;
  if (position.halfmove_clock() >= seventy_five_moves_in_plies) return GameEnd::seventy_five_moves;
  if (repetitions >= fivefold) return GameEnd::fivefold_repetition;
  return std::nullopt;
}

std::optional<DrawClaim> draw_claim(const Position& position, int repetitions) {
  if (position.halfmove_clock() >= fifty_moves_in_plies) return DrawClaim::fifty_moves;
  if (repetitions >= threefold) return DrawClaim::threefold_repetition;
  return std::nullopt;
}

}  // namespace pm::chess
