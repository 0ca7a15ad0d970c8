// Jobs of the moment, for somebody who looks at the screen: judgements of single moves ("judgements") and expected win
// rates ("expectations"). Each runs on a thread of its own, goes before reviews, and ends when it is cancelled or
// nobody has listened for a while. They are remembered for a while after their end, not saved.
//
//   auto id = moments.judge(line, 18, {1500, 1600});
//   auto events = moments.events_of("judgements", *id);
//
// Any thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "expect/parameters.h"
#include "server/events.h"
#include "server/tools.h"

namespace pm::server {

// A position with its history: a start and moves from it.
struct Line {
  chess::Position start = chess::Position::start();
  std::vector<chess::Move> moves;
};

// Of the one who makes the move in question, and of the other.
struct Ratings {
  int own = human::default_rating;
  int opponent = human::default_rating;
};

class Moments {
 public:
  explicit Moments(Tools tools) : tools_(std::move(tools)) {}
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;
  ~Moments() { close(); }

  // The id of the job. Fails when there is no engine or too much is asked.
  Expected<std::string> judge(Line line, int depth, Ratings ratings);
  Expected<std::string> expect(Line line, const expect::Parameters& parameters);
  // Null: no such job.
  std::shared_ptr<EventLog> events_of(std::string_view kind, const std::string& id);
  bool cancel(std::string_view kind, const std::string& id);
  std::size_t running() const;

  // Stops everything and waits for it.
  void close();

 private:
  struct Job {
    std::shared_ptr<EventLog> events = std::make_shared<EventLog>();
    std::stop_source stop;
    std::string_view kind;
    std::jthread thread;
    bool done = false;  // for the mutex
  };
  using JobPointer = std::shared_ptr<Job>;

  template <class Work>
  Expected<std::string> start(std::string_view kind, Work work);
  JobPointer find_job(std::string_view kind, const std::string& id) const;
  bool still_wanted(Job& job) const;
  // For both the mutex is held.
  std::size_t count_running() const;
  void tidy();

  Tools tools_;
  mutable std::mutex mutex_;
  std::map<std::string, JobPointer> jobs_;
  std::deque<std::string> recent_;  // oldest first
};

}  // namespace pm::server
