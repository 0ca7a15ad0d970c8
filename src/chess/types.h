// The small words of chess: colour, piece, square. Values only; every one fits a byte.
//
//   Square e4 = make_square(4, 3);         // file and rank count from 0
//   Piece knight = make_piece(Colour::black, PieceKind::knight);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pm::chess {

enum class Colour : std::uint8_t { white, black };

constexpr Colour operator!(Colour c) { return c == Colour::white ? Colour::black : Colour::white; }
constexpr int index(Colour c) { return static_cast<int>(c); }

enum class PieceKind : std::uint8_t { pawn, knight, bishop, rook, queen, king };

inline constexpr int piece_kinds = 6;
constexpr int index(PieceKind k) { return static_cast<int>(k); }

// A man of either colour, or an empty square.
// The order black pawn, white pawn, black knight, ... is Polyglot's, so that index(piece) addresses its key table.
enum class Piece : std::uint8_t {
  black_pawn,
  white_pawn,
  black_knight,
  white_knight,
  black_bishop,
  white_bishop,
  black_rook,
  white_rook,
  black_queen,
  white_queen,
  black_king,
  white_king,
  none
};

constexpr int index(Piece p) { return static_cast<int>(p); }

constexpr Piece make_piece(Colour c, PieceKind k) {
  return static_cast<Piece>(2 * index(k) + (c == Colour::white ? 1 : 0));
}
// Both need a piece, not Piece::none.
constexpr PieceKind kind_of(Piece p) { return static_cast<PieceKind>(index(p) / 2); }
constexpr Colour colour_of(Piece p) { return (index(p) & 1) != 0 ? Colour::white : Colour::black; }

// a1 = 0, b1 = 1, ... h8 = 63.
enum class Square : std::uint8_t {
  // clang-format off
  a1, b1, c1, d1, e1, f1, g1, h1,
  a2, b2, c2, d2, e2, f2, g2, h2,
  a3, b3, c3, d3, e3, f3, g3, h3,
  a4, b4, c4, d4, e4, f4, g4, h4,
  a5, b5, c5, d5, e5, f5, g5, h5,
  a6, b6, c6, d6, e6, f6, g6, h6,
  a7, b7, c7, d7, e7, f7, g7, h7,
  a8, b8, c8, d8, e8, f8, g8, h8,
  // clang-format on
};

constexpr int index(Square s) { return static_cast<int>(s); }
constexpr int file_of(Square s) { return index(s) & 7; }
constexpr int rank_of(Square s) { return index(s) >> 3; }
constexpr Square make_square(int file, int rank) { return static_cast<Square>(8 * rank + file); }
constexpr Square offset(Square s, int by) { return static_cast<Square>(index(s) + by); }

// Rank counted from a side's own first rank: the pawns of both sides start on rank 1.
constexpr int relative_rank(Colour c, Square s) { return c == Colour::white ? rank_of(s) : 7 - rank_of(s); }
// One step towards the opponent, as a difference of square indices.
constexpr int forward(Colour c) { return c == Colour::white ? 8 : -8; }

enum class CastlingSide : std::uint8_t { king, queen };

constexpr char file_letter(int file) { return static_cast<char>('a' + file); }
constexpr char rank_digit(int rank) { return static_cast<char>('1' + rank); }

inline std::string format_square(Square s) { return {file_letter(file_of(s)), rank_digit(rank_of(s))}; }

constexpr std::optional<Square> parse_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
  return make_square(text[0] - 'a', text[1] - '1');
}

// 'P' for a pawn, 'N' for a knight, ...
constexpr char letter_of(PieceKind k) { return "PNBRQK"[index(k)]; }
// "knight".
constexpr const char* name_of(PieceKind k) {
  constexpr std::array<const char*, piece_kinds> names{"pawn", "knight", "bishop", "rook", "queen", "king"};
  return names[static_cast<std::size_t>(index(k))];
}

namespace detail {

// 1 + the kind for its letter, 0 for everything else. A table: readers of games come here for every move.
consteval std::array<std::uint8_t, 256> make_kinds() {
  std::array<std::uint8_t, 256> kinds{};
  for (int k = 0; k < piece_kinds; ++k) {
    kinds[static_cast<unsigned char>(letter_of(static_cast<PieceKind>(k)))] = static_cast<std::uint8_t>(k + 1);
  }
  return kinds;
}
inline constexpr std::array<std::uint8_t, 256> kinds_by_letter = make_kinds();

}  // namespace detail

constexpr std::optional<PieceKind> parse_kind(char upper) {
  const std::uint8_t found = detail::kinds_by_letter[static_cast<unsigned char>(upper)];
  if (found == 0) return std::nullopt;
  return static_cast<PieceKind>(found - 1);
}

}  // namespace pm::chess
