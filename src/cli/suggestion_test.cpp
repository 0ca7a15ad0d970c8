#include "cli/suggestion.h"

#include <gtest/gtest.h>

namespace pm::cli {
namespace {

TEST(Suggestion, counts_slips) {
  const struct {
    std::string_view a, b;
    std::size_t distance;
  } cases[] = {
      {"", "", 0},        {"", "abc", 3},          {"abc", "", 3},           {"abc", "abc", 0}, {"abc", "abd", 1},
      {"abc", "abcd", 1}, {"review", "reveiw", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1},
  };
  for (const auto& each : cases) EXPECT_EQ(edit_distance(each.a, each.b), each.distance) << each.a << ' ' << each.b;
}

TEST(Suggestion, asks_for_the_nearest_words) {
  Nearest nearest("serv");
  for (const char* word : {"review", "serve", "verdicts", "serve"}) nearest.offer(word);
  EXPECT_EQ(nearest.question(), "; did you mean serve?");
  Nearest many("abcdef");
  for (const char* word : {"abcdxx", "abcdex", "abcdey", "abcdez", "zzzzzz"}) many.offer(word);
  EXPECT_EQ(many.question(), "; did you mean abcdex, abcdey or abcdez?");
}

TEST(Suggestion, says_nothing_when_nothing_is_near) {
  Nearest nearest("nonsense");
  nearest.offer("review");
  EXPECT_EQ(nearest.question(), "");
}

}  // namespace
}  // namespace pm::cli
