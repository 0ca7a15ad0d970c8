// Engines at work: a pool of one-thread processes that takes segments and returns evaluations.
//
//   auto pool = EnginePool::open(start_engine, 2, settings, store, stop);
//   std::future<SegmentResult> result = (*pool)->submit(segment);
//
// Engines may crash, hang or lie. Whatever goes wrong, the engine is thrown away and the segment begun again with a new
// one; a position that fails three times is given up while the rest goes on. Answers that are complete go to the store,
// and are taken from there next time. A pool that goes away gives up what it has not done. Any thread may submit, and
// wait for the futures.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/engine_scheduler.h"
#include "engine/segment.h"
#include "store/store.h"

namespace pm::engine {

using StartEngine = std::function<Expected<std::unique_ptr<Engine>>(const std::stop_token&)>;

// How the engines of a pool are set up, as far as answers depend on it.
struct PoolSettings {
  int hash_mb = 64;
  int lines = 2;                                             // MultiPV
  std::vector<std::pair<std::string, std::string>> options;  // of the user
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::string engine_sha256 = {};  // of the engine's file: whatever it calls itself

  std::vector<std::pair<std::string, std::string>> recorded() const;  // all options that were set, for the record
};

struct SegmentResult {
  std::vector<Evaluation> evaluations;  // of segment.wanted, in order
  std::string trouble;                  // what went wrong last, when a position failed
};

// Pools that share the processors: whose turn it is, how many engines more are kept ready for urgent clients alone, and
// who is told of trouble that a new engine did not end at once.
struct Sharing {
  EngineScheduler* scheduler = nullptr;  // null: the pool has one of its own
  int urgent_jobs = 0;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  Tell tell = {};  // may be empty
};

class EnginePool {
 public:
  // Starts the first engine to learn its name; fails when that fails. Name and settings are part of every key. The
  // store may be null.
  static Expected<std::unique_ptr<EnginePool>> open(StartEngine start, int jobs, PoolSettings settings,
                                                    store::Store* store, const std::stop_token& stop,
                                                    const Sharing& sharing = {});
  EnginePool(const EnginePool&) = delete;
  EnginePool& operator=(const EnginePool&) = delete;
  ~EnginePool();

  enum class Order : std::uint8_t { last, first };  // `first` goes before everything of the client that waits
  // Who asks, and when the answer is no longer wanted. `on_answered` is told of every position, on any thread.
  struct Asker {
    Client client;
    std::stop_token stop;
    std::function<void(std::size_t positions)> on_answered;
  };
  std::future<SegmentResult> submit(Segment segment, Order order = Order::last, const Asker& asker = {});

  // Searched one after the other by an engine that starts fresh; the store is the caller's affair. `answered` is called
  // once for each, on another thread, as soon as it is known, and not after somebody asked to `stop`.
  using Answered = std::function<void(std::size_t search, const Evaluation& evaluation, const std::string& trouble)>;
  void submit(std::vector<Search> searches, Answered answered, const Asker& asker);

  // Everything an answer depends on besides position and limit: the engine's name and settings.
  const std::string& identity() const { return identity_; }

  const std::string& engine_name() const { return name_; }
  const PoolSettings& settings() const { return settings_; }
  const std::stop_token& stop() const { return stop_; }
  // For progress: positions asked for and answered so far, the stored ones included.
  std::size_t asked() const { return asked_; }
  std::size_t answered() const { return answered_; }
  std::size_t restarts() const { return restarts_; }

 private:
  struct Task {
    std::vector<Search> searches;    // or
    std::optional<Segment> segment;  // kept in the store; its searches are made when their turn comes
    std::promise<SegmentResult> promise;
    Answered answered;  // may be empty
    Asker asker;        // its stop beside the pool's own

    std::size_t count() const { return segment ? segment->plies.size() : searches.size(); }
    Search search(std::size_t i) const;
  };
  EnginePool(StartEngine start, const Engine& first, PoolSettings settings, store::Store* store,
             const std::stop_token& stop, const Sharing& sharing, int jobs);

  void work(bool only_urgent);
  bool has_task(bool only_urgent) const;
  std::unique_ptr<Task> take(bool only_urgent);
  std::future<SegmentResult> enqueue(std::unique_ptr<Task> task, Order order);
  SegmentResult run(const Task& task, std::unique_ptr<Engine>& engine);
  Expected<void> restart(std::unique_ptr<Engine>& engine, int failures);
  void tell(const Error& trouble, int failures, const char* what_now) const;

  StartEngine start_;
  std::string name_;
  PoolSettings settings_;
  std::string identity_;
  store::Store* store_;
  std::unique_ptr<EngineScheduler> own_scheduler_;  // null: somebody else's is used
  EngineScheduler& scheduler_;
  Tell tell_;
  std::stop_source closing_;  // asked to stop from outside, or going away
  std::stop_token stop_ = closing_.get_token();
  std::stop_callback<std::function<void()>> on_stop_;
  std::atomic<std::size_t> asked_ = 0;
  std::atomic<std::size_t> answered_ = 0;
  std::atomic<std::size_t> restarts_ = 0;
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::deque<std::unique_ptr<Task>> tasks_;
  std::vector<std::jthread> workers_;  // last: they use everything above
};

}  // namespace pm::engine
