#include "expect/worth.h"

#include <gtest/gtest.h>

namespace pm::expect {
namespace {

using chess::Colour;
using engine::Valuation;

Valuation centipawns(int white) { return {score::WhiteScore(score::Centipawns{white}), {}}; }

double people(int white, Colour player, int rating, int opponent_rating) {
  return Worth(WinRateMap::people, player, rating - opponent_rating)(centipawns(white)).value();
}

TEST(Worth, OfEqualsInAnEqualPositionIsHalf) {
  EXPECT_EQ(people(0, Colour::white, 1500, 1500), .5);
  EXPECT_EQ(Worth(WinRateMap::logistic, Colour::black)(centipawns(0)).value(), .5);
}

TEST(Worth, GrowsWithTheScoreAndWithTheLeadInRating) {
  EXPECT_GT(people(100, Colour::white, 1500, 1500), people(50, Colour::white, 1500, 1500));
  EXPECT_GT(people(100, Colour::white, 1600, 1500), people(100, Colour::white, 1500, 1500));
  EXPECT_LT(people(100, Colour::black, 1500, 1500), .5);
}

TEST(Worth, OfBothSidesAddsUpToOne) {
  for (const int cp : {-700, -31, 0, 250}) {
    EXPECT_NEAR(people(cp, Colour::white, 1350, 1800) + people(cp, Colour::black, 1800, 1350), 1, 1e-12) << cp;
  }
}

TEST(Worth, KnowsThePlayersOwnRatingsWhereTheModelHasOnlyLevels) {
  Parameters parameters;
  parameters.map = WinRateMap::people;
  parameters.rating = 1500;
  parameters.opponent_rating = 1600;
  EXPECT_EQ(Worth(parameters, Colour::white)(centipawns(0)).value(), people(0, Colour::white, 1500, 1600));
  parameters.lead = -20;
  EXPECT_EQ(Worth(parameters, Colour::white)(centipawns(0)).value(), people(0, Colour::white, 1540, 1560));
}

TEST(Worth, LooksAtRatingsByThePeopleMapAlone) {
  const Valuation valuation = centipawns(80);
  EXPECT_EQ(Worth(WinRateMap::logistic, Colour::white, 800)(valuation),
            Worth(WinRateMap::logistic, Colour::white)(valuation));
  EXPECT_NEAR(Worth(WinRateMap::logistic, Colour::white)(valuation).value(),
              score::win_rate(score::Centipawns{80}, score::lichess_slope).value(), 1e-12);
}

TEST(Worth, TakesTheEnginesOwnFiguresWhenAsked) {
  const Valuation valuation{score::WhiteScore(score::Centipawns{100}), score::WhiteResults{500, 400, 100}};
  EXPECT_NEAR(Worth(WinRateMap::wdl, Colour::white)(valuation).value(), .7, 1e-12);
  EXPECT_NEAR(Worth(WinRateMap::wdl, Colour::black)(valuation).value(), .3, 1e-12);
  EXPECT_EQ(Worth(WinRateMap::wdl, Colour::white)(centipawns(100)),
            Worth(WinRateMap::logistic, Colour::white)(centipawns(100)))
      << "the engine gives none";
}

TEST(Worth, OfMatesIsOneOrNothing) {
  const Valuation mate{score::WhiteScore(score::Mate{3, true}), score::WhiteResults{990, 10, 0}};
  for (const WinRateMap map : {WinRateMap::people, WinRateMap::logistic, WinRateMap::wdl}) {
    EXPECT_EQ(Worth(map, Colour::white, -1500)(mate).value(), 1);
    EXPECT_EQ(Worth(map, Colour::black, 1500)(mate).value(), 0);
  }
}

}  // namespace
}  // namespace pm::expect
