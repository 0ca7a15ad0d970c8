#include "chess/san.h"

#include "base/printable.h"
#include "chess/movegen.h"

namespace pm::chess {
namespace {

// What a piece of SAN says, before any board is looked at.
struct SanParts {
  PieceKind kind = PieceKind::pawn;
  std::optional<PieceKind> promoted;
  int from_file = -1;  // -1: not said
  int from_rank = -1;
  bool captures = false;  // says so with an x or a colon
  Square to = Square::a1;
};

constexpr SanResult refused(ErrorCode code) { return {Move::null(), code, false}; }
constexpr SanResult found(Move m) { return {m, ErrorCode::move_syntax, true}; }

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

constexpr std::optional<PieceKind> promotion_piece(char c) {
  switch (c) {
    case 'Q':
    case 'q': return PieceKind::queen;
    case 'R':
    case 'r': return PieceKind::rook;
    case 'B':
    case 'b': return PieceKind::bishop;
    case 'N':
    case 'n': return PieceKind::knight;
    default: return std::nullopt;
  }
}

// Drops what may follow a move: check and mate signs, glyphs, "e.p.".
std::string_view strip_suffix(std::string_view text) {
  if (!text.empty() && is_rank(text.back())) return text;
  for (;;) {
    while (!text.empty()) {
      const char c = text.back();
      const bool glyph = c == '+' || c == '#' || c == '!' || c == '?' || c == '=' || c == '-' || c == '/';
      if (!glyph) break;
      text.remove_suffix(1);
    }
    if (text.ends_with("e.p.")) {
      text.remove_suffix(4);
    } else if (text.ends_with("ep") && text.size() > 4) {
      text.remove_suffix(2);
    } else {
      return text;
    }
  }
}

// Takes "=Q", "(Q)", "/Q" or plain "Q" off the end.
std::optional<PieceKind> take_promotion(std::string_view& text) {
  if (text.size() < 3) return std::nullopt;
  std::string_view rest = text;
  const bool bracket = rest.back() == ')';
  if (bracket) rest.remove_suffix(1);
  const auto piece = promotion_piece(rest.back());
  if (!piece) return std::nullopt;
  rest.remove_suffix(1);
  if (bracket) {
    if (rest.empty() || rest.back() != '(') return std::nullopt;
    rest.remove_suffix(1);
  } else if (!rest.empty() && (rest.back() == '=' || rest.back() == '/')) {
    rest.remove_suffix(1);
  }
  if (rest.size() < 2 || !is_rank(rest.back())) return std::nullopt;
  text = rest;
  return piece;
}

// Reads piece letter, origin, capture sign and goal: the whole of `text` must fit.
std::optional<SanParts> parse_parts(std::string_view text) {
  SanParts parts;
  if (text.empty()) return std::nullopt;
  if (!is_rank(text.back())) parts.promoted = take_promotion(text);
  if (const auto kind = parse_kind(text.front())) {
    parts.kind = *kind;
    text.remove_prefix(1);
  }
  if (text.size() < 2 || !is_rank(text.back()) || !is_file(text[text.size() - 2])) return std::nullopt;
  parts.to = make_square(text[text.size() - 2] - 'a', text.back() - '1');
  text.remove_suffix(2);
  if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':')) {
    parts.captures = text.back() != '-';
    text.remove_suffix(1);
  }
  if (!text.empty() && is_rank(text.back())) {
    parts.from_rank = text.back() - '1';
    text.remove_suffix(1);
  }
  if (!text.empty() && is_file(text.back())) {
    parts.from_file = text.back() - 'a';
    text.remove_suffix(1);
  }
  if (!text.empty()) return std::nullopt;
  return parts;
}

Bitboard pawn_origins(const Position& position, const SanParts& parts) {
  const Colour us = position.side_to_move();
  const Bitboard pawns = position.pieces(us, PieceKind::pawn);
  const bool occupied = position.piece_on(parts.to) != Piece::none;
  const bool says_capture = parts.captures || (parts.from_file >= 0 && parts.from_file != file_of(parts.to));
  if (says_capture) {
    if (!occupied && position.en_passant() != parts.to) return {};
    return pawn_attacks(!us, parts.to) & pawns;
  }
  if (occupied) return {};
  const int rank = relative_rank(us, parts.to);
  if (rank < 2) return {};
  const Square behind = offset(parts.to, -forward(us));
  if (pawns.has(behind)) return Bitboard(behind);
  if (rank != 3 || position.piece_on(behind) != Piece::none) return {};
  return pawns & Bitboard(offset(behind, -forward(us)));
}

