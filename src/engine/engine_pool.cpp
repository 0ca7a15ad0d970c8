#include "engine/engine_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/either_stop.h"
#include "engine/evaluation_codec.h"

namespace pm::engine {
namespace {

using std::chrono::milliseconds;

constexpr int max_tries = 3;   // of one position
constexpr int max_starts = 6;  // in a row, without one that works
constexpr milliseconds first_pause{50};
constexpr milliseconds longest_pause{2'000};

std::string identity_of(const std::string& name, const PoolSettings& settings) {
  std::string identity =
      fmt::format("{}|{}|hash {} lines {}", name, settings.engine_sha256, settings.hash_mb, settings.lines);
  for (const auto& [option, value] : settings.options) identity += fmt::format(" {}={}", option, value);
  return identity + '|';
}

}  // namespace

std::vector<std::pair<std::string, std::string>> PoolSettings::recorded() const {
  std::vector<std::pair<std::string, std::string>> all{{"Hash", std::to_string(hash_mb)}};
  all.insert(all.end(), options.begin(), options.end());
  return all;
}

Expected<std::unique_ptr<EnginePool>> EnginePool::open(StartEngine start, int jobs, PoolSettings settings,
                                                       store::Store* store, const std::stop_token& stop,
                                                       const Sharing& sharing) {
  auto first = start(stop);
  for (int tries = 1; !first && first.error().code == ErrorCode::engine_died && tries < max_tries; ++tries) {
    first = start(stop);
  }
  if (!first) return tl::make_unexpected(std::move(first.error()));
  std::unique_ptr<EnginePool> pool(
      new EnginePool(std::move(start), **first, std::move(settings), store, stop, sharing, jobs));
  for (int i = 0; i < jobs + sharing.urgent_jobs; ++i) {
    pool->workers_.emplace_back([raw = pool.get(), only_urgent = i >= jobs] { raw->work(only_urgent); });
  }
  return pool;
}

// The kernel ends an engine with the thread that started it, and this one may be a passing one: the first engine only
// tells its name, and each worker starts its own.
EnginePool::EnginePool(StartEngine start, const Engine& first, PoolSettings settings, store::Store* store,
                       const std::stop_token& stop, const Sharing& sharing, int jobs)
    : start_(std::move(start)),
      name_(first.name()),
      settings_(std::move(settings)),
      identity_(identity_of(name_, settings_)),
      store_(store),
      own_scheduler_(sharing.scheduler == nullptr ? std::make_unique<EngineScheduler>(jobs) : nullptr),
      scheduler_(sharing.scheduler == nullptr ? *own_scheduler_ : *sharing.scheduler),
      tell_(sharing.tell),
      on_stop_(stop, [this] { closing_.request_stop(); }) {}

EnginePool::~EnginePool() { closing_.request_stop(); }

std::future<SegmentResult> EnginePool::submit(Segment segment, Order order, const Asker& asker) {
  auto task = std::make_unique<Task>();
  task->asker = asker;
  const std::size_t count = segment.wanted.size();
  asked_ += count;
  if (store_ != nullptr) {
    if (const auto stored = store_->find(identity_ + key_of(segment))) {
      if (auto evals = parse_evaluations(*stored, segment)) {
        answered_ += count;
        if (asker.on_answered) asker.on_answered(count);
        task->promise.set_value({std::move(*evals), {}});
        return task->promise.get_future();
      }
    }
  }
  task->segment = std::move(segment);
  return enqueue(std::move(task), order);
}

void EnginePool::submit(std::vector<Search> searches, Answered answered, const Asker& asker) {
  auto task = std::make_unique<Task>();
  asked_ += searches.size();
  task->searches = std::move(searches);
  task->answered = std::move(answered);
  task->asker = asker;
  enqueue(std::move(task), Order::last);
}

Search EnginePool::Task::search(std::size_t i) const {
  if (!segment) return searches[i];
  const auto& moves = segment->state.moves;
  const auto end = moves.begin() + static_cast<std::ptrdiff_t>(segment->plies[i]);
  return {{segment->state.start, {moves.begin(), end}}, segment->limit};
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
  waiting_.notify_all();
  return result;
}

bool EnginePool::has_task(bool only_urgent) const {
  if (!only_urgent) return !tasks_.empty();
  return std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->asker.client.urgent; });
}

std::unique_ptr<EnginePool::Task> EnginePool::take(bool only_urgent) {
  std::vector<const Client*> clients;  // each once: of its tasks the first is next
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Client& client = tasks_[i]->asker.client;
    if (only_urgent && !client.urgent) continue;
    if (std::any_of(clients.begin(), clients.end(), [&](const Client* other) { return *other == client; })) continue;
    clients.push_back(&client);
    places.push_back(i);
  }
  const auto chosen = tasks_.begin() + static_cast<std::ptrdiff_t>(places[scheduler_.next_of(clients)]);
  std::unique_ptr<Task> task = std::move(*chosen);
  tasks_.erase(chosen);
  return task;
}

