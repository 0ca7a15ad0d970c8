#include "chess/position_history.h"

#include <gtest/gtest.h>

#include "chess/test_long_games.h"

namespace pm::chess {
namespace {

// The key says everything a model sees; how often a position has occurred is told beside it.
void expect_same(const PositionHistory& a, const PositionHistory& b, std::size_t ply) {
  ASSERT_EQ(a.size(), b.size()) << ply;
  ASSERT_EQ(a.key(), b.key()) << ply;
  ASSERT_EQ(a.occurrences(), b.occurrences()) << ply;
}

TEST(PositionHistory, from_the_positions_of_a_game_is_as_if_it_had_been_played) {
  for (const GameState& game : {long_random_game(1'000, 3), knights_shuffle(1'000)}) {
    ASSERT_EQ(game.moves.size(), 1'000U);
    std::vector<Position> positions{game.start};
    PositionHistory played(game.start);
    expect_same(PositionHistory::at_end_of(positions), played, 0);
    for (const Move m : game.moves) {
      played.play(m);
      positions.push_back(positions.back().after(m));
      expect_same(PositionHistory::at_end_of(positions), played, positions.size() - 1);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(PositionHistory, is_no_longer_after_a_long_game_than_after_a_short_one) {
  const PositionHistory short_one(knights_shuffle(400));
  const PositionHistory long_one(knights_shuffle(40'000));
  EXPECT_EQ(short_one.occurrences(), static_cast<int>(PositionHistory::most_remembered / 4));
  EXPECT_EQ(long_one.occurrences(), short_one.occurrences());
  EXPECT_TRUE(long_one.repeated(PositionHistory::boards - 1));
}

}  // namespace
}  // namespace pm::chess
