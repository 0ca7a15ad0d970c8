#include "motif/exchange.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::motif {
namespace {

struct Case {
  const char* name;
  const char* fen;
  const char* move;
  int gain;
};

class Exchange : public testing::TestWithParam<Case> {};

TEST_P(Exchange, gains) {
  const chess::Position position = chess::parse_fen(GetParam().fen).value();
  EXPECT_EQ(exchange_gain(position, chess::parse_uci(position, GetParam().move).value()), GetParam().gain);
}

const Case cases[] = {
    {"a_loose_knight", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", 3},
    {"a_guarded_knight_by_a_rook", "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", -2},
    {"a_guarded_knight_by_rook_and_bishop", "4k3/8/4p3/3n4/8/5B2/8/3RK3 w - - 0 1", "f3d5", 1},
    {"with_a_battery", "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1},
    {"the_king_may_not_take_back", "8/8/3k4/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 3},
    {"the_king_takes_back", "8/8/3k4/3n4/8/8/3R4/4K3 w - - 0 1", "d2d5", -2},
    {"a_promotion", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", 8},
    {"a_promotion_that_is_taken", "1r6/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", -1},
    {"moving_where_a_pawn_takes", "4k3/2p5/8/8/8/1N6/8/4K3 w - - 0 1", "b3c5", 0},
    {"moving_next_to_a_pawn_that_takes", "4k3/2p5/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", 0},
    {"offering_a_queen", "4k3/2p5/8/8/3Q4/8/8/4K3 w - - 0 1", "d4d6", -9},
};
INSTANTIATE_TEST_SUITE_P(Cases, Exchange, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

TEST(BestExchange, is_the_capture_that_gains_most) {
  EXPECT_EQ(best_exchange(chess::parse_fen("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1").value()), std::nullopt);
  const auto best = best_exchange(chess::parse_fen("4k3/8/8/3n3p/8/8/8/3RK2R w - - 0 1").value());
  EXPECT_EQ(best, chess::Move::plain(chess::Square::d1, chess::Square::d5));
}

}  // namespace
}  // namespace pm::motif
