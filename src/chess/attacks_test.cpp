#include "chess/attacks.h"

#include <gtest/gtest.h>

#include <random>

#include "chess/magics.h"
#include "chess/rays.h"

namespace pm::chess {
namespace {

TEST(Attacks, sliders_match_walking_the_rays) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2'000; ++round) {
    const Bitboard half(random());
    const Bitboard occupied = half & Bitboard(random());  // a quarter of the squares
    for (int i = 0; i < 64; ++i) {
      const auto s = static_cast<Square>(i);
      ASSERT_EQ(rook_attacks(s, occupied), rays(s, rook_directions, occupied));
      ASSERT_EQ(bishop_attacks(s, occupied), rays(s, bishop_directions, occupied));
      ASSERT_EQ(queen_attacks(s, occupied), rook_attacks(s, occupied) | bishop_attacks(s, occupied));
    }
  }
}

// Also on machines that use PEXT, where nothing else reads the multipliers.
TEST(Attacks, magic_multipliers_map_without_collision) {
  struct Slider {
    const std::array<Direction, 4>& directions;
    const std::array<std::uint64_t, 64>& magics;
  };
  for (const auto& [directions, magics] :
       {Slider{rook_directions, rook_magics}, Slider{bishop_directions, bishop_magics}}) {
    for (int i = 0; i < 64; ++i) {
      const auto s = static_cast<Square>(i);
      const Bitboard mask = blocker_mask(s, directions);
      std::vector<Bitboard> table(std::size_t{1} << mask.count());
      Bitboard blockers;
      do {
        Bitboard& entry = table[(blockers.bits() * magics[detail::at(s)]) >> (64 - mask.count())];
        const Bitboard reached = rays(s, directions, blockers);
        ASSERT_TRUE(entry.empty() || entry == reached);
        entry = reached;
        blockers = next_subset(blockers, mask);
      } while (blockers);
    }
  }
}

TEST(Attacks, leapers) {
  EXPECT_EQ(knight_attacks(Square::a1), Bitboard(Square::b3) | Bitboard(Square::c2));
  EXPECT_EQ(knight_attacks(Square::e5).count(), 8);
  EXPECT_EQ(king_attacks(Square::h8), Bitboard(Square::g8) | Bitboard(Square::g7) | Bitboard(Square::h7));
  EXPECT_EQ(pawn_attacks(Colour::white, Square::a2), Bitboard(Square::b3));
  EXPECT_EQ(pawn_attacks(Colour::black, Square::e5), Bitboard(Square::d4) | Bitboard(Square::f4));
}

TEST(Attacks, lines) {
  EXPECT_EQ(between(Square::a1, Square::d4), Bitboard(Square::b2) | Bitboard(Square::c3));
  EXPECT_EQ(between(Square::a1, Square::b3), Bitboard());
  EXPECT_EQ(between(Square::e4, Square::e5), Bitboard());
  EXPECT_EQ(line_through(Square::c3, Square::c6), file_bits(2));
  EXPECT_EQ(line_through(Square::c3, Square::d5), Bitboard());
  EXPECT_TRUE(line_through(Square::b2, Square::d4).has(Square::h8));
}

TEST(Bitboard, iterates_from_a1_to_h8) {
  const Bitboard set = Bitboard(Square::h8) | Bitboard(Square::a1) | Bitboard(Square::e4);
  std::string squares;
  for (const Square s : set) squares += format_square(s) + " ";
  EXPECT_EQ(squares, "a1 e4 h8 ");
  EXPECT_EQ(set.first(), Square::a1);
  EXPECT_TRUE(set.many());
  EXPECT_FALSE(Bitboard(Square::c3).many());
}

}  // namespace
}  // namespace pm::chess
