#include "review/story.h"

#include <gtest/gtest.h>

#include "pgn/reader.h"
#include "review/pgn_evals.h"

namespace pm::review {
namespace {

struct Told {
  std::string story;
  std::vector<std::string> titles;
};

Told tell(const std::string& pgn) {
  pgn::MemorySource source(pgn);
  pgn::GameReader reader(source);
  const pgn::Game game = reader.next()->game;
  const GameReview review = assemble(game, evidence_of_comments(game), {});
  Told told{story(review), {}};
  for (const KeyMoment& each : key_moments(review)) told.titles.push_back(each.title);
  return told;
}

TEST(Story, names_the_worst_errors_and_the_end) {
  const Told told = tell("1. f3 { [%eval -0.8] } e5 { [%eval -0.7] } 2. g4 { [%eval #-1] } Qh4# 0-1\n");
  EXPECT_EQ(told.story, "White allowed mate in 1 on move 2. Black won by checkmate.");
  EXPECT_EQ(told.titles, std::vector<std::string>{"2. g4?? allows mate in 1"});
}

TEST(Story, says_who_came_out_of_the_opening_better) {
  const std::string opening =
      "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.3] } Nc6 { [%eval 0.3] } 3. Bb5 { [%eval 0.3] } a6 "
      "{ [%eval 0.3] } 4. Ba4 { [%eval 0.3] } Nf6 { [%eval 0.3] } 5. O-O { [%eval 0.3] } Be7 { [%eval ";
  EXPECT_EQ(tell(opening + "0.3] } 1/2-1/2\n").story, "The opening was even. The game was drawn.");
  EXPECT_EQ(tell(opening + "1.5] } *\n").story.substr(0, 37), "White came out of the opening better.");
}

TEST(Story, of_a_game_without_moves_is_empty) {
  const Told told = tell("*\n");
  EXPECT_EQ(told.story, "");
  EXPECT_TRUE(told.titles.empty());
}

TEST(Story, has_six_key_moments_at_the_most) {
  std::string moves = "[SetUp \"1\"]\n[FEN \"4k1n1/p7/8/8/8/8/P7/4K1N1 w - - 0 1\"]\n\n";
  const char* const shuffle[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
  for (int i = 0; i < 14; ++i) {
    moves += std::string(shuffle[i % 4]) + (i % 2 == 0 ? " { [%eval -3.0] } " : " { [%eval 3.0] } ");
  }
  const Told told = tell(moves + "*\n");
  EXPECT_EQ(told.titles.size(), 6U);
}

}  // namespace
}  // namespace pm::review
