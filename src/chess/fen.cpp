#include "chess/fen.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace pm::chess {
namespace {

struct Field {
  std::string_view text;
  std::size_t column = 0;  // of its first character, from 1
};

constexpr std::size_t field_count = 6;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '_' || c == '\r' || c == '\n'; }

std::vector<Field> split(std::string_view text) {
  std::vector<Field> fields;
  std::size_t i = 0;
  while (fields.size() <= field_count) {
    while (i < text.size() && is_space(text[i])) ++i;
    if (i == text.size()) break;
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i])) ++i;
    fields.push_back({text.substr(begin, i - begin), begin + 1});
  }
  return fields;
}

// Characters of untrusted text as they may be shown: control and non-ASCII bytes as \xNN.
std::string quoted(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7F) return std::string("'") + c + "'";
  constexpr std::string_view hex = "0123456789abcdef";
  return std::string("'\\x") + hex[byte >> 4] + hex[byte & 15] + "'";
}

tl::unexpected<Error> fail_at(ErrorCode code, std::string sentence, std::size_t column) {
  return fail(code, std::move(sentence), {0, column});
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

Expected<std::array<Piece, 64>> parse_placement(const Field& field) {
  std::array<Piece, 64> board = Setup::empty_board();
  int rank = 7;
  int file = 0;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    const char c = field.text[i];
    const std::size_t column = field.column + i;
    if (c == '/') {
      if (file != 8) return fail_at(ErrorCode::fen_placement, "this rank has fewer than 8 squares", column);
      if (rank == 0) return fail_at(ErrorCode::fen_placement, "more than 8 ranks", column);
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else if (const auto kind = parse_kind(upper(c))) {
      if (file < 8) {
        const Square s = make_square(file, rank);
        const Piece piece = make_piece(c == upper(c) ? Colour::white : Colour::black, *kind);
        if (*kind == PieceKind::pawn && (rank == 0 || rank == 7)) {
          return fail_at(ErrorCode::fen_pawn_rank, "a pawn cannot stand on " + format_square(s), column);
        }
        if (*kind == PieceKind::king && std::find(board.begin(), board.end(), piece) != board.end()) {
          return fail_at(ErrorCode::fen_kings, "a second king of the same colour on " + format_square(s), column);
        }
        board[detail::at(s)] = piece;
      }
      ++file;
    } else {
      return fail_at(ErrorCode::fen_placement, "expected a piece letter, a digit 1-8 or '/', found " + quoted(c),
                     column);
    }
    if (file > 8) return fail_at(ErrorCode::fen_placement, "this rank has more than 8 squares", column);
  }
  if (rank != 0 || file != 8) {
    return fail_at(ErrorCode::fen_placement, "the board ends before 8 ranks of 8 squares are filled",
                   field.column + field.text.size());
  }
  return board;
}

// The outermost rook on one side of the king of colour c, as X-FEN reads K, Q, k and q.
std::optional<Square> outermost_rook(const std::array<Piece, 64>& board, Colour c, CastlingSide side) {
  const int rank = c == Colour::white ? 0 : 7;
  const int step = side == CastlingSide::king ? -1 : 1;
  for (int file = side == CastlingSide::king ? 7 : 0; file >= 0 && file < 8; file += step) {
    const Square s = make_square(file, rank);
    const Piece piece = board[detail::at(s)];
    if (piece == make_piece(c, PieceKind::king)) break;
    if (piece == make_piece(c, PieceKind::rook)) return s;
  }
  return std::nullopt;
}

Expected<Bitboard> parse_castling(const Field& field, const std::array<Piece, 64>& board) {
  Bitboard rooks;
  if (field.text == "-") return rooks;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    const char c = field.text[i];
    const char letter = upper(c);
    const Colour colour = c == letter ? Colour::white : Colour::black;
    const std::size_t column = field.column + i;
    std::optional<Square> rook;
    if (letter == 'K' || letter == 'Q') {
      rook = outermost_rook(board, colour, letter == 'K' ? CastlingSide::king : CastlingSide::queen);
    } else if (letter >= 'A' && letter <= 'H') {
      rook = make_square(letter - 'A', colour == Colour::white ? 0 : 7);
    } else {
      return fail_at(ErrorCode::fen_castling,
                     "expected '-' or castling rights such as KQkq or HAha, found " + quoted(c), column);
    }
    if (!rook || board[detail::at(*rook)] != make_piece(colour, PieceKind::rook)) {
      return fail_at(ErrorCode::fen_castling, "castling right " + quoted(c) + " has no rook to castle with", column);
    }
    if (rooks.has(*rook))
      return fail_at(ErrorCode::fen_castling, "castling right " + quoted(c) + " is given twice", column);
    rooks |= Bitboard(*rook);
  }
  return rooks;
}