void EnginePool::work(bool only_urgent) {
  std::unique_ptr<Engine> engine;
  while (!stop_.stop_requested()) {
    std::unique_ptr<Task> task;
    {
      std::unique_lock lock(mutex_);
      if (!waiting_.wait(lock, stop_, [&] { return has_task(only_urgent); })) return;
      task = take(only_urgent);
    }
    SegmentResult result = run(*task, engine);
    const bool complete = std::none_of(result.evaluations.begin(), result.evaluations.end(),
                                       [](const Evaluation& e) { return e.failed || e.lines.empty(); });
    if (complete && store_ != nullptr && task->segment)
      store_->put(identity_ + key_of(*task->segment), format_evaluations(result.evaluations));
    task->promise.set_value(std::move(result));
  }
}

// A single crash is overcome in no time and not worth a word.
void EnginePool::tell(const Error& trouble, int failures, const char* what_now) const {
  const bool waited = trouble.code == ErrorCode::engine_silent || trouble.code == ErrorCode::engine_start;
  if (tell_ && (waited || failures > 1)) tell_(fmt::format("{}: {}; {}", name_, trouble.sentence, what_now));
}

// Starts an engine after a pause that grows with the failures.
Expected<void> EnginePool::restart(std::unique_ptr<Engine>& engine, int failures) {
  engine.reset();
  if (failures > 0) {
    ++restarts_;
    const auto pause = std::min(longest_pause, first_pause * (1 << std::min(failures - 1, 10)));
    const auto until = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < until && !stop_.stop_requested())
      std::this_thread::sleep_for(milliseconds(5));
  }
  auto started = start_(stop_);
  if (!started) return tl::make_unexpected(started.error());
  engine = std::move(*started);
  return {};
}

SegmentResult EnginePool::run(const Task& task, std::unique_ptr<Engine>& engine) {
  const std::size_t count = task.count();
  SegmentResult result{std::vector<Evaluation>(count), {}};
  std::vector<int> tries(count);
  int failures = 0;
  int starts = 0;
  std::size_t counted = 0;  // positions already reported as answered
  const auto answer = [&](std::size_t done) {
    for (; counted < done; ++counted) {
      if (task.answered && !task.asker.stop.stop_requested())
        task.answered(counted, result.evaluations[counted], result.trouble);
      ++answered_;
      if (task.asker.on_answered) task.asker.on_answered(1);
    }
  };
  const auto give_up = [&] { answered_ += count - std::exchange(counted, count); };
  const EitherStop either(stop_, task.asker.stop);
  const std::stop_token stop = either.token();
  for (bool complete = false; !complete && !stop.stop_requested();) {
    complete = true;
    if (const auto started = engine ? Expected<void>() : restart(engine, failures); !started) {
      if (started.error().code == ErrorCode::interrupted) break;
      result.trouble = started.error().sentence;
      tell(started.error(), ++failures, "trying to start it again");
      if (++starts < max_starts) {
        complete = false;
        continue;
      }
      for (Evaluation& e : result.evaluations) e.failed = !e.known();
      break;
    }
    starts = 0;
    auto ready = engine->new_game(stop);
    for (std::size_t i = 0; i < count && complete; ++i) {
      if (result.evaluations[i].failed) continue;
      const Turn turn(scheduler_, task.asker.client, stop);
      if (!turn.taken()) break;
      const auto begin = std::chrono::steady_clock::now();
      auto evaluation = ready ? engine->evaluate(task.search(i), stop) : tl::make_unexpected(ready.error());
      if (evaluation) {
        result.evaluations[i] = std::move(*evaluation);
        result.evaluations[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        answer(i + 1);
        continue;
      }
      engine.reset();  // broken, or still thinking
      if (evaluation.error().code == ErrorCode::interrupted) {
        give_up();
        return result;
      }
      result.trouble = evaluation.error().sentence;
      const bool give_up_position = tries[i] + 1 >= max_tries;
      tell(evaluation.error(), ++failures,
           give_up_position ? "going on without this position" : "trying again with a new process");
      // All over again with a new engine, so that what follows does not depend on the failure; the position that keeps
      // failing is passed over.
      ++tries[i];
      if (give_up_position) result.evaluations[i].failed = true;
      complete = false;
    }
  }
  if (stop.stop_requested()) {
    give_up();
    return result;
  }
  answer(count);
  const bool some_failed =
      std::any_of(result.evaluations.begin(), result.evaluations.end(), [](const Evaluation& e) { return e.failed; });
  if (!some_failed) result.trouble.clear();  // it was overcome
  return result;
}

}  // namespace pm::engine
