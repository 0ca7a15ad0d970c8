#include "engine/engine_scheduler.h"

#include <algorithm>

namespace pm::engine {
namespace {

constexpr std::size_t most_remembered = 1000;  // clients; those that come back after that count as new

}  // namespace

// The urgent before the others, then who waited longest since the last turn.
bool EngineScheduler::goes_before(const Client& a, const Client& b) const {
  if (a.urgent != b.urgent) return a.urgent;
  const auto last_turn = [&](const Client& client) {
    const auto found = served_.find(client.number);
    return found == served_.end() ? 0 : found->second;
  };
  return last_turn(a) < last_turn(b);
}

bool EngineScheduler::is_next(const Client* waiting) const {
  const auto next = std::min_element(waiting_.begin(), waiting_.end(),
                                     [&](const Client* a, const Client* b) { return goes_before(*a, *b); });
  return *next == waiting;
}

std::size_t EngineScheduler::next_of(std::span<const Client* const> waiting) const {
  const std::scoped_lock lock(mutex_);
  const auto next = std::min_element(waiting.begin(), waiting.end(),
                                     [&](const Client* a, const Client* b) { return goes_before(*a, *b); });
  return static_cast<std::size_t>(next - waiting.begin());
}

bool EngineScheduler::take(const Client& client, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto place = waiting_.insert(waiting_.end(), &client);
  const bool ready = changed_.wait(lock, stop, [&] { return free_ > 0 && is_next(&client); });
  waiting_.erase(place);
  if (!ready) {
    changed_.notify_all();
    return false;
  }
  --free_;
  if (served_.size() >= most_remembered) served_.clear();
  served_[client.number] = ++count_;
  changed_.notify_all();
  return true;
}

void EngineScheduler::give_back() {
  {
    const std::scoped_lock lock(mutex_);
    ++free_;
  }
  changed_.notify_all();
}

std::uint64_t EngineScheduler::new_client() {
  const std::scoped_lock lock(mutex_);
  return ++clients_;
}

}  // namespace pm::engine
