#include "pgn/main_line.h"

#include <gtest/gtest.h>

#include "chess/san.h"

namespace pm::pgn {
namespace {

std::string moves(const MainLine& line) {
  std::string text;
  chess::Position position = line.start;
  for (const chess::Move m : line.moves) {
    text += chess::format_san(position, m) + " ";
    position.play(m);
  }
  return text;
}

TEST(MainLine, variations_and_comments_are_skipped) {
  MemorySource source(
      "[White \"Andr\xE9\"]\n[Black \"a \\\"b\\\"\"]\n\n1. e4 {x (} (1. d4 {)} (1. zz9) 1-0) 1... e5 $1 2. Nf3! 1-0\n"
      "[White \"w\"]\n\n1. d4 *");
  MainLineReader reader(source);
  const MainLine* game = reader.next();
  ASSERT_NE(game, nullptr);
  EXPECT_EQ(moves(*game), "e4 e5 Nf3 ");
  EXPECT_EQ(game->result, Result::white_wins);
  EXPECT_EQ(game->tags, (std::vector<Tag>{{"White", "André"}, {"Black", "a \"b\""}}));
  EXPECT_TRUE(game->problems.empty());
  game = reader.next();
  ASSERT_NE(game, nullptr);
  EXPECT_EQ(moves(*game), "d4 ");
  EXPECT_EQ(game->tags, (std::vector<Tag>{{"White", "w"}}));
  EXPECT_EQ(game->result, Result::unknown);
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_FALSE(reader.error());
}

TEST(MainLine, problems_are_told_and_the_next_game_is_read) {
  MemorySource source("1. e4 (1. d4 e5 1-0\n[Event \"x\"]\n\n1. d4 Qxd4 1-0\n\n1. c4 *");
  MainLineReader reader(source);
  const MainLine* game = reader.next();
  ASSERT_EQ(game->problems.size(), 1U);
  EXPECT_EQ(game->problems[0].message, "this variation is never closed: expected ')'");
  game = reader.next();
  ASSERT_EQ(game->problems.size(), 1U);
  EXPECT_EQ(game->problems[0].message, "Qxd4 is not a legal move for Black");
  EXPECT_EQ(moves(*game), "d4 ");
  game = reader.next();
  EXPECT_EQ(moves(*game), "c4 ");
  EXPECT_TRUE(game->problems.empty());
}

TEST(MainLine, starts_from_a_fen) {
  MemorySource source("[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 40\"]\n\n40... e1=Q+ 0-1");
  MainLineReader reader(source);
  EXPECT_EQ(moves(*reader.next()), "e1=Q+ ");
}

}  // namespace
}  // namespace pm::pgn
