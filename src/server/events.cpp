#include "server/events.h"

#include <algorithm>

namespace pm::server {

void EventLog::tell(const std::string& name, std::string data) {
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    Event& place = latest_[name];
    data.swap(place.data);  // what was told before goes away outside of the lock
    place.number = ++last_;
    place.name = name;
  }
  wake_all();
}

void EventLog::end(std::string data) {
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    ended_ = true;
    latest_["end"] = {++last_, "end", std::move(data)};
  }
  wake_all();
}

bool EventLog::ended() const {
  const std::scoped_lock lock(mutex_);
  return ended_;
}

std::vector<Event> EventLog::since(std::uint64_t number) const {
  std::vector<Event> events;
  {
    const std::scoped_lock lock(mutex_);
    last_heard_ = Clock::now();
    for (const auto& [name, event] : latest_) {
      if (event.number > number) events.push_back(event);
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.number < b.number; });
  return events;
}

std::optional<std::string> EventLog::latest(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = latest_.find(name);
  return found == latest_.end() ? std::nullopt : std::optional(found->second.data);
}

bool EventLog::unheard_for(Clock::duration time) const {
  const std::scoped_lock lock(mutex_);
  return listeners_.empty() && Clock::now() - last_heard_ > time;
}

void EventLog::wake_all() {
  std::vector<Wake> wakes;
  {
    const std::scoped_lock lock(mutex_);
    wakes.reserve(listeners_.size());
    for (const auto& [id, wake] : listeners_) wakes.push_back(wake);
  }
  for (const Wake& wake : wakes) wake();
}

EventLog::Listening EventLog::listen(Wake wake) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t id = next_listener_++;
  listeners_[id] = std::move(wake);
  return {shared_from_this(), id};
}

EventLog::Listening::~Listening() {
  if (!log_) return;
  const std::scoped_lock lock(log_->mutex_);
  log_->listeners_.erase(id_);
  log_->last_heard_ = Clock::now();
}

}  // namespace pm::server