// Men of that kind (no pawns) that could go to the goal by their movement. A glance along the line to each beats
// looking the goal's attacks up in the large tables: there are seldom more than two to ask. Between a knight and its
// goal lies nothing, so no kind is special.
Bitboard reaching(const Position& position, PieceKind kind, Square to) {
  Bitboard found;
  for (const Square s : position.pieces(position.side_to_move(), kind) & pseudo_attacks(kind, to)) {
    if (!(between(s, to) & position.occupied())) found |= Bitboard(s);
  }
  return found;
}

// The same, narrowed by what the text says of the origin.
Bitboard origins(const Position& position, const SanParts& parts) {
  Bitboard from =
      parts.kind == PieceKind::pawn ? pawn_origins(position, parts) : reaching(position, parts.kind, parts.to);
  if (parts.from_file >= 0) from &= file_bits(parts.from_file);
  if (parts.from_rank >= 0) from &= rank_bits(parts.from_rank);
  return from;
}

Move build(const Position& position, const SanParts& parts, Square from) {
  if (parts.kind != PieceKind::pawn) return Move::plain(from, parts.to);
  if (relative_rank(position.side_to_move(), parts.to) == 7) {
    return Move::promotion(from, parts.to, parts.promoted.value_or(PieceKind::queen));
  }
  if (position.en_passant() == parts.to && file_of(from) != file_of(parts.to)) {
    return Move::en_passant(from, parts.to);
  }
  return Move::plain(from, parts.to);
}

SanResult resolve_parts(const Position& position, const SanParts& parts) {
  if (position.pieces(position.side_to_move()).has(parts.to)) return refused(ErrorCode::move_illegal);
  const bool promotes = parts.kind == PieceKind::pawn && relative_rank(position.side_to_move(), parts.to) == 7;
  if (parts.promoted && !promotes) return refused(ErrorCode::move_illegal);
  std::optional<Move> only;
  for (const Square from : origins(position, parts)) {
    const Move m = build(position, parts, from);
    if (!keeps_king_safe(position, m)) continue;
    if (only) return refused(ErrorCode::move_ambiguous);
    only = m;
  }
  if (only) return found(*only);
  return refused(ErrorCode::move_illegal);
}

SanResult resolve_castling(const Position& position, CastlingSide side) {
  const Colour us = position.side_to_move();
  const auto rook = position.castling_rook(us, side);
  if (!rook) return refused(ErrorCode::move_illegal);
  const Move m = Move::castling(position.king(us), *rook);
  return keeps_king_safe(position, m) ? found(m) : refused(ErrorCode::move_illegal);
}

// O-O, 0-0, o-o, OO and the long forms; how many of O and 0 there are, or 0 when it is something else.
int castling_length(std::string_view text) {
  if (text.empty() || is_rank(text.back())) return 0;
  int circles = 0;
  bool dash_allowed = false;
  for (const char c : text) {
    if (c == 'O' || c == '0' || c == 'o') {
      ++circles;
      dash_allowed = true;
    } else if (c == '-' && dash_allowed) {
      dash_allowed = false;
    } else {
      return 0;
    }
  }
  return dash_allowed ? circles : 0;
}

// Long algebraic castling, e1g1 or Ke1-g1, which looks like an impossible king move.
SanResult resolve_king_jump(const Position& position, const SanParts& parts) {
  const Square king = position.king(position.side_to_move());
  const bool jumps = rank_of(king) == rank_of(parts.to) && file_of(king) == 4 && parts.from_file == 4 &&
                     parts.from_rank == rank_of(king) && (file_of(parts.to) == 6 || file_of(parts.to) == 2);
  if (!jumps) return refused(ErrorCode::move_illegal);
  return resolve_castling(position, parts.to > king ? CastlingSide::king : CastlingSide::queen);
}

