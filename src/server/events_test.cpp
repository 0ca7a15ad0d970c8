#include "server/events.h"

#include <gtest/gtest.h>

#include <thread>

namespace pm::server {
namespace {

std::vector<std::string> names(const std::vector<Event>& events) {
  std::vector<std::string> all;
  all.reserve(events.size());
  for (const Event& event : events) all.push_back(event.name + "=" + event.data);
  return all;
}

TEST(EventLog, KeepsOnlyTheLatestOfEachKind) {
  const auto log = std::make_shared<EventLog>();
  log->tell("progress", "1");
  log->tell("review", "a");
  log->tell("progress", "2");
  const auto all = log->since(0);
  EXPECT_EQ(names(all), (std::vector<std::string>{"review=a", "progress=2"}));
  EXPECT_EQ(names(log->since(all.front().number)), std::vector<std::string>{"progress=2"});
  EXPECT_TRUE(log->since(all.back().number).empty());
}

TEST(EventLog, NumbersGoOnInTheNextLog) {
  const auto first = std::make_shared<EventLog>();
  first->tell("progress", "1");
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto second = std::make_shared<EventLog>();
  second->tell("progress", "2");
  EXPECT_EQ(names(second->since(first->since(0).back().number)), std::vector<std::string>{"progress=2"});
}

TEST(EventLog, SaysNothingAfterItsEnd) {
  const auto log = std::make_shared<EventLog>();
  log->end("done");
  log->tell("progress", "1");
  log->end("again");
  EXPECT_TRUE(log->ended());
  EXPECT_EQ(names(log->since(0)), std::vector<std::string>{"end=done"});
}

TEST(EventLog, WakesItsListenersWhileTheyListen) {
  const auto log = std::make_shared<EventLog>();
  int woken = 0;
  {
    const auto listening = log->listen([&] { ++woken; });
    log->tell("a", "1");
    auto moved = log->listen([&] { woken += 10; });
    const auto kept = std::move(moved);
    log->tell("a", "2");
  }
  log->tell("a", "3");
  EXPECT_EQ(woken, 12);
}

TEST(EventLog, KnowsWhetherAnybodyListens) {
  const auto log = std::make_shared<EventLog>();
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  EXPECT_FALSE(log->unheard_for(std::chrono::hours(1)));
  pause();
  EXPECT_TRUE(log->unheard_for(std::chrono::milliseconds(10)));
  {
    const auto listening = log->listen([] {});
    pause();
    EXPECT_FALSE(log->unheard_for(std::chrono::milliseconds(10)));
  }
  pause();
  EXPECT_TRUE(log->unheard_for(std::chrono::milliseconds(10)));
  EXPECT_TRUE(log->since(0).empty());
  EXPECT_FALSE(log->unheard_for(std::chrono::hours(1)));
}

TEST(EventLog, MayBeUsedFromManyThreads) {
  const auto log = std::make_shared<EventLog>();
  std::atomic<int> woken = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const auto listening = log->listen([&] { ++woken; });
          log->tell(std::to_string(t), std::to_string(i));
        }
      });
    }
  }
  EXPECT_EQ(log->since(0).size(), 4U);
  EXPECT_GE(woken, 800);
}

}  // namespace
}  // namespace pm::server
