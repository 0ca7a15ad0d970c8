#include "server/model_shelf.h"

#include <gtest/gtest.h>

#include "human/fake_model.h"

namespace pm::server {
namespace {

TEST(ModelShelf, opens_what_is_chosen_once_and_keeps_it) {
  int opened = 0;
  const auto first = std::make_shared<human::FakeModel>();
  ModelShelf shelf({{"maia1", "free", nullptr, "a"}, {"built-in", "free", nullptr, "b"}}, first,
                   [&](const human::FoundModel& each) {
                     EXPECT_EQ(each.where, "b");
                     ++opened;
                     return Expected<std::shared_ptr<human::HumanModel>>(std::make_shared<human::FakeModel>());
                   });
  EXPECT_EQ(&shelf.current(), first.get());
  ASSERT_TRUE(shelf.choose("built-in"));
  const human::HumanModel* const second = &shelf.current();
  EXPECT_NE(second, first.get());
  EXPECT_EQ(shelf.in_use().name, "built-in");
  ASSERT_TRUE(shelf.choose("maia1"));
  EXPECT_EQ(&shelf.current(), first.get());
  ASSERT_TRUE(shelf.choose("built-in"));
  EXPECT_EQ(&shelf.current(), second);
  EXPECT_EQ(opened, 1);
}

TEST(ModelShelf, stays_with_what_it_has_when_another_cannot_be_used) {
  const auto first = std::make_shared<human::FakeModel>();
  ModelShelf shelf({{"maia1", "free", nullptr, "a"}, {"maia3", "free", nullptr, "b"}}, first,
                   [](const human::FoundModel& each) {
                     return Expected<std::shared_ptr<human::HumanModel>>(
                         fail(ErrorCode::weights_format, each.where + " is damaged"));
                   });
  EXPECT_EQ(shelf.choose("maia3").error().sentence, "b is damaged");
  EXPECT_EQ(shelf.choose("maia\n2").error().sentence, "name: expected one of maia1, maia3, found maia?2.");
  EXPECT_EQ(&shelf.current(), first.get());
}

}  // namespace
}  // namespace pm::server
