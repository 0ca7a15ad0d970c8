#include "human/played_like.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pm::human {
namespace {

// Moves that people of `rating` are likeliest to play, the less the further away they are.
Likelihood moves_like(double rating, int moves, double sharpness = 1) {
  Likelihood likelihood({600, 1000, 1400, 1800, 2200, 2600});
  for (int i = 0; i < moves; ++i) {
    std::vector<double> probabilities;
    for (const int each : likelihood.ratings()) {
      const double away = (each - rating) / 1000;
      probabilities.push_back(0.4 * std::exp(-sharpness * away * away));
    }
    likelihood.add(probabilities);
  }
  return likelihood;
}

TEST(PlayedLike, IsTheRatingThatMakesTheMovesLikeliest) {
  for (const int rating : {1000, 1430, 1777, 2200}) {
    const auto like = played_like(moves_like(rating, 30), "some model");
    ASSERT_TRUE(like);
    EXPECT_NEAR(like->rating, rating, 15);
    EXPECT_LT(like->low, like->rating);
    EXPECT_GT(like->high, like->rating);
    EXPECT_EQ(like->moves, 30);
  }
}

TEST(PlayedLike, IsSaidOnlyFromTwentyFiveMovesOn) {
  EXPECT_FALSE(played_like(moves_like(1500, 24), "some model"));
  EXPECT_TRUE(played_like(moves_like(1500, 25), "some model"));
}

TEST(PlayedLike, IsNarrowerWithMoreAndTellingMoves) {
  const auto width = [](const std::optional<PlayedLike>& like) { return like->high - like->low; };
  EXPECT_LT(width(played_like(moves_like(1500, 100), "m")), width(played_like(moves_like(1500, 30), "m")));
  EXPECT_LT(width(played_like(moves_like(1500, 30, 4), "m")), width(played_like(moves_like(1500, 30), "m")));
}

TEST(PlayedLike, StaysWithinTheRatingsAskedAbout) {
  const auto low = played_like(moves_like(100, 30), "m");
  const auto high = played_like(moves_like(4000, 30), "m");
  ASSERT_TRUE(low && high);
  EXPECT_EQ(low->rating, 600);
  EXPECT_EQ(low->low, 600);
  EXPECT_EQ(high->rating, 2600);
  EXPECT_EQ(high->high, 2600);
}

TEST(PlayedLike, SaysNothingWhereRatingsCannotBeToldApart) {
  Likelihood two({1100, 1900});
  for (int i = 0; i < 30; ++i) two.add(std::vector{.3, .4});
  EXPECT_FALSE(played_like(two, "m"));
}

TEST(PlayedLike, IsNotThrownByAMoveThatNobodyPlays) {
  Likelihood likelihood = moves_like(1500, 60);
  likelihood.add(std::vector<double>{0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(played_like(likelihood, "m")->rating, 1500, 15);
}

}  // namespace
}  // namespace pm::human
