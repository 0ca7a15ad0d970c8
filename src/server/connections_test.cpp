#include "server/connections.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace pm::server {
namespace {

using Doing = Connections::Doing;

class ConnectionsTest : public testing::Test {
 protected:
  std::unique_ptr<Connections::Place> enter(const std::string& name, Doing doing = Doing::waiting) {
    auto place = connections_.enter([this, name] { closed_ += name; });
    if (place) {
      EXPECT_TRUE(place->turns_to(doing)) << name;
    }
    return place;
  }

  Connections connections_{3};
  std::string closed_;
};

TEST_F(ConnectionsTest, ClosesTheOldestOfThoseThatHaveNotSentAHeader) {
  const auto a = enter("a");
  const auto b = enter("b");
  const auto c = enter("c");
  EXPECT_TRUE(a->turns_to(Doing::answering) && a->turns_to(Doing::waiting)) << "it waits anew";
  const auto d = enter("d");
  EXPECT_EQ(closed_, "b");
  EXPECT_FALSE(b->turns_to(Doing::answering)) << "it has made room";
  EXPECT_EQ(connections_.open(), 3U);
}

TEST_F(ConnectionsTest, ClosesFirstWhatIsMissedLeast) {
  const auto stream = enter("s", Doing::following);
  const auto body = enter("b", Doing::receiving);
  const auto idle = enter("i");
  const auto first = enter("1", Doing::answering);
  EXPECT_EQ(closed_, "i");
  const auto second = enter("2", Doing::answering);
  EXPECT_EQ(closed_, "ib");
  const auto third = enter("3", Doing::answering);
  EXPECT_EQ(closed_, "ibs");
  EXPECT_EQ(enter("4"), nullptr) << "whoever is being answered stays";
  EXPECT_FALSE(connections_.make_room());
  EXPECT_TRUE(second->turns_to(Doing::waiting));
  EXPECT_TRUE(connections_.make_room());
  EXPECT_EQ(closed_, "ibs2");
}

TEST_F(ConnectionsTest, HasRoomAgainWhenOneIsGone) {
  const auto a = enter("a", Doing::answering);
  const auto b = enter("b", Doing::answering);
  enter("c", Doing::answering);
  EXPECT_EQ(connections_.open(), 2U);
  EXPECT_NE(enter("d"), nullptr);
  EXPECT_EQ(closed_, "");
}

TEST(Connections, MayBeUsedFromManyThreads) {
  Connections connections(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        std::vector<std::unique_ptr<Connections::Place>> mine;
        for (int i = 0; i < 500; ++i) {
          mine.push_back(connections.enter([] {}));
          EXPECT_LE(connections.open(), 8U);
          mine.back()->turns_to(i % 2 == 0 ? Doing::receiving : Doing::following);
          if (mine.size() > 5) mine.erase(mine.begin());
        }
      });
    }
  }
  EXPECT_EQ(connections.open(), 0U);
}

}  // namespace
}  // namespace pm::server
