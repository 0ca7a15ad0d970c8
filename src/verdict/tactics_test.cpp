#include "verdict/tactics.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::verdict {
namespace {

using chess::Bitboard;
using chess::Colour;
using chess::Position;
using chess::Square;

Position at(const char* fen) { return chess::parse_fen(fen).value(); }

TEST(Attackers, pinned_pieces_do_not_count) {
  const Position p = at("4k3/8/8/3n4/8/4N3/8/K3R3 b - - 0 1");
  EXPECT_EQ(direct_attackers(p, Square::e3, Colour::black), Bitboard(Square::d5));
  const Position pinned = at("4k3/4n3/8/5N2/8/8/8/K3R3 b - - 0 1");
  EXPECT_EQ(direct_attackers(pinned, Square::f5, Colour::black), Bitboard());
}

TEST(Attackers, a_side_in_check_has_only_its_evasions) {
  const Position p = at("4k3/8/8/1B1n4/8/4N3/8/K7 b - - 0 1");  // the bishop gives check
  EXPECT_EQ(direct_attackers(p, Square::e3, Colour::black), Bitboard());
}

TEST(Attackers, an_adjacent_king_counts_even_when_it_may_not_capture) {
  const Position p = at("8/8/8/3kN3/8/6B1/8/K7 w - - 0 1");
  EXPECT_EQ(direct_attackers(p, Square::e5, Colour::black), Bitboard(Square::d5));
}

TEST(Attackers, x_rays_stand_in_line) {
  const Position p = at("7k/8/2n5/4p3/3PP3/5N2/1Q6/7K b - - 0 1");
  EXPECT_EQ(direct_attackers(p, Square::e5, Colour::white), Bitboard(Square::d4) | Bitboard(Square::f3));
  EXPECT_EQ(xray_attackers(p, Square::e5, Colour::white).count(), 3);
  EXPECT_EQ(xray_defenders(at("7k/6b1/2n2q2/4p3/3PP3/5N2/1Q6/7K b - - 0 1"), Square::e5).count(), 3);
}

TEST(Attackers, en_passant_is_a_capture) {
  const Position p = at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
  EXPECT_EQ(direct_attackers(p, Square::d5, Colour::white), Bitboard(Square::e5));
  EXPECT_FALSE(is_safe(p, Square::d5));
}

TEST(Safe, each_rule) {
  EXPECT_TRUE(is_safe(at("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"), Square::e4));       // nobody attacks
  EXPECT_FALSE(is_safe(at("4k3/8/8/3p4/4N3/3P4/8/4K3 b - - 0 1"), Square::e4));  // a pawn attacks
  EXPECT_TRUE(is_safe(at("4k3/8/3n4/8/4N3/3P4/8/4K3 b - - 0 1"), Square::e4));   // as many defenders
  EXPECT_FALSE(is_safe(at("4k3/8/3n4/8/4N3/8/8/K7 b - - 0 1"), Square::e4));     // no defender
  const Position rook_for_knight = at("4k3/8/2n5/4R3/3P4/8/8/4K3 b - - 0 1");
  EXPECT_FALSE(is_safe(rook_for_knight, Square::e5));
  EXPECT_TRUE(is_safe(rook_for_knight, Square::e5, JustCaptured{3}));
}

TEST(Trapped, needs_no_way_out) {
  EXPECT_TRUE(is_trapped(at("Nn1k1b1r/p3pppp/1pb2n2/8/3P4/7P/PP1K1PP1/R1B2B1R w - - 0 13"), Square::a8));
  EXPECT_TRUE(is_trapped(at("B6r/p2k2b1/nppn2pp/8/3P4/2N5/PPP2PPP/R1B1R1K1 w - - 0 21"), Square::a8));
  EXPECT_FALSE(is_trapped(at("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1"), Square::e4));
}

TEST(Sacrifice, natural_recaptures_and_promotions_are_none) {
  const Position recapture = at("4k3/8/2p5/3n4/8/4N3/8/4K3 w - - 0 1");
  EXPECT_FALSE(find_sacrifice(recapture, chess::parse_uci(recapture, "e3d5").value()));
  const Position promotion = at("3r2k1/P7/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_FALSE(find_sacrifice(promotion, chess::parse_uci(promotion, "a7a8q").value()));
}

}  // namespace
}  // namespace pm::verdict