Expected<int> parse_counter(const Field& field, const char* name, int most) {
  int value = 0;
  const auto [end, code] = std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
  if (code != std::errc{} || end != field.text.data() + field.text.size() || value < 0 || value > most) {
    return fail_at(ErrorCode::fen_counter,
                   std::string("expected the ") + name + ", a whole number up to " + std::to_string(most),
                   field.column);
  }
  return value;
}

// Which field to point at when the parts read well but the whole makes no position.
std::size_t field_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::fen_opponent_check: return 1;
    case ErrorCode::fen_castling: return 2;
    case ErrorCode::fen_en_passant: return 3;
    default: return 0;
  }
}

Expected<Setup> parse_setup(const std::vector<Field>& fields) {
  Setup setup;
  const auto board = parse_placement(fields[0]);
  if (!board) return tl::make_unexpected(board.error());
  setup.board = *board;
  if (fields[1].text != "w" && fields[1].text != "b") {
    return fail_at(ErrorCode::fen_side, "expected the side to move, w or b", fields[1].column);
  }
  setup.side_to_move = fields[1].text == "w" ? Colour::white : Colour::black;
  if (fields.size() > 2) {
    const auto rooks = parse_castling(fields[2], *board);
    if (!rooks) return tl::make_unexpected(rooks.error());
    setup.castling_rooks = *rooks;
  }
  if (fields.size() > 3 && fields[3].text != "-") {
    setup.en_passant = parse_square(fields[3].text);
    if (!setup.en_passant) {
      return fail_at(ErrorCode::fen_en_passant, "expected '-' or the en-passant square", fields[3].column);
    }
  }
  if (fields.size() > 4) {
    const auto clock = parse_counter(fields[4], "halfmove clock", max_halfmove_clock);
    if (!clock) return tl::make_unexpected(clock.error());
    setup.halfmove_clock = *clock;
    const auto number = parse_counter(fields[5], "move number", max_move_number);
    if (!number) return tl::make_unexpected(number.error());
    setup.move_number = *number == 0 ? 1 : *number;  // some programs count from 0
  }
  return setup;
}

char placement_letter(Piece p) {
  const char letter = letter_of(kind_of(p));
  return colour_of(p) == Colour::white ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string format_castling(const Position& position) {
  std::string text;
  std::array<Piece, 64> board{};
  for (int i = 0; i < 64; ++i) board[static_cast<std::size_t>(i)] = position.piece_on(static_cast<Square>(i));
  for (const Colour c : {Colour::white, Colour::black}) {
    for (const CastlingSide side : {CastlingSide::king, CastlingSide::queen}) {
      const auto rook = position.castling_rook(c, side);
      if (!rook) continue;
      char letter = side == CastlingSide::king ? 'K' : 'Q';
      if (rook != outermost_rook(board, c, side)) letter = upper(file_letter(file_of(*rook)));
      text += c == Colour::white ? letter : static_cast<char>(letter - 'A' + 'a');
    }
  }
  return text.empty() ? "-" : text;
}

}  // namespace

Expected<Position> parse_fen(std::string_view text) {
  const std::vector<Field> fields = split(text);
  if (fields.size() < 2) {
    return fail_at(ErrorCode::fen_fields, "expected at least two fields: the placement and the side to move",
                   text.size() + 1);
  }
  if (fields.size() == 5) {
    return fail_at(ErrorCode::fen_fields, "the move number is missing after the halfmove clock", text.size() + 1);
  }
  if (fields.size() > field_count) {
    return fail_at(ErrorCode::fen_fields, "more than six fields", fields[field_count].column);
  }
  const auto setup = parse_setup(fields);
  if (!setup) return tl::make_unexpected(setup.error());
  auto position = Position::from(*setup);
  if (!position) {
    Error error = position.error();
    error.place.column = fields[field_of(error.code)].column;
    return tl::make_unexpected(error);
  }
  return position;
}

std::string format_fen(const Position& position) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int gap = 0;
    for (int file = 0; file < 8; ++file) {
      const Piece piece = position.piece_on(make_square(file, rank));
      if (piece == Piece::none) {
        ++gap;
        continue;
      }
      if (gap > 0) text += static_cast<char>('0' + gap);
      gap = 0;
      text += placement_letter(piece);
    }
    if (gap > 0) text += static_cast<char>('0' + gap);
    if (rank > 0) text += '/';
  }
  text += position.side_to_move() == Colour::white ? " w " : " b ";
  text += format_castling(position);
  text += ' ';
  text += position.en_passant() ? format_square(*position.en_passant()) : "-";
  text += ' ' + std::to_string(position.halfmove_clock()) + ' ' + std::to_string(position.move_number());
  return text;
}

}  // namespace pm::chess
