#include "explain/haul.h"

#include <gtest/gtest.h>

namespace pm::explain {
namespace {

using chess::PieceKind;

struct HaulCase {
  const char* name;
  std::vector<PieceKind> taken;
  std::vector<PieceKind> given;
  const char* text;
  int points;
};

class HaulOf : public testing::TestWithParam<HaulCase> {};

TEST_P(HaulOf, men) {
  Haul haul;
  for (const PieceKind kind : GetParam().taken) haul.take(kind);
  for (const PieceKind kind : GetParam().given) haul.give(kind);
  EXPECT_EQ(haul.text(), GetParam().text);
  EXPECT_EQ(haul.points(), GetParam().points);
}

constexpr auto pawn = PieceKind::pawn;
constexpr auto knight = PieceKind::knight;
constexpr auto bishop = PieceKind::bishop;
constexpr auto rook = PieceKind::rook;
constexpr auto queen = PieceKind::queen;

INSTANTIATE_TEST_SUITE_P(
    Cases, HaulOf,
    testing::Values(HaulCase{"one_man", {knight}, {}, "a knight", 3},
                    HaulCase{"the_queen", {queen}, {}, "the queen", 9},
                    HaulCase{"two_pawns", {pawn, pawn}, {}, "two pawns", 2},
                    HaulCase{"the_exchange", {rook}, {bishop}, "the exchange", 2},
                    HaulCase{"the_exchange_and_a_pawn", {rook, pawn}, {knight}, "the exchange and a pawn", 3},
                    HaulCase{"a_trade", {knight}, {bishop}, "", 0},
                    HaulCase{"a_trade_and_more", {queen, pawn}, {queen}, "a pawn", 1},
                    HaulCase{"a_loss", {pawn}, {queen}, "", -8},
                    HaulCase{"much", {rook, knight, pawn, pawn}, {}, "material worth 10 pawns", 10},
                    HaulCase{"nothing", {}, {}, "", 0}),
    [](const testing::TestParamInfo<HaulCase>& info) { return std::string(info.param.name); });

TEST(Haul, counts_promotions) {
  Haul haul;
  haul.promote(queen);
  EXPECT_EQ(haul.text(), "a new queen");
  EXPECT_EQ(haul.points(), 8);
  haul.let_promote(queen);
  EXPECT_EQ(haul.text(), "");
  EXPECT_EQ(haul.points(), 0);
}

}  // namespace
}  // namespace pm::explain
