#include "cli/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>

namespace pm::cli {
namespace {

TEST(Workers, give_every_result_to_whom_it_belongs) {
  Workers<int> workers(3);
  std::vector<std::future<int>> results;
  results.reserve(1000);
  for (int i = 0; i < 1000; ++i) results.push_back(workers.submit([i] { return i * i; }));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)].get(), i * i);
}

TEST(Workers, drop_what_has_not_begun_when_they_go) {
  std::atomic<int> begun = 0;
  std::future<int> last;
  {
    Workers<int> workers(2);
    for (int i = 0; i < 2; ++i) {
      workers.submit([&] {
        ++begun;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return 0;
      });
    }
    last = workers.submit([&] { return begun++; });
    while (begun < 2) std::this_thread::yield();
  }
  EXPECT_EQ(begun, 2);
  EXPECT_THROW(last.get(), std::future_error);
}

TEST(Workers, hand_on_what_a_task_throws) {
  Workers<int> workers(1);
  auto result = workers.submit([]() -> int { throw std::bad_alloc(); });
  EXPECT_THROW(result.get(), std::bad_alloc);
}

}  // namespace
}  // namespace pm::cli
