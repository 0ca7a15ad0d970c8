#include "book/polyglot.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chess/fen.h"
#include "chess/san.h"

namespace pm::book {
namespace {

using chess::Position;

std::string entry(const Position& position, std::uint16_t move) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(position.key() >> shift);
  bytes += static_cast<char>(move >> 8);
  bytes += static_cast<char>(move);
  return bytes + std::string{0, 1, 0, 0, 0, 0};
}

TEST(Polyglot, knows_the_moves_of_a_position) {
  const Position start = Position::start();
  const auto book = PolyglotBook::parse(entry(start, 0x031c), "book");  // e2e4: to e4 = 034, from e2 = 014, in octal
  ASSERT_TRUE(book);
  EXPECT_EQ(book->size(), 1U);
  EXPECT_TRUE(book->has_move(start, chess::parse_san(start, "e4").value()));
  EXPECT_FALSE(book->has_move(start, chess::parse_san(start, "d4").value()));
  const Position next = start.after(chess::parse_san(start, "e4").value());
  EXPECT_FALSE(book->has_move(next, chess::parse_san(next, "e5").value()));
  EXPECT_TRUE(book->has_position(start));
  EXPECT_FALSE(book->has_position(next));
}

TEST(Polyglot, castling_is_king_takes_rook_and_promotions_name_their_piece) {
  const Position castling = chess::parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").value();
  const Position promotion = chess::parse_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").value();
  std::vector<std::string> entries{entry(castling, (04U << 6U) | 07U),                    // e1h1
                                   entry(promotion, (4U << 12U) | (060U << 6U) | 070U)};  // a7a8q
  std::sort(entries.begin(), entries.end());
  const auto book = PolyglotBook::parse(entries[0] + entries[1], "book");
  ASSERT_TRUE(book);
  EXPECT_TRUE(book->has_move(castling, chess::parse_san(castling, "O-O").value()));
  EXPECT_TRUE(book->has_move(promotion, chess::parse_san(promotion, "a8=Q").value()));
  EXPECT_FALSE(book->has_move(promotion, chess::parse_san(promotion, "a8=N").value()));
}

TEST(Polyglot, what_is_no_book_is_refused) {
  EXPECT_EQ(PolyglotBook::parse("short", "x.bin").error().code, ErrorCode::file_damaged);
  EXPECT_EQ(PolyglotBook::parse("", "x.bin").error().code, ErrorCode::file_damaged);
  const std::string unsorted = std::string(16, '\x7f') + std::string(16, '\x01');
  EXPECT_EQ(PolyglotBook::parse(unsorted, "x.bin").error().sentence,
            "x.bin is not a Polyglot book: entry 2 is out of order");
  EXPECT_EQ(PolyglotBook::open("no/such/book.bin").error().code, ErrorCode::file_open);
}

}  // namespace
}  // namespace pm::book
