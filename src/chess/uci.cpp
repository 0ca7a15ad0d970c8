#include "chess/uci.h"

#include "chess/movegen.h"

namespace pm::chess {
namespace {

// The legal castling move that `from` to `to` stands for: onto the rook, or onto the king's goal. In Chess960 a king's
// step to its goal is a plain move, which is tried first.
std::optional<Move> find_castling(const MoveList& moves, Square from, Square to) {
  for (const Move m : moves) {
    if (m.kind() == MoveKind::castling && m.from() == from && (m.to() == to || castled_king(from, m.to()) == to)) {
      return m;
    }
  }
  return std::nullopt;
}

}  // namespace

CastlingNotation natural_notation(const Position& position) {
  for (const Square rook : position.castling_rooks()) {
    const Square king = position.king(colour_of(position.piece_on(rook)));
    if (file_of(king) != 4 || (file_of(rook) != 0 && file_of(rook) != 7)) return CastlingNotation::king_takes_rook;
  }
  return CastlingNotation::king_to_goal;
}

Expected<Move> parse_uci(const Position& position, std::string_view text) {
  const auto not_a_move = [] { return fail(ErrorCode::move_syntax, "expected a move such as e2e4 or e7e8q", {0, 1}); };
  if (text.size() < 4 || text.size() > 5) return not_a_move();
  const auto from = parse_square(text.substr(0, 2));
  const auto to = parse_square(text.substr(2, 2));
  std::optional<PieceKind> promoted;
  if (text.size() == 5) {
    for (const PieceKind k : {PieceKind::knight, PieceKind::bishop, PieceKind::rook, PieceKind::queen}) {
      if ((text[4] | 0x20) == (letter_of(k) | 0x20)) promoted = k;
    }
  }
  if (!from || !to || (text.size() == 5 && !promoted)) return not_a_move();
  const MoveList moves = legal_moves(position);
  for (const Move m : moves) {
    if (m.from() != *from || m.to() != *to || m.kind() == MoveKind::castling) continue;
    if (m.kind() == MoveKind::promotion ? promoted == m.promoted() : !promoted) return m;
  }
  if (!promoted) {
    if (const auto castling = find_castling(moves, *from, *to)) return *castling;
  }
  return fail(ErrorCode::move_illegal, std::string(text) + " is not a legal move here", {0, 1});
}

std::string format_uci(Move m, CastlingNotation notation) {
  if (m.is_null()) return "0000";
  const bool to_goal = m.kind() == MoveKind::castling && notation == CastlingNotation::king_to_goal;
  std::string text = format_square(m.from()) + format_square(to_goal ? castled_king(m.from(), m.to()) : m.to());
  if (m.kind() == MoveKind::promotion) text += static_cast<char>(letter_of(m.promoted()) - 'A' + 'a');
  return text;
}

}  // namespace pm::chess