bool names_null_move(std::string_view text) {
  if (!text.empty() && is_rank(text.back())) return false;
  return text == "--" || text == "Z0" || text == "@@@@" || text == "0000" || text == "null";
}

std::string disambiguation(const Position& position, Move m, PieceKind kind) {
  const Bitboard rivals = reaching(position, kind, m.to()) & ~Bitboard(m.from());
  bool any = false;
  bool same_file = false;
  bool same_rank = false;
  for (const Square s : rivals) {
    if (!keeps_king_safe(position, Move::plain(s, m.to()))) continue;
    any = true;
    same_file = same_file || file_of(s) == file_of(m.from());
    same_rank = same_rank || rank_of(s) == rank_of(m.from());
  }
  if (!any) return "";
  if (!same_file) return {file_letter(file_of(m.from()))};
  if (!same_rank) return {rank_digit(rank_of(m.from()))};
  return format_square(m.from());
}

std::string san_without_check(const Position& position, Move m) {
  if (m.kind() == MoveKind::castling) return m.to() > m.from() ? "O-O" : "O-O-O";
  const PieceKind kind = kind_of(position.piece_on(m.from()));
  const bool captures = position.captured_by(m) != Piece::none;
  std::string text;
  if (kind != PieceKind::pawn) {
    text += letter_of(kind);
    if (kind != PieceKind::king) text += disambiguation(position, m, kind);
  } else if (captures) {
    text += file_letter(file_of(m.from()));
  }
  if (captures) text += 'x';
  text += format_square(m.to());
  if (m.kind() == MoveKind::promotion) {
    text += '=';
    text += letter_of(m.promoted());
  }
  return text;
}

}  // namespace

SanResult resolve_san(const Position& position, std::string_view text) {
  if (names_null_move(text)) return position.in_check() ? refused(ErrorCode::move_illegal) : found(Move::null());
  text = strip_suffix(text);
  if (const int circles = castling_length(text); circles >= 2) {
    if (circles > 3) return refused(ErrorCode::move_syntax);
    return resolve_castling(position, circles == 2 ? CastlingSide::king : CastlingSide::queen);
  }
  auto parts = parse_parts(text);
  if (!parts) return refused(ErrorCode::move_syntax);
  // Long algebraic without a piece letter (g1f3) names a square, and so a piece.
  if (parts->kind == PieceKind::pawn && parts->from_file >= 0 && parts->from_rank >= 0) {
    const Piece piece = position.piece_on(make_square(parts->from_file, parts->from_rank));
    if (piece != Piece::none) parts->kind = kind_of(piece);
  }
  const SanResult result = resolve_parts(position, *parts);
  if (!result.ok && parts->kind == PieceKind::king) {
    const SanResult castling = resolve_king_jump(position, *parts);
    if (castling.ok) return castling;
  }
  return result;
}

SanResult resolve_san(const Position& position, std::string_view text, Language language) {
  if (language == Language::english) return resolve_san(position, text);
  const auto english = in_english(text, language);
  return english ? resolve_san(position, *english) : refused(ErrorCode::move_syntax);
}

Expected<Move> parse_san(const Position& position, std::string_view text, Language language) {
  constexpr std::size_t longest_shown = 20;
  const SanResult result = resolve_san(position, text, language);
  if (result.ok) return result.move;
  std::string shown = printable(text.substr(0, longest_shown));
  if (text.size() > longest_shown) shown += "...";
  const char* side = position.side_to_move() == Colour::white ? "White" : "Black";
  switch (result.code) {
    case ErrorCode::move_illegal: return fail(result.code, shown + " is not a legal move for " + side, {0, 1});
    case ErrorCode::move_ambiguous: return fail(result.code, shown + " fits more than one piece", {0, 1});
    default: return fail(ErrorCode::move_syntax, "expected a move, found '" + shown + "'", {0, 1});
  }
}

std::string format_san(const Position& position, Move m) {
  if (m.is_null()) return "--";
  std::string text = san_without_check(position, m);
  const Position next = position.after(m);
  if (next.in_check()) text += count_legal_moves(next) == 0 ? '#' : '+';
  return text;
}

}  // namespace pm::chess
