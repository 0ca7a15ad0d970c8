#include "engine/engine_scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace pm::engine {
namespace {

using namespace std::chrono_literals;

// Everybody waits while one has the only turn; then the order in which they are served is written down.
class EngineSchedulerTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(scheduler_.take({}, {})); }

  void wait(char name, const Client& client) {
    const std::size_t before = waiting_.load();
    threads_.emplace_back([this, name, client] {
      ++waiting_;
      if (const Turn turn(scheduler_, client, stop_.get_token()); turn.taken()) order_ += name;  // one at a time
    });
    while (waiting_.load() == before) std::this_thread::yield();
    std::this_thread::sleep_for(20ms);  // it is in the queue now
  }
  std::string served() {
    scheduler_.give_back();
    for (std::thread& thread : threads_) thread.join();
    return order_;
  }

  EngineScheduler scheduler_{1};
  std::stop_source stop_;
  std::atomic<std::size_t> waiting_ = 0;
  std::vector<std::thread> threads_;
  std::string order_;
};

TEST_F(EngineSchedulerTest, ServesOneClientInOrder) {
  for (const char name : {'a', 'b', 'c'}) wait(name, {1, false});
  EXPECT_EQ(served(), "abc");
}

TEST_F(EngineSchedulerTest, LetsClientsTakeTurns) {
  wait('a', {1, false});
  wait('b', {1, false});
  wait('c', {1, false});
  wait('x', {2, false});
  EXPECT_EQ(served(), "axbc");
}

TEST_F(EngineSchedulerTest, ServesThoseWhoAreWaitedForFirst) {
  wait('a', {1, false});
  wait('b', {1, false});
  wait('!', {2, true});
  EXPECT_EQ(served(), "!ab");
}

TEST_F(EngineSchedulerTest, GivesUpWhenAskedTo) {
  wait('a', {1, false});
  wait('b', {1, false});
  stop_.request_stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  EXPECT_EQ(order_, "");
  scheduler_.give_back();
  EXPECT_TRUE(scheduler_.take({3, false}, {}));
}

TEST(EngineScheduler, GiveEveryClientANumberOfItsOwn) {
  EngineScheduler scheduler(1);
  EXPECT_NE(scheduler.new_client(), scheduler.new_client());
}

}  // namespace
}  // namespace pm::engine
