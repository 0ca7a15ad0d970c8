#include "verdict/confidence.h"

#include <gtest/gtest.h>

namespace pm::verdict {
namespace {

TEST(Confidence, has_three_words) {
  EXPECT_EQ(word_of({1}), "firm");
  EXPECT_EQ(word_of({.97}), "firm");
  EXPECT_EQ(word_of({.969}), "likely");
  EXPECT_EQ(word_of({.8}), "likely");
  EXPECT_EQ(word_of({.799}), "open");
}

TEST(Confidence, grows_with_the_distance_from_the_lines) {
  EXPECT_EQ(word_of(confidence_of({.distance = 0})), "open");
  EXPECT_EQ(word_of(confidence_of({.distance = .019, .error = true, .depth = 18})), "open");
  EXPECT_EQ(word_of(confidence_of({.distance = .3})), "firm");
  EXPECT_LT(confidence_of({.distance = .015}).probability, confidence_of({.distance = .05}).probability);
}

TEST(Confidence, is_smaller_for_errors_and_smallest_for_those_not_looked_at_deeply) {
  const double no_error = confidence_of({.distance = .04}).probability;
  const double deep = confidence_of({.distance = .04, .error = true, .depth = 18}).probability;
  const double shallow = confidence_of({.distance = .04, .error = true, .depth = 10}).probability;
  EXPECT_LT(deep, no_error);
  EXPECT_LT(shallow, deep);
}

TEST(Confidence, of_the_first_choice_is_firm) {
  EXPECT_EQ(word_of(confidence_of({.distance = 0, .first_choice = true})), "firm");
}

TEST(Confidence, of_a_mean_grows_with_the_number_of_moves) {
  EXPECT_DOUBLE_EQ(accuracy_reach(1) / 5, accuracy_reach(25));
  EXPECT_LT(acpl_reach(40), acpl_reach(10));
  EXPECT_EQ(acpl_reach(0), acpl_reach(1));
}

}  // namespace
}  // namespace pm::verdict
