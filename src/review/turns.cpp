#include "review/turns.h"

#include <algorithm>

namespace pm::review {
namespace {

constexpr std::size_t most_remembered = 1000;  // clients; those that come back after that count as new

}  // namespace

// The urgent before the others, then who waited longest since the last turn, then who came first.
bool Turns::is_next(const Client* waiting) const {
  const auto last_turn = [&](const Client* client) {
    const auto found = served_.find(client->number);
    return found == served_.end() ? 0 : found->second;
  };
  const auto before = [&](const Client* a, const Client* b) {
    if (a->urgent != b->urgent) return a->urgent;
    return last_turn(a) < last_turn(b);
  };
  return std::none_of(waiting_.begin(), waiting_.end(),
                      [&](const Client* other) { return other != waiting && before(other, waiting); }) &&
         *std::find_if(waiting_.begin(), waiting_.end(),
                       [&](const Client* other) { return !before(waiting, other); }) == waiting;
}

bool Turns::take(const Client& client, const std::stop_token& stop) {
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

void Turns::give_back() {
  {
    const std::scoped_lock lock(mutex_);
    ++free_;
  }
  changed_.notify_all();
}

std::uint64_t Turns::new_client() {
  const std::scoped_lock lock(mutex_);
  return ++clients_;
}

}  // namespace pm::review
