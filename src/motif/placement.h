// How men stand: what they attack, whether they are guarded, badly placed or boxed in; and material. Attacks are
// geometric: a pinned piece attacks too.
#pragma once

#include "chess/position.h"

namespace pm::motif {

// P1 N3 B3 R5 Q9, the king more than all.
int value_of(chess::PieceKind kind);
inline constexpr int king_value = 99;

// What stands on this square; something must.
inline chess::PieceKind kind_on(const chess::Position& position, chess::Square s) {
  return chess::kind_of(position.piece_on(s));
}

bool is_line_piece(chess::PieceKind kind);  // bishop, rook, queen

// What the man on this square attacks; there must be one.
chess::Bitboard attacks_from(const chess::Position& position, chess::Square s);
// Men of this colour that attack the square.
chess::Bitboard attackers_of(const chess::Position& position, chess::Square s, chess::Colour by);

// The man's own side attacks its square, be it only when an enemy line piece that attacks the square is taken away.
bool is_guarded(const chess::Position& position, chess::Square s);
bool is_loose(const chess::Position& position, chess::Square s);
// Attacked, and loose or attacked by something cheaper other than the king.
bool is_badly_placed(const chess::Position& position, chess::Square s);
// The man of the side to move is badly placed, and so it is wherever it can go; taking something worth as much or more
// would be a way out. Never pawns, kings, pinned men, or a side in check.
bool is_boxed_in(const chess::Position& position, chess::Square s);

// The points of one side's men less those of the other's.
int material(const chess::Position& position, chess::Colour side);

// Whether the test holds for one of the squares.
template <class Test>
bool any_of(chess::Bitboard squares, Test test) {
  for (const chess::Square s : squares) {
    if (test(s)) return true;
  }
  return false;
}

// Steps a king would need.
int king_distance(chess::Square a, chess::Square b);

}  // namespace pm::motif
