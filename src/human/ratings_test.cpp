#include "human/ratings.h"

#include <gtest/gtest.h>

#include "human/fake_model.h"

namespace pm::human {
namespace {

using chess::Colour;

TEST(Ratings, are_chosen_by_one_policy) {
  const FakeModel model({1100, 1500, 1900});
  struct Case {
    const char* what;
    WantedRatings wanted;
    TaggedRatings tagged;
    Colour player;
    int white;
    int black;
    int lead_of_white;
  };
  const Case cases[] = {
      {"nothing is known", {}, {}, Colour::white, 1500, 1500, 0},
      {"the tags, at the nearest level", {}, {1620, 2600}, Colour::white, 1500, 1900, -980},
      {"one tag stands for both", {}, {std::nullopt, 1900}, Colour::white, 1900, 1900, 0},
      {"one rating asked for means both", {1200, std::nullopt}, {1620, 1700}, Colour::white, 1200, 1200, 0},
      {"both asked for", {1200, 1300}, {1620, 1700}, Colour::white, 1200, 1300, -100},
      {"of Black", {1200, 1300}, {}, Colour::black, 1300, 1200, 100},
      {"only the opponent's", {std::nullopt, 1300}, {1900, 1100}, Colour::black, 1300, 1100, 200},
  };
  for (const Case& c : cases) {
    const auto ratings = choose_ratings(c.wanted, c.tagged, c.player, model);
    ASSERT_TRUE(ratings) << c.what;
    EXPECT_EQ(ratings->white, c.white) << c.what;
    EXPECT_EQ(ratings->black, c.black) << c.what;
    EXPECT_EQ(ratings->lead_of(Colour::white), c.lead_of_white) << c.what;
    EXPECT_EQ(ratings->lead_of(Colour::black), -c.lead_of_white) << c.what;
  }
  EXPECT_EQ(choose_ratings({2500, std::nullopt}, {}, Colour::white, model).error().code, ErrorCode::rating_range);
}

}  // namespace
}  // namespace pm::human
