// Threads that each take the next task and give its result back by a future.
//
//   Workers<std::string> workers(2);
//   std::future<std::string> text = workers.submit([&] { return format(game); });
//
// Tasks begin in the order they were given. How many may wait is the caller's business: whoever holds the futures
// knows. Destroying it drops the tasks that have not begun and waits for those under way. One thread submits.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace pm::cli {

template <class Result>
class Workers {
 public:
  explicit Workers(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (std::jthread& each : threads_) each.request_stop();  // all of them before the first is waited for
  }

  template <class Task>
  std::future<Result> submit(Task task) {
    std::packaged_task<Result()> packaged(std::move(task));
    std::future<Result> result = packaged.get_future();
    {
      const std::scoped_lock lock(mutex_);
      tasks_.push_back(std::move(packaged));
    }
    there_is_one_.notify_one();
    return result;
  }

 private:
  void work(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      there_is_one_.wait(lock, stop, [this] { return !tasks_.empty(); });
      if (stop.stop_requested()) return;
      std::packaged_task<Result()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any there_is_one_;
  std::deque<std::packaged_task<Result()>> tasks_;
  std::vector<std::jthread> threads_;  // last: they stop before what they use goes
};

}  // namespace pm::cli
