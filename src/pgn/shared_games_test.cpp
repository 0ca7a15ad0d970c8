// Three thousand real games: every one is read without a problem, written, and read back the same.
#include <gtest/gtest.h>

#include "base/shared_data.h"
#include "pgn/main_line.h"
#include "pgn/reader.h"
#include "pgn/writer.h"

namespace pm::pgn {
namespace {

constexpr const char* games_file = "games/lichess-3000.pgn.zst";

TEST(SharedGames, round_trip) {
  const auto path = shared_data(games_file);
  if (!path) GTEST_SKIP() << no_shared_data;
  const auto source = open_source(*path);
  ASSERT_TRUE(source);
  GameReader reader(**source);
  std::size_t games = 0;
  std::size_t evals = 0;
  std::size_t clocks = 0;
  while (const auto read = reader.next()) {
    ++games;
    ASSERT_TRUE(read->problems.empty()) << games << ": " << read->problems[0].message;
    const std::string written = write_game(read->game);
    MemorySource back(written);
    GameReader again(back);
    const auto second = again.next();
    ASSERT_TRUE(second);
    ASSERT_TRUE(same_tree(read->game, second->game)) << written;
    for (const Tag& tag : read->game.tags) ASSERT_EQ(*second->game.find_tag(tag.name), tag.value);
    for (NodeId n = read->game.main_move(Game::root); n != Game::none; n = read->game.main_move(n)) {
      for (const Comment& c : read->game.node(n).after) {
        evals += find_eval(c) ? 1 : 0;
        clocks += find_clock(c) ? 1 : 0;
      }
    }
  }
  EXPECT_FALSE(reader.error());
  EXPECT_EQ(games, 3000U);
  EXPECT_EQ(evals, 227678U);   // as many as the file has [%eval
  EXPECT_EQ(clocks, 226939U);  // and [%clk
}

TEST(SharedGames, the_fast_path_sees_the_same_main_lines) {
  const auto path = shared_data(games_file);
  if (!path) GTEST_SKIP() << no_shared_data;
  const auto slow_source = open_source(*path);
  const auto fast_source = open_source(*path);
  GameReader slow(**slow_source);
  MainLineReader fast(**fast_source);
  while (const auto read = slow.next()) {
    const MainLine* line = fast.next();
    ASSERT_NE(line, nullptr);
    ASSERT_EQ(line->tags, read->game.tags);
    ASSERT_EQ(line->result, read->game.result);
    std::size_t ply = 0;
    for (NodeId n = read->game.main_move(Game::root); n != Game::none; n = read->game.main_move(n)) {
      ASSERT_LT(ply, line->moves.size());
      ASSERT_EQ(line->moves[ply++], read->game.node(n).move);
    }
    ASSERT_EQ(ply, line->moves.size());
  }
  EXPECT_EQ(fast.next(), nullptr);
}

}  // namespace
}  // namespace pm::pgn
