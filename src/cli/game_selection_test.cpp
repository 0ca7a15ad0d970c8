#include "cli/game_selection.h"

#include <gtest/gtest.h>

namespace pm::cli {
namespace {

TEST(GameSelection, understands_lists_of_numbers_and_ranges) {
  const struct {
    const char* games;
    std::vector<std::size_t> chosen;  // of the first ten
    bool goes_on;                     // beyond them
  } cases[] = {
      {"", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true},
      {"3", {3}, false},
      {"3-5", {3, 4, 5}, false},
      {"9-", {9, 10}, true},
      {"-2", {1, 2}, false},
      {"2,5,8-9", {2, 5, 8, 9}, false},
      {"8-9,2,5", {2, 5, 8, 9}, false},
      {"-2,4,9-", {1, 2, 4, 9, 10}, true},
      {"2-6,3-4,4-7", {2, 3, 4, 5, 6, 7}, false},
      {"3,3", {3}, false},
  };
  for (const auto& each : cases) {
    auto selection = parse_selection(each.games, {});
    ASSERT_TRUE(selection) << each.games;
    std::vector<std::size_t> chosen;
    for (std::size_t number = 1; number <= 10; ++number) {
      if (selection->wants(number, {})) chosen.push_back(number);
    }
    EXPECT_EQ(chosen, each.chosen) << each.games;
    EXPECT_EQ(selection->over(10), !each.goes_on) << each.games;
    EXPECT_FALSE(selection->over(0)) << each.games;
  }
}

TEST(GameSelection, refuses_what_is_no_list_of_games) {
  for (const char* games :
       {"x", "0", "-", "3-2", ",", "1,", ",1", "1,,2", "1 2", "1-2-3", "0-3", "-0", "99999999999999999999"}) {
    const auto selection = parse_selection(games, {});
    ASSERT_FALSE(selection) << games;
    EXPECT_EQ(selection.error().sentence,
              std::string("--games ") + games + ": expected game numbers such as 3, 3-7, 3-, -7 or 2,5,9-12");
  }
}

TEST(GameSelection, names_are_the_same_in_any_case_and_order) {
  const struct {
    const char* a;
    const char* b;
    bool same;
  } cases[] = {
      {"Carlsen, Magnus", "magnus carlsen", true},
      {"Carlsen,Magnus", "CARLSEN MAGNUS", true},
      {"  Magnus   Carlsen ", "Carlsen, Magnus", true},
      {"Hübner, Robert", "robert HÜBNER", true},
      {"Đurić, Stefan", "stefan đurić", true},
      {"КАРПОВ, Анатолий", "Анатолий Карпов", true},
      {"Carlsen", "Carlsen, Magnus", false},
      {"Carlsen, M", "Carlsen, Magnus", false},
      {"Muller", "Müller", false},
  };
  for (const auto& each : cases) EXPECT_EQ(name_key(each.a) == name_key(each.b), each.same) << each.a;
}

TEST(GameSelection, suggests_names_that_are_near) {
  const std::vector<pgn::Tag> tags{{"White", "Morphy, Paul"}, {"Black", "Duke Karl"}};
  const struct {
    const char* player;
    const char* question;
  } cases[] = {
      {"Morphy", "; did you mean Morphy, Paul?"},
      {"paul murphy", "; did you mean Morphy, Paul?"},
      {"Norphy, Paul", "; did you mean Morphy, Paul?"},
      {"Karl Duek", "; did you mean Duke Karl?"},
      {"Kasparov", ""},
  };
  for (const auto& each : cases) {
    auto selection = parse_selection("", {each.player});
    EXPECT_FALSE(selection->wants(1, tags)) << each.player;
    ASSERT_EQ(selection->strangers().size(), 1U);
    EXPECT_EQ(selection->strangers().front(),
              std::string("--player ") + each.player + ": no game of that player" + each.question);
  }
  auto found = parse_selection("", {"paul morphy"});
  EXPECT_TRUE(found->wants(1, tags));
  EXPECT_TRUE(found->strangers().empty());
}

}  // namespace
}  // namespace pm::cli
