// Whose turn it is to think. Several pools may share the processors: each search takes a turn first, and gives it back
// after. Clients take turns among themselves, so that one with much to do does not keep the others waiting; those that
// somebody is waiting for go before all others.
//
//   Turns turns(2);
//   if (const Turn turn(turns, client, stop); turn.taken()) search();
//
// Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>

namespace pm::review {

// Somebody who asks for searches: a review, a question about one position.
struct Client {
  std::uint64_t number = 0;  // 0: nobody in particular
  bool urgent = false;       // somebody is waiting for it
};

class Turns {
 public:
  explicit Turns(int at_once) : free_(at_once) {}

  // Waits; false when asked to stop.
  bool take(const Client& client, const std::stop_token& stop);
  void give_back();

  // A number nobody else has.
  std::uint64_t new_client();

 private:
  bool is_next(const Client* waiting) const;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  int free_;
  std::list<const Client*> waiting_;               // in the order they came
  std::map<std::uint64_t, std::uint64_t> served_;  // when a client had its last turn; all forgotten when too many
  std::uint64_t count_ = 0;
  std::uint64_t clients_ = 0;
};

class Turn {
 public:
  // Without `turns` everybody may think at any time.
  Turn(Turns* turns, const Client& client, const std::stop_token& stop)
      : turns_(turns), taken_(turns == nullptr || turns->take(client, stop)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (turns_ != nullptr && taken_) turns_->give_back();
  }
  bool taken() const { return taken_; }

 private:
  Turns* turns_;
  bool taken_;
};

}  // namespace pm::review
