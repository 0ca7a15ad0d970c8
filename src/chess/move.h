// A move in 16 bits: from, to, what kind of move, and the promotion piece.
//
// Castling is stored as "king takes own rook", the one form that is unambiguous in Chess960 too; uci.h writes the
// usual e1g1. A Move means nothing without the Position it belongs to.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "chess/types.h"

namespace pm::chess {

enum class MoveKind : std::uint8_t { plain, promotion, en_passant, castling };

class Move {
 public:
  Move() = default;  // trivial: `Move m;` is indeterminate, so that lists of moves cost nothing to make
  static constexpr Move null() { return {Square::a1, Square::a1, MoveKind::plain}; }  // "--" in PGN: passes the turn

  static constexpr Move plain(Square from, Square to) { return {from, to, MoveKind::plain}; }
  static constexpr Move promotion(Square from, Square to, PieceKind piece) {
    return {from, to, MoveKind::promotion, index(piece) - index(PieceKind::knight)};
  }
  static constexpr Move en_passant(Square from, Square to) { return {from, to, MoveKind::en_passant}; }
  static constexpr Move castling(Square king, Square rook) { return {king, rook, MoveKind::castling}; }

  constexpr Square from() const { return static_cast<Square>(bits_ & 63); }
  constexpr Square to() const { return static_cast<Square>((bits_ >> 6) & 63); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 14); }
  // Only for kind() == promotion.
  constexpr PieceKind promoted() const {
    return static_cast<PieceKind>(((bits_ >> 12) & 3) + index(PieceKind::knight));
  }
  constexpr bool is_null() const { return bits_ == 0; }
  constexpr std::uint16_t bits() const { return bits_; }

  friend constexpr bool operator==(Move, Move) = default;

 private:
  constexpr Move(Square from, Square to, MoveKind kind, int promoted = 0)
      : bits_(static_cast<std::uint16_t>(index(from) | (index(to) << 6) | (promoted << 12) |
                                         (static_cast<int>(kind) << 14))) {}

  std::uint16_t bits_;
};
static_assert(sizeof(Move) == 2);

// The moves of one position, on the stack. 15 queens with 27 moves each and a king with 8 stay under the capacity,
// so that no position a FEN may describe (at most 16 pieces a side) can overflow it.
class MoveList {
 public:
  static constexpr std::size_t capacity = 512;

  MoveList() {}  // NOLINT(modernize-use-equals-default): value initialisation would clear a kilobyte
  void push(Move m) {
    assert(size_ < capacity);
    moves_[size_++] = m;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](std::size_t i) const { return moves_[i]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  bool contains(Move m) const {
    for (const Move each : *this) {
      if (each == m) return true;
    }
    return false;
  }

 private:
  std::size_t size_ = 0;
  std::array<Move, capacity> moves_;  // those from size_ on are indeterminate
};

}  // namespace pm::chess
