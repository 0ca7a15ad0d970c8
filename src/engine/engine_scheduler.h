// Whose turn it is to think. Several pools may share the processors: each search takes a turn first, and gives it back
// after. Clients take turns, so that one with much to do does not keep the others waiting; those that somebody is
// waiting for go before all others. This is the only place where that is decided.
//
//   EngineScheduler scheduler(2);
//   if (const Turn turn(scheduler, client, stop); turn.taken()) search();
//
// Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <span>
#include <stop_token>

namespace pm::engine {

// Somebody who asks for searches: a review, a question about one position.
struct Client {
  std::uint64_t number = 0;  // 0: nobody in particular
  bool urgent = false;       // somebody is waiting for it
  friend bool operator==(const Client&, const Client&) = default;
};

class EngineScheduler {
 public:
  explicit EngineScheduler(int at_once) : free_(at_once) {}

  // Waits; false when asked to stop.
  bool take(const Client& client, const std::stop_token& stop);
  void give_back();

  // Which of these, in the order they came, is to be served next; there must be one.
  std::size_t next_of(std::span<const Client* const> waiting) const;

  // A number nobody else has.
  std::uint64_t new_client();

 private:
  bool goes_before(const Client& a, const Client& b) const;
  bool is_next(const Client* waiting) const;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  int free_;
  std::list<const Client*> waiting_;               // in the order they came
  std::map<std::uint64_t, std::uint64_t> served_;  // when a client had its last turn; all forgotten when too many
  std::uint64_t count_ = 0;
  std::uint64_t clients_ = 0;
};

class Turn {
 public:
  Turn(EngineScheduler& scheduler, const Client& client, const std::stop_token& stop)
      : scheduler_(scheduler), taken_(scheduler.take(client, stop)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (taken_) scheduler_.give_back();
  }
  bool taken() const { return taken_; }

 private:
  EngineScheduler& scheduler_;
  bool taken_;
};

}  // namespace pm::engine
