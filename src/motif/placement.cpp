#include "motif/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "chess/movegen.h"

namespace pm::motif {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

namespace {

Colour owner_of(const Position& position, Square s) { return chess::colour_of(position.piece_on(s)); }

bool is_attacked_by_cheaper(const Position& position, Square s) {
  const int value = value_of(kind_on(position, s));
  const Bitboard attackers = attackers_of(position, s, !owner_of(position, s)) & ~position.pieces(PieceKind::king);
  return any_of(attackers, [&](Square each) { return value_of(kind_on(position, each)) < value; });
}

}  // namespace

int value_of(PieceKind kind) {
  constexpr std::array<int, chess::piece_kinds> values{1, 3, 3, 5, 9, king_value};
  return values[static_cast<std::size_t>(kind)];
}

bool is_line_piece(PieceKind kind) {
  return kind == PieceKind::bishop || kind == PieceKind::rook || kind == PieceKind::queen;
}

Bitboard attacks_from(const Position& position, Square s) {
  return chess::attacks_of(kind_on(position, s), owner_of(position, s), s, position.occupied());
}

Bitboard attackers_of(const Position& position, Square s, Colour by) {
  return position.attackers_to(s) & position.pieces(by);
}

bool is_guarded(const Position& position, Square s) {
  const Colour owner = owner_of(position, s);
  if (attackers_of(position, s, owner)) return true;
  for (const Square enemy : attackers_of(position, s, !owner)) {
    if (!is_line_piece(kind_on(position, enemy))) continue;
    const Bitboard without = position.occupied() & ~Bitboard(enemy);
    if (position.attackers_to(s, without) & position.pieces(owner)) return true;
  }
  return false;
}

bool is_loose(const Position& position, Square s) { return !is_guarded(position, s); }

bool is_badly_placed(const Position& position, Square s) {
  if (attackers_of(position, s, !owner_of(position, s)).empty()) return false;
  return is_loose(position, s) || is_attacked_by_cheaper(position, s);
}

bool is_boxed_in(const Position& position, Square s) {
  const PieceKind kind = kind_on(position, s);
  if (kind == PieceKind::pawn || kind == PieceKind::king || position.in_check()) return false;
  if (position.pinned(position.side_to_move()).has(s) || !is_badly_placed(position, s)) return false;
  for (const chess::Move move : chess::legal_moves(position)) {
    if (move.from() != s || move.kind() == chess::MoveKind::castling) continue;
    const chess::Piece taken = position.captured_by(move);
    if (taken != chess::Piece::none && value_of(chess::kind_of(taken)) >= value_of(kind)) return false;
    if (!is_badly_placed(position.after(move), move.to())) return false;
  }
  return true;
}

int material(const Position& position, Colour side) {
  int sum = 0;
  for (const PieceKind kind :
       {PieceKind::pawn, PieceKind::knight, PieceKind::bishop, PieceKind::rook, PieceKind::queen}) {
    sum += value_of(kind) * (position.pieces(side, kind).count() - position.pieces(!side, kind).count());
  }
  return sum;
}

int king_distance(Square a, Square b) {
  return std::max(std::abs(chess::file_of(a) - chess::file_of(b)), std::abs(chess::rank_of(a) - chess::rank_of(b)));
}

}  // namespace pm::motif
