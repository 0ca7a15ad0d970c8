// What a job tells as it goes, for any number of listeners: of each kind of event only the latest matters, so a slow
// listener costs nothing and a late one gets the whole picture at once.
//
//   log.tell("progress", json);                 // from the job's thread
//   const Listening heard = log.listen(wake);   // from a connection; wake() is called after every tell
//   for (const Event& event : log.since(seen)) ...
//
// Any thread. wake() is called without any lock held and must be quick.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pm::server {

struct Event {
  std::uint64_t number;  // grows with every event of the job, and over restarts of the program
  std::string name;
  std::string data;  // JSON on one line
};

class EventLog : public std::enable_shared_from_this<EventLog> {
 public:
  using Wake = std::function<void()>;

  void tell(const std::string& name, std::string data);
  // The last word: nothing is told after it.
  void end(std::string data);
  bool ended() const;

  std::vector<Event> since(std::uint64_t number) const;
  // The latest of a kind, if there is one.
  std::optional<std::string> latest(const std::string& name) const;

  // Nobody listens, and nobody has asked for that long.
  bool unheard_for(std::chrono::steady_clock::duration time) const;

  // Listens until the result goes away.
  class Listening {
   public:
    Listening() = default;
    Listening(std::shared_ptr<EventLog> log, std::uint64_t id) : log_(std::move(log)), id_(id) {}
    Listening(Listening&& other) noexcept = default;
    Listening& operator=(Listening&& other) noexcept = default;
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening();

   private:
    std::shared_ptr<EventLog> log_;
    std::uint64_t id_ = 0;
  };
  Listening listen(Wake wake);

 private:
  using Clock = std::chrono::steady_clock;
  void wake_all();

  mutable std::mutex mutex_;
  // Begins with the time: a listener who knows the numbers of an earlier run takes nothing of this one for old.
  std::uint64_t last_ = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  bool ended_ = false;
  std::map<std::string, Event> latest_;  // by name
  std::map<std::uint64_t, Wake> listeners_;
  std::uint64_t next_listener_ = 1;
  mutable Clock::time_point last_heard_ = Clock::now();
};

}  // namespace pm::server
