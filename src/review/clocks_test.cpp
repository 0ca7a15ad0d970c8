#include "review/clocks.h"

#include <gtest/gtest.h>

#include "review/game_review.h"
#include "review/pgn_evals.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

using namespace std::chrono_literals;

TEST(Clocks, time_controls_are_read_from_the_tag) {
  const auto control = [](const std::string& tag) {
    return time_control(read_game("[TimeControl \"" + tag + "\"]\n\n*\n"));
  };
  EXPECT_EQ(control("300+3")->base, 300s);
  EXPECT_EQ(control("300+3")->increment, 3s);
  EXPECT_EQ(control("600")->base, 600s);
  EXPECT_EQ(control("40/7200:20/3600")->base, 7200s);
  EXPECT_EQ(control("0.5+0")->base, 500ms);
  for (const char* none : {"-", "?", "", "x+1", "1+x", "-5", "1e99", "nan"}) EXPECT_FALSE(control(none)) << none;
}

const char* const clocked =
    "[TimeControl \"180+2\"]\n\n"
    "1. f3 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. a3 { [%clk 0:02:58] } Nc6 { [%clk 0:00:25] } "
    "3. g4 { [%clk 0:02:59] [%eval #-1] } Qh4# { [%clk 0:00:20] } 0-1\n";

TEST(Clocks, time_spent_counts_the_increment_and_leaves_first_moves_out) {
  const pgn::Game game = read_game(clocked);
  const auto times = move_times(game, evidence_of(game, nullptr));
  ASSERT_EQ(times.size(), 6U);
  EXPECT_FALSE(times[0].spent);
  EXPECT_FALSE(times[1].spent);
  EXPECT_EQ(times[2].spent, 4s);
  EXPECT_EQ(times[4].spent, 1s);
  EXPECT_EQ(times[5].spent, 7s);
  EXPECT_FALSE(times[3].trouble);  // it began with three minutes
  EXPECT_TRUE(times[5].trouble);
}

TEST(Clocks, a_clock_that_goes_backwards_spends_nothing) {
  const pgn::Game game = read_game("1. a3 { [%clk 0:01:00] } a6 2. b3 { [%clk 0:05:00] } *\n");
  EXPECT_EQ(move_times(game, evidence_of(game, nullptr))[2].spent, 0s);
}

TEST(Clocks, an_error_played_at_once_says_so) {
  const pgn::Game game = read_game(clocked);
  Evidence evidence = evidence_of_comments(game);
  for (engine::Evaluation& each : evidence.positions) {
    if (!each.known()) each.lines = {{score::WhiteScore(score::Centipawns{0}), 0, {}}};
  }
  const GameReview review = assemble(game, evidence, {});
  const std::string& text = review.plies[4].explanation.text;
  EXPECT_NE(text.find("Played in 1 second."), std::string::npos) << text;
  EXPECT_EQ(review.plies[2].explanation.text, "");
  const TimeFigures& black = review.time_of(chess::Colour::black);
  EXPECT_EQ(black.moves_in_trouble, 1);
  EXPECT_EQ(black.errors_in_trouble, 0);
  EXPECT_EQ(black.game().moves, 2);
}

TEST(Clocks, short_of_time_is_said_rather_than_how_fast) {
  EXPECT_EQ(time_sentence({5s, 1s, true}, std::nullopt), "Played with 5 seconds left.");
  EXPECT_EQ(time_sentence({65s, 1s, true}, TimeControl{900s, 0s}), "Played with 1:05 left.");
  EXPECT_EQ(time_sentence({200s, 200ms, false}, TimeControl{300s, 0s}), "Played in 1 second.");
  EXPECT_EQ(time_sentence({20s, 1s, true}, TimeControl{60s, 0s}), "");
  EXPECT_EQ(time_sentence({}, TimeControl{60s, 0s}), "");
}

}  // namespace
}  // namespace pm::review
