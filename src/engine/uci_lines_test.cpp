#include "engine/uci_lines.h"

#include <gtest/gtest.h>

namespace pm::engine {
namespace {

TEST(UciLines, a_full_info_line) {
  const auto info = parse_info(
      "info depth 18 seldepth 26 multipv 2 score cp -31 lowerbound wdl 100 800 100 nodes 123456789012 nps 5 hashfull 3 "
      "tbhits 0 time 99 pv e2e4 e7e5");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->depth, 18);
  EXPECT_EQ(info->multipv, 2);
  EXPECT_FALSE(info->is_mate);
  EXPECT_EQ(info->score, -31);
  EXPECT_EQ(info->bound, InfoLine::Bound::lower);
  EXPECT_EQ(info->nodes, 123456789012U);
  EXPECT_EQ(info->wdl, (std::array{100, 800, 100}));
  EXPECT_EQ(info->pv, (std::vector<std::string>{"e2e4", "e7e5"}));
}

TEST(UciLines, mates) {
  EXPECT_TRUE(parse_info("info depth 5 score mate -3 pv e2e4")->is_mate);
  EXPECT_EQ(parse_info("info depth 5 score mate -3 pv e2e4")->score, -3);
}

TEST(UciLines, what_is_no_score_is_passed_over) {
  for (const char* line :
       {"", "info", "info depth 5 currmove e2e4 currmovenumber 1", "info string score cp 5", "bestmove e2e4",
        "info depth x score cp 5", "info depth 5 score cp", "info depth 5 score cp 99999999999999",
        "info score pawns 3", "info depth 5 multipv 0 score cp 1", "info score cp 1 wdl 1 2",
        "info depth -3 score cp 1", "\x01\xff"}) {
    EXPECT_FALSE(parse_info(line)) << line;
  }
}

TEST(UciLines, a_variation_is_bounded) {
  std::string line = "info depth 1 score cp 1 pv";
  for (int i = 0; i < 20'000; ++i) line += " e2e4";
  EXPECT_EQ(parse_info(line)->pv.size(), 1'000U);
}

TEST(UciLines, option_names_may_have_spaces) {
  EXPECT_EQ(parse_option_name("option name Skill Level type spin default 20 min 0 max 20"), "Skill Level");
  EXPECT_EQ(parse_option_name("option name Clear Hash type button"), "Clear Hash");
  EXPECT_EQ(parse_option_name("id name X"), std::nullopt);
}

}  // namespace
}  // namespace pm::engine
