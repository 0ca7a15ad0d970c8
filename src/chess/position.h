// A chess position: where the pieces stand, whose turn it is, castling and en-passant rights, the two counters, and the
// Polyglot key. A value: copy it, compare it, play moves on the copy. Thread-safe as any value is.
//
//   Position start = Position::start();
//   Position next = start.after(Move::plain(Square::e2, Square::e4));
//
// Positions come from start(), from parse_fen() (fen.h) or from a checked Setup, so every Position satisfies the rules
// listed at Position::from(): one king a side, the side not to move not in check, and so on.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "chess/attacks.h"
#include "chess/bitboard.h"
#include "chess/move.h"
#include "chess/types.h"

namespace pm::chess {

// The parts of a position before they are known to make sense.
struct Setup {
  std::array<Piece, 64> board = empty_board();
  Colour side_to_move = Colour::white;
  Bitboard castling_rooks;           // the rooks that may still castle, both sides
  std::optional<Square> en_passant;  // the square just passed over by a pawn
  int halfmove_clock = 0;            // plies since the last capture or pawn move, 0..max_halfmove_clock
  int move_number = 1;               // 1..max_move_number

  static constexpr std::array<Piece, 64> empty_board() {
    std::array<Piece, 64> board{};
    board.fill(Piece::none);
    return board;
  }
};

inline constexpr int max_halfmove_clock = 9'999;
inline constexpr int max_move_number = 32'767;

class Position {
 public:
  static const Position& start();

  // Fails (with the codes of fen.h, and no place) unless: one king a side; no pawn on the first or last rank; at most
  // 16 pieces and 8 pawns a side; each castling right has its king and rook on the back rank; the en-passant square is
  // one a pawn can just have passed; the counters are in range; the side not to move is not in check.
  static Expected<Position> from(const Setup& setup);

  Colour side_to_move() const { return side_to_move_; }
  Bitboard occupied() const { return by_colour_[0] | by_colour_[1]; }
  Bitboard pieces(Colour c) const { return by_colour_[static_cast<std::size_t>(c)]; }
  Bitboard pieces(PieceKind k) const { return by_kind_[static_cast<std::size_t>(k)]; }
  Bitboard pieces(Colour c, PieceKind k) const { return pieces(c) & pieces(k); }
  Piece piece_on(Square s) const { return board_[detail::at(s)]; }
  Square king(Colour c) const { return pieces(c, PieceKind::king).first(); }

  // The rooks that may still castle; a side's king side is the rook to the right of its king.
  Bitboard castling_rooks() const { return castling_rooks_; }
  std::optional<Square> castling_rook(Colour c, CastlingSide side) const;

  // The square a pawn has just passed over. After a move it is set only when an enemy pawn stands ready to take there
  // (legally or not: Polyglot's rule); from a FEN it is kept as given.
  std::optional<Square> en_passant() const { return en_passant_; }
  int halfmove_clock() const { return static_cast<int>(halfmove_clock_); }
  int move_number() const { return static_cast<int>(move_number_); }

  // Polyglot's hash of the position.
  std::uint64_t key() const { return key_; }
  // Equal for positions that count as the same for threefold repetition: as key(), but an en-passant capture that is
  // not legal does not count.
  std::uint64_t repetition_key() const;

  // Equal for positions with the same pieces and the same side to move, whatever the castling and en-passant rights.
  std::uint64_t placement_key() const;

  // Men of both colours that attack s when the board is occupied as given.
  Bitboard attackers_to(Square s, Bitboard occupied) const;
  Bitboard attackers_to(Square s) const { return attackers_to(s, occupied()); }
  // Enemy pieces giving check to the side to move.
  Bitboard checkers() const { return attackers_to(king(side_to_move_)) & pieces(!side_to_move_); }
  bool in_check() const { return checkers().operator bool(); }
  // Pieces of colour c that may not leave the line to their own king.
  Bitboard pinned(Colour c) const;

  // The move must be legal here, or the null move (which needs the side to move not to be in check). The counters stop
  // at their largest values.
  void play(Move m);
  [[nodiscard]] Position after(Move m) const {
    Position next = *this;
    next.play(m);
    return next;
  }

  // What the other side would see if it were its turn; no en-passant right survives that. Unlike every other position
  // this one may have the side not to move in check: generate moves from it, but write no FEN.
  [[nodiscard]] Position with_other_side_to_move() const;

  // The piece a legal move captures, en passant included; Piece::none when it captures nothing.
  Piece captured_by(Move m) const {
    if (m.kind() == MoveKind::castling) return Piece::none;
    if (m.kind() == MoveKind::en_passant) return make_piece(!side_to_move_, PieceKind::pawn);
    return piece_on(m.to());
  }

  // Everything equal, counters included.
  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position() = default;
  void put(Piece p, Square s);
  void remove(Piece p, Square s);
  void castle(Square king, Square rook);
  void drop_castling_rooks(Bitboard lost);
  bool en_passant_counts_in_key() const;
  std::uint64_t castling_key(Bitboard rooks) const;
  std::uint64_t key_from_scratch() const;

  std::array<Bitboard, piece_kinds> by_kind_;
  std::array<Bitboard, 2> by_colour_;
  std::array<Piece, 64> board_ = Setup::empty_board();
  Bitboard castling_rooks_;
  std::uint64_t key_ = 0;
  std::optional<Square> en_passant_;
  std::uint32_t halfmove_clock_ = 0;
  std::uint32_t move_number_ = 1;
  Colour side_to_move_ = Colour::white;
};

// Where king and rook stand after castling: g1 and f1, or c1 and d1.
constexpr Square castled_king(Square king, Square rook) { return make_square(rook > king ? 6 : 2, rank_of(king)); }
constexpr Square castled_rook(Square king, Square rook) { return make_square(rook > king ? 5 : 3, rank_of(king)); }

}  // namespace pm::chess
