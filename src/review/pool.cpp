#include "review/pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "review/evaluation_text.h"

namespace pm::review {
namespace {

using engine::Engine;
using std::chrono::milliseconds;

constexpr int max_tries = 3;   // of one position
constexpr int max_starts = 6;  // in a row, without one that works
constexpr milliseconds first_pause{50};
constexpr milliseconds longest_pause{2'000};

}  // namespace

Expected<std::unique_ptr<EnginePool>> EnginePool::open(StartEngine start, int jobs, const std::string& identity,
                                                       store::Store* store, const std::stop_token& stop) {
  auto first = start(stop);
  for (int tries = 1; !first && first.error().code == ErrorCode::engine_died && tries < max_tries; ++tries) {
    first = start(stop);
  }
  if (!first) return tl::make_unexpected(std::move(first.error()));
  std::unique_ptr<EnginePool> pool(new EnginePool(std::move(start), **first, identity, store, stop));
  while (pool->workers_.size() < static_cast<std::size_t>(jobs)) {
    pool->workers_.emplace_back([raw = pool.get()] { raw->work(); });
  }
  return pool;
}

// The kernel ends an engine with the thread that started it, and this one may be a passing one: the first engine only
// tells its name, and each worker starts its own.
EnginePool::EnginePool(StartEngine start, const Engine& first, const std::string& identity, store::Store* store,
                       const std::stop_token& stop)
    : start_(std::move(start)),
      name_(first.name()),
      identity_(fmt::format("{}|{}|", name_, identity)),
      store_(store),
      on_stop_(stop, [this] { closing_.request_stop(); }) {}

EnginePool::~EnginePool() { closing_.request_stop(); }

std::future<SegmentResult> EnginePool::submit(Segment segment, Order order) {
  auto task = std::make_unique<Task>();
  task->key = identity_ + key_of(segment);
  const std::size_t count = segment.wanted.size();
  asked_ += count;
  if (store_ != nullptr) {
    if (const auto stored = store_->find(task->key)) {
      if (auto evals = parse_evaluations(*stored, segment)) {
        answered_ += count;
        task->promise.set_value({std::move(*evals), {}});
        return task->promise.get_future();
      }
    }
  }
  for (const std::size_t plies : segment.plies) {
    const auto end = segment.moves.begin() + static_cast<std::ptrdiff_t>(plies);
    task->searches.push_back({segment.start, {segment.moves.begin(), end}, segment.limit});
  }
  return enqueue(std::move(task), order);
}

void EnginePool::submit(const std::vector<Single>& positions, Answered answered, std::stop_token stop) {
  auto task = std::make_unique<Task>();
  asked_ += positions.size();
  task->searches.reserve(positions.size());
  for (const Single& each : positions) task->searches.push_back({each.position, {}, each.limit});
  task->answered = std::move(answered);
  task->stop = std::move(stop);
  enqueue(std::move(task), Order::last);
}

std::future<SegmentResult> EnginePool::enqueue(std::unique_ptr<Task> task, Order order) {
  auto result = task->promise.get_future();
  {
    const std::scoped_lock lock(mutex_);
    if (order == Order::first) {
      tasks_.push_front(std::move(task));
    } else {
      tasks_.push_back(std::move(task));
    }
  }
  waiting_.notify_one();
  return result;
}

void EnginePool::work() {
  std::unique_ptr<Engine> engine;
  while (!stop_.stop_requested()) {
    std::unique_ptr<Task> task;
    {
      std::unique_lock lock(mutex_);
      if (!waiting_.wait(lock, stop_, [&] { return !tasks_.empty(); })) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    SegmentResult result = run(*task, engine);
    const bool complete = std::none_of(result.evals.begin(), result.evals.end(),
                                       [](const PositionEval& e) { return e.failed || e.lines.empty(); });
    if (complete && store_ != nullptr && !task->key.empty()) store_->put(task->key, format_evaluations(result.evals));
    task->promise.set_value(std::move(result));
  }
}

// Starts an engine after a pause that grows with the failures. False when that does not work either.
bool EnginePool::restart(std::unique_ptr<Engine>& engine, int failures, std::string& trouble) {
  engine.reset();
  if (failures > 0) {
    ++restarts_;
    const auto pause = std::min(longest_pause, first_pause * (1 << std::min(failures - 1, 10)));
    const auto until = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < until && !stop_.stop_requested())
      std::this_thread::sleep_for(milliseconds(5));
  }
  auto started = start_(stop_);
  if (!started) {
    trouble = started.error().sentence;
    return false;
  }
  engine = std::move(*started);
  return true;
}

SegmentResult EnginePool::run(const Task& task, std::unique_ptr<Engine>& engine) {
  const std::size_t count = task.searches.size();
  SegmentResult result{std::vector<PositionEval>(count), {}};
  std::vector<int> tries(count);
  int failures = 0;
  int starts = 0;
  std::size_t counted = 0;  // positions already reported as answered
  const auto answer = [&](std::size_t done) {
    for (; counted < done; ++counted) {
      if (task.answered && !task.stop.stop_requested()) task.answered(counted, result.evals[counted], result.trouble);
      ++answered_;
    }
  };
  const auto give_up = [&] { answered_ += count - std::exchange(counted, count); };
  std::stop_source either;  // the pool's, or that of the one who asked
  const auto pass_on = [&] { either.request_stop(); };
  const std::stop_callback of_pool(stop_, pass_on);
  const std::stop_callback of_task(task.stop, pass_on);
  const std::stop_token stop = either.get_token();
  for (bool complete = false; !complete && !stop.stop_requested();) {
    complete = true;
    if (!engine && !restart(engine, failures, result.trouble)) {
      ++failures;
      if (++starts < max_starts) {
        complete = false;
        continue;
      }
      for (PositionEval& e : result.evals) e = {{}, std::nullopt, true};
      break;
    }
    starts = 0;
    auto ready = engine->new_game(stop);
    for (std::size_t i = 0; i < count && complete; ++i) {
      if (result.evals[i].failed) continue;
      const Asked& asked = task.searches[i];
      auto evaluation =
          ready ? engine->evaluate({asked.start, asked.moves, asked.limit}, stop) : tl::make_unexpected(ready.error());
      if (evaluation) {
        result.evals[i] = {std::move(evaluation->lines), evaluation->shallow, false};
        answer(i + 1);
        continue;
      }
      engine.reset();  // broken, or still thinking
      if (evaluation.error().code == ErrorCode::interrupted) {
        give_up();
        return result;
      }
      result.trouble = evaluation.error().sentence;
      ++failures;
      // All over again with a new engine, so that what follows does not depend on the failure; the position that keeps
      // failing is passed over.
      if (++tries[i] >= max_tries) result.evals[i] = {{}, std::nullopt, true};
      complete = false;
    }
  }
  if (stop.stop_requested()) {
    give_up();
  } else {
    answer(count);
  }
  return result;
}

}  // namespace pm::review
