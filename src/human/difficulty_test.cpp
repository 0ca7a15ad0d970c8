#include "human/difficulty.h"

#include <gtest/gtest.h>

namespace pm::human {
namespace {

TEST(Difficulty, AsksAboutBothEndsAndEvenlyBetween) {
  EXPECT_EQ(sampled_ratings(ratings_from(600, 2600)), (std::vector{600, 1000, 1400, 1800, 2200, 2600}));
  EXPECT_EQ(sampled_ratings(ratings_from(1100, 1900)), (std::vector{1100, 1300, 1400, 1600, 1700, 1900}));
  EXPECT_EQ(sampled_ratings({{1100, 1500, 1900}}), (std::vector{1100, 1500, 1900}));
  EXPECT_EQ(sampled_ratings({{1500}}), std::vector{1500});
}

TEST(Difficulty, IsTheRatingAtWhichHalfFindIt) {
  using Reach = Difficulty::Reach;
  const std::vector<int> ratings{600, 1000, 1400, 1800};
  struct Case {
    const char* what;
    std::vector<double> probabilities;
    Difficulty expected;
  };
  for (const Case& c : std::vector<Case>{
           {"half at a rating asked about", {.1, .3, .5, .7}, {Reach::about, 1400}},
           {"midway between odds of one to three and three to one", {.05, .25, .75, .95}, {Reach::about, 1200}},
           {"everybody finds it", {.6, .7, .8, .9}, {Reach::under, 600}},
           {"few find it", {.01, .02, .05, .3}, {Reach::over, 1800}},
           {"a dip is taken together with what is before it", {.2, .6, .3, .8}, {Reach::about, 1450}},
           {"fewer the stronger they are", {.6, .3, .2, .1}, {Reach::over, 1800}},
           {"certainty is no trouble", {0, 0, 1, 1}, {Reach::about, 1200}}}) {
    EXPECT_EQ(difficulty_of(ratings, c.probabilities), c.expected)
        << c.what << ": " << difficulty_text(difficulty_of(ratings, c.probabilities));
  }
  EXPECT_EQ(difficulty_text({Reach::about, 1850}), "about 1850");
  EXPECT_EQ(difficulty_text({Reach::over, 2600}), "over 2600");
  EXPECT_EQ(difficulty_text({Reach::under, 600}), "under 600");
}

}  // namespace
}  // namespace pm::human
