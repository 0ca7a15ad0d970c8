#include "chess/position.h"

#include "chess/polyglot_keys.h"

namespace pm::chess {
namespace {

// Sections of the Polyglot table.
constexpr std::size_t castling_keys = 768;
constexpr std::size_t en_passant_keys = 772;
constexpr std::uint64_t white_to_move_key = polyglot_keys[780];

std::uint64_t piece_key(Piece p, Square s) { return polyglot_keys[(64 * static_cast<std::size_t>(p)) + detail::at(s)]; }

std::uint64_t en_passant_key(Square s) { return polyglot_keys[en_passant_keys + static_cast<std::size_t>(file_of(s))]; }

Bitboard home_rank(Colour c) { return rank_bits(c == Colour::white ? 0 : 7); }

Position make_start() {
  using enum PieceKind;
  constexpr std::array back_rank{rook, knight, bishop, queen, king, bishop, knight, rook};
  Setup setup;
  for (int file = 0; file < 8; ++file) {
    const PieceKind kind = back_rank[static_cast<std::size_t>(file)];
    setup.board[detail::at(make_square(file, 0))] = make_piece(Colour::white, kind);
    setup.board[detail::at(make_square(file, 1))] = Piece::white_pawn;
    setup.board[detail::at(make_square(file, 6))] = Piece::black_pawn;
    setup.board[detail::at(make_square(file, 7))] = make_piece(Colour::black, kind);
  }
  setup.castling_rooks = (file_a | file_h) & back_ranks;
  return *Position::from(setup);
}

// What is wrong with the castling rights, or nothing.
const char* castling_fault(const Setup& setup, const std::array<Square, 2>& kings) {
  for (const Colour c : {Colour::white, Colour::black}) {
    const Square king = kings[static_cast<std::size_t>(c)];
    const Bitboard rooks = setup.castling_rooks & home_rank(c);
    if (rooks && !home_rank(c).has(king)) return "a castling right, but the king has left its back rank";
    int left = 0;
    int right = 0;
    for (const Square rook : rooks) {
      if (setup.board[detail::at(rook)] != make_piece(c, PieceKind::rook)) return "a castling right without its rook";
      ++(rook < king ? left : right);
    }
    if (left > 1 || right > 1) return "two castling rights on the same side of the king";
  }
  if (setup.castling_rooks & ~back_ranks) return "a castling right off the back rank";
  return nullptr;
}

bool en_passant_possible(const Setup& setup, Square s) {
  const Colour us = setup.side_to_move;
  if (relative_rank(us, s) != 5) return false;
  const Square pawn = offset(s, -forward(us));
  const Square origin = offset(s, forward(us));
  return setup.board[detail::at(s)] == Piece::none && setup.board[detail::at(origin)] == Piece::none &&
         setup.board[detail::at(pawn)] == make_piece(!us, PieceKind::pawn);
}

}  // namespace

const Position& Position::start() {
  static const Position position = make_start();
  return position;
}

Expected<Position> Position::from(const Setup& setup) {
  Position p;
  for (int i = 0; i < 64; ++i) {
    const auto s = static_cast<Square>(i);
    const Piece piece = setup.board[detail::at(s)];
    if (piece != Piece::none) p.put(piece, s);
  }
  for (const Colour c : {Colour::white, Colour::black}) {
    const std::string side = c == Colour::white ? "White" : "Black";
    if (p.pieces(c, PieceKind::king).count() != 1) {
      return fail(ErrorCode::fen_kings, side + " has " + std::to_string(p.pieces(c, PieceKind::king).count()) +
                                            " kings; each side needs exactly one");
    }
    if (p.pieces(c).count() > 16) return fail(ErrorCode::fen_too_many_pieces, side + " has more than 16 pieces");
    if (p.pieces(c, PieceKind::pawn).count() > 8) {
      return fail(ErrorCode::fen_too_many_pieces, side + " has more than 8 pawns");
    }
  }
  if (const Bitboard stray = p.pieces(PieceKind::pawn) & back_ranks) {
    return fail(ErrorCode::fen_pawn_rank,
                "a pawn stands on " + format_square(stray.first()) + "; pawns cannot be on the first or last rank");
  }
  if (const char* fault = castling_fault(setup, {p.king(Colour::white), p.king(Colour::black)})) {
    return fail(ErrorCode::fen_castling, fault);
  }
  if (setup.en_passant && !en_passant_possible(setup, *setup.en_passant)) {
    return fail(ErrorCode::fen_en_passant, "no pawn can just have passed over " + format_square(*setup.en_passant));
  }
  if (setup.halfmove_clock < 0 || setup.halfmove_clock > max_halfmove_clock) {
    return fail(ErrorCode::fen_counter, "the halfmove clock must be 0 to " + std::to_string(max_halfmove_clock));
  }
  if (setup.move_number < 1 || setup.move_number > max_move_number) {
    return fail(ErrorCode::fen_counter, "the move number must be 1 to " + std::to_string(max_move_number));
  }
  p.side_to_move_ = setup.side_to_move;
  p.castling_rooks_ = setup.castling_rooks;
  p.en_passant_ = setup.en_passant;
  p.halfmove_clock_ = static_cast<std::uint32_t>(setup.halfmove_clock);
  p.move_number_ = static_cast<std::uint32_t>(setup.move_number);
  if (p.attackers_to(p.king(!p.side_to_move_)) & p.pieces(p.side_to_move_)) {
    return fail(ErrorCode::fen_opponent_check, p.side_to_move_ == Colour::white
                                                   ? "Black is in check but it is White's turn"
                                                   : "White is in check but it is Black's turn");
  }
  p.key_ = p.key_from_scratch();
  return p;
}

void Position::put(Piece p, Square s) {
  by_kind_[static_cast<std::size_t>(kind_of(p))] ^= Bitboard(s);
  by_colour_[static_cast<std::size_t>(colour_of(p))] ^= Bitboard(s);
  board_[detail::at(s)] = p;
  key_ ^= piece_key(p, s);
}

void Position::remove(Piece p, Square s) {
  by_kind_[static_cast<std::size_t>(kind_of(p))] ^= Bitboard(s);
  by_colour_[static_cast<std::size_t>(colour_of(p))] ^= Bitboard(s);
  board_[detail::at(s)] = Piece::none;
  key_ ^= piece_key(p, s);
}

std::optional<Square> Position::castling_rook(Colour c, CastlingSide side) const {
  const Square k = king(c);
  for (const Square rook : castling_rooks_& pieces(c)) {
    if ((rook > k) == (side == CastlingSide::king)) return rook;
  }
  return std::nullopt;
}

std::uint64_t Position::castling_key(Bitboard rooks) const {
  std::uint64_t key = 0;
  for (const Square rook : rooks) {
    const Colour c = colour_of(piece_on(rook));
    key ^= polyglot_keys[castling_keys + (c == Colour::black ? 2 : 0) + (rook < king(c) ? 1 : 0)];
  }
  return key;
}

bool Position::en_passant_counts_in_key() const {
  return en_passant_ && (pawn_attacks(!side_to_move_, *en_passant_) & pieces(side_to_move_, PieceKind::pawn));
}

std::uint64_t Position::key_from_scratch() const {
  std::uint64_t key = castling_key(castling_rooks_);
  for (const Square s : occupied()) key ^= piece_key(piece_on(s), s);
  if (en_passant_counts_in_key()) key ^= en_passant_key(*en_passant_);
  if (side_to_move_ == Colour::white) key ^= white_to_move_key;
  return key;
}

std::uint64_t Position::repetition_key() const {
  if (!en_passant_counts_in_key()) return key_;
  const Square king = this->king(side_to_move_);
  const Square victim = offset(*en_passant_, -forward(side_to_move_));
  for (const Square from : pawn_attacks(!side_to_move_, *en_passant_) & pieces(side_to_move_, PieceKind::pawn)) {
    const Bitboard after = (occupied() ^ Bitboard(from) ^ Bitboard(victim)) | Bitboard(*en_passant_);
    if (!(attackers_to(king, after) & pieces(!side_to_move_) & after)) return key_;
  }
  return key_ ^ en_passant_key(*en_passant_);
}

std::uint64_t Position::placement_key() const {
  const std::uint64_t key = key_ ^ castling_key(castling_rooks_);
  return en_passant_counts_in_key() ? key ^ en_passant_key(*en_passant_) : key;
}

Bitboard Position::attackers_to(Square s, Bitboard occupied) const {
  using enum PieceKind;
  return (pawn_attacks(Colour::black, s) & pieces(Colour::white, pawn)) |
         (pawn_attacks(Colour::white, s) & pieces(Colour::black, pawn)) | (knight_attacks(s) & pieces(knight)) |
         (king_attacks(s) & pieces(PieceKind::king)) | (rook_attacks(s, occupied) & (pieces(rook) | pieces(queen))) |
         (bishop_attacks(s, occupied) & (pieces(bishop) | pieces(queen)));
}

Bitboard Position::pinned(Colour c) const {
  using enum PieceKind;
  const Square k = this->king(c);
  const Bitboard snipers =
      ((rook_rays(k) & (pieces(rook) | pieces(queen))) | (bishop_rays(k) & (pieces(bishop) | pieces(queen)))) &
      pieces(!c);
  Bitboard found;
  for (const Square sniper : snipers) {
    const Bitboard blockers = between(k, sniper) & occupied();
    if (!blockers.many()) found |= blockers & pieces(c);
  }
  return found;
}

void Position::drop_castling_rooks(Bitboard lost) {
  lost &= castling_rooks_;
  if (lost.empty()) return;
  key_ ^= castling_key(lost);
  castling_rooks_ ^= lost;
}

void Position::castle(Square king, Square rook) {
  const Piece king_piece = make_piece(side_to_move_, PieceKind::king);
  const Piece rook_piece = make_piece(side_to_move_, PieceKind::rook);
  drop_castling_rooks(home_rank(side_to_move_));  // while king and rook still stand where the rights say
  remove(king_piece, king);
  remove(rook_piece, rook);
  put(king_piece, castled_king(king, rook));
  put(rook_piece, castled_rook(king, rook));
}

Position Position::with_other_side_to_move() const {
  Position other = *this;
  other.side_to_move_ = !side_to_move_;
  other.en_passant_.reset();
  other.key_ = other.key_from_scratch();
  return other;
}

void Position::play(Move m) {
  const Colour us = side_to_move_;
  if (en_passant_) {
    if (en_passant_counts_in_key()) key_ ^= en_passant_key(*en_passant_);
    en_passant_.reset();
  }
  assert(m.is_null() ? !in_check() : pieces(us).has(m.from()));
  if (halfmove_clock_ < max_halfmove_clock) ++halfmove_clock_;
  if (m.kind() == MoveKind::castling) {
    castle(m.from(), m.to());
  } else if (!m.is_null()) {
    const Square from = m.from();
    const Square to = m.to();
    const Piece piece = piece_on(from);
    drop_castling_rooks(Bitboard(from) | Bitboard(to));
    if (kind_of(piece) == PieceKind::king) drop_castling_rooks(home_rank(us));
    if (const Piece victim = piece_on(to); victim != Piece::none) {
      remove(victim, to);
      halfmove_clock_ = 0;
    } else if (m.kind() == MoveKind::en_passant) {
      remove(make_piece(!us, PieceKind::pawn), offset(to, -forward(us)));
    }
    remove(piece, from);
    put(m.kind() == MoveKind::promotion ? make_piece(us, m.promoted()) : piece, to);
    if (kind_of(piece) == PieceKind::pawn) {
      halfmove_clock_ = 0;
      const Square passed = offset(from, forward(us));
      if (offset(passed, forward(us)) == to && (pawn_attacks(us, passed) & pieces(!us, PieceKind::pawn))) {
        en_passant_ = passed;
        key_ ^= en_passant_key(passed);
      }
    }
  }
  if (us == Colour::black && move_number_ < max_move_number) ++move_number_;
  side_to_move_ = !us;
  key_ ^= white_to_move_key;
}

}  // namespace pm::chess
