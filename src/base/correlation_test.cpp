#include "base/correlation.h"

#include <gtest/gtest.h>

#include <vector>

namespace pm {
namespace {

TEST(Correlation, GoesFromMinusOneToOne) {
  const std::vector<double> a{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(correlation(a, std::vector<double>{2, 4, 6, 8}), 1);
  EXPECT_DOUBLE_EQ(correlation(a, std::vector<double>{8, 6, 4, 2}), -1);
  EXPECT_DOUBLE_EQ(correlation(a, std::vector<double>{5, 5, 5, 5}), 0);
  EXPECT_NEAR(correlation(a, std::vector<double>{1, 3, 2, 4}), .8, 1e-12);
}

TEST(Correlation, OfRanksCaresForTheOrderAlone) {
  const std::vector<double> a{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(rank_correlation(a, std::vector<double>{1, 10, 100, 1000}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(a, std::vector<double>{1, 0, -5, -70}), -1);
  EXPECT_NEAR(rank_correlation(a, std::vector<double>{1, 1, 2, 2}), .894427, 1e-6) << "equal ones share their ranks";
}

}  // namespace
}  // namespace pm
