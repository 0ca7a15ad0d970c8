#include "verdict/lichess.h"

#include <gtest/gtest.h>

#include "verdict/test_scores.h"

namespace pm::verdict {
namespace {

using chess::Colour;

// The same two numbers lose 60 when both are the side to move's, and 20 when both are White's.
TEST(Acpl, the_example_of_40_and_20_in_the_form_of_the_side_to_move) {
  EXPECT_EQ(centipawn_loss(cp(40), cp(-20)), 60);
  EXPECT_EQ(judge_centipawn_loss(60), Judgement::inaccuracy);
}

TEST(Acpl, the_example_of_40_and_20_in_whites_form) {
  const auto white = [](int value) { return WhiteScore(Centipawns{value}).seen_by(Colour::white); };
  EXPECT_EQ(centipawn_loss(white(40), white(20)), 20);
  EXPECT_EQ(judge_centipawn_loss(20), std::nullopt);
}

TEST(Acpl, bounds_of_the_counts) {
  EXPECT_EQ(judge_centipawn_loss(49), std::nullopt);
  EXPECT_EQ(judge_centipawn_loss(50), Judgement::inaccuracy);
  EXPECT_EQ(judge_centipawn_loss(99), Judgement::inaccuracy);
  EXPECT_EQ(judge_centipawn_loss(100), Judgement::mistake);
  EXPECT_EQ(judge_centipawn_loss(199), Judgement::mistake);
  EXPECT_EQ(judge_centipawn_loss(200), Judgement::blunder);
}

TEST(Acpl, scores_are_clamped_and_mates_count_as_a_thousand) {
  EXPECT_EQ(centipawn_loss(cp(3000), cp(1200)), 0);
  EXPECT_EQ(centipawn_loss(mate(3), cp(900)), 100);
  EXPECT_EQ(centipawn_loss(mate(1), mate(-1)), 2000);
  EXPECT_EQ(centipawn_loss(cp(-20), cp(50)), 0);
  EXPECT_EQ(centipawn_loss(WhiteScore(Mate{1, false}).seen_by(Colour::black), cp(0)), 1000);
}

TEST(Lichess, judgements) {
  struct Case {
    MoverScore before;
    MoverScore after;
    std::optional<Judgement> judgement;
  };
  const std::vector<Case> cases{
      {cp(0), cp(-54), std::nullopt},
      {cp(0), cp(-55), Judgement::inaccuracy},
      {cp(0), cp(-110), Judgement::inaccuracy},
      {cp(0), cp(-111), Judgement::mistake},
      {cp(0), cp(-168), Judgement::mistake},
      {cp(0), cp(-169), Judgement::blunder},
      {cp(2000), cp(1200), std::nullopt},  // not clamped, but flat out there
      {cp(-1000), mate(-3), Judgement::inaccuracy},
      {cp(-999), mate(-3), Judgement::mistake},
      {cp(-701), mate(-3), Judgement::mistake},
      {cp(-700), mate(-3), Judgement::blunder},
      {mate(3), cp(1000), Judgement::inaccuracy},
      {mate(3), cp(999), Judgement::mistake},
      {mate(3), cp(701), Judgement::mistake},
      {mate(3), cp(700), Judgement::blunder},
      {mate(3), mate(-2), Judgement::blunder},
      {mate(6), mate(7), std::nullopt},
      {mate(-3), mate(-1), std::nullopt},
      {mate(-3), cp(0), std::nullopt},
      {cp(100), mate(5), std::nullopt},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(lichess_judgement(cases[i].before, cases[i].after), cases[i].judgement) << "row " << i;
  }
}

TEST(Lichess, win_percent_and_move_accuracy) {
  EXPECT_NEAR(win_rate(Centipawns{100}, score::lichess_slope).percent(), 59.1, .05);
  EXPECT_NEAR(lichess_move_accuracy(cp(0), cp(-500)), 19.07, .01);
  EXPECT_EQ(lichess_move_accuracy(cp(0), cp(10)), 100);
  EXPECT_EQ(lichess_move_accuracy(mate(2), cp(2000)), 100);  // both count as 1000
}

TEST(Lichess, no_moves_have_no_accuracy) {
  EXPECT_EQ(lichess_accuracy({}), std::nullopt);
  EXPECT_TRUE(lichess_weights({}).empty());
}

TEST(Lichess, accuracy_is_the_mean_of_a_weighted_and_a_harmonic_mean) {
  const std::vector<WeighedAccuracy> moves{{100, 1}, {50, 3}};
  EXPECT_NEAR(*lichess_accuracy(moves), ((250.0 / 4) + (2 / (.01 + .02))) / 2, 1e-9);
  const std::vector<WeighedAccuracy> zero{{0, 1}};  // floored at 1 in the harmonic mean
  EXPECT_NEAR(*lichess_accuracy(zero), .5, 1e-9);
}

TEST(Lichess, one_weight_per_ply_between_a_half_and_twelve) {
  std::vector<PlyScore> plies;
  for (int n = 1; n <= 100; ++n) {
    const WhiteScore before = plies.empty() ? WhiteScore(start_score) : plies.back().after;
    plies.push_back({n % 2 == 1 ? Colour::white : Colour::black, before, WhiteScore(Centipawns{(n % 3) * 900})});
    const auto weights = lichess_weights(plies);
    ASSERT_EQ(weights.size(), plies.size());
    for (const double w : weights) EXPECT_TRUE(w >= .5 && w <= 12);
  }
}

}  // namespace
}  // namespace pm::verdict
