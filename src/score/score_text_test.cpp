#include "score/score_text.h"

#include <gtest/gtest.h>

namespace pm::score {
namespace {

TEST(ScoreText, writes_scores_for_programs_and_reads_them_back) {
  struct Case {
    WhiteScore score;
    const char* text;
  };
  const Case cases[] = {{WhiteScore(Centipawns{31}), "31"},
                        {WhiteScore(Centipawns{-5}), "-5"},
                        {WhiteScore(Mate{3, true}), "#3"},
                        {WhiteScore(Mate{3, false}), "#-3"}};
  for (const auto& [score, text] : cases) {
    EXPECT_EQ(format_score(score), text);
    EXPECT_EQ(parse_score(text), score);
  }
  for (const char* wrong : {"", "#", "#0", "3.1", "#x", "31 ", "#-2147483648", "2147483647"})
    EXPECT_FALSE(parse_score(wrong)) << wrong;
  EXPECT_EQ(format_score(WhiteScore(Mate{0, false})), "#-0");
}

TEST(ScoreText, writes_scores_for_people) {
  EXPECT_EQ(pawns_text(Centipawns{0}), "0.00");
  EXPECT_EQ(pawns_text(Centipawns{120}), "+1.20");
  EXPECT_EQ(pawns_text(Mate{2, false}), "#-2");
  EXPECT_EQ(pawns_text(Mate{0, false}), "mate");
  EXPECT_EQ(pawns_text(Mate{0, true}), "mate");
  EXPECT_EQ(score_in_words(MoverScore(Centipawns{-92})), "-0.92");
  EXPECT_EQ(score_in_words(MoverScore(Mate{3, true})), "mate in 3");
  EXPECT_EQ(score_in_words(MoverScore(Mate{2, false})), "being mated in 2");
  EXPECT_EQ(score_in_words(MoverScore(Mate{0, true})), "checkmate");
}

}  // namespace
}  // namespace pm::score
