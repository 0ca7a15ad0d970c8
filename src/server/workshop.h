// The reviews behind the API: each is a job with events (events.h) that can be cancelled. They wait their turn and are
// kept in the library.
//
//   Workshop workshop(tools);
//   auto saved = workshop.review(pgn, 18);
//   auto events = workshop.events_of_review(saved->id);
//
// Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "pgn/reader.h"
#include "server/events.h"
#include "server/library.h"
#include "server/tools.h"

namespace pm::server {

// What a list shows of a game.
GameHead head_of(const pgn::Game& game);

class Workshop {
 public:
  explicit Workshop(Tools tools);
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() { close(); }

  // The text must have one game. Fails when there is no engine or too much is waiting.
  Expected<SavedReview> review(const std::string& pgn, int depth);
  // Of a finished review the events are made up from what is saved. Null: no such review.
  std::shared_ptr<EventLog> events_of_review(const std::string& id);
  bool cancel_review(const std::string& id);
  // Begins anew with one that was cancelled or failed; nothing happens to others.
  Expected<void> restart_review(const std::string& id);
  bool remove_review(const std::string& id);

  // Stops everything and waits for it. Reviews go on next time.
  void close();

  struct Counts {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Counts counts() const;

 private:
  struct Job {
    std::shared_ptr<EventLog> events = std::make_shared<EventLog>();
    std::stop_source stop;
    bool done = false;  // for the workshop's mutex
  };
  using JobPointer = std::shared_ptr<Job>;

  void work_on_reviews(const std::stop_token& closing);
  void enqueue(const std::string& id);  // the mutex is held
  void run_review(const std::string& id, Job& job);
  void give_up(const std::string& id, Job& job, const std::string& trouble);
  void end_review(const std::string& id, Job& job, const review::GameReview& review, const pgn::ReadGame& read,
                  const std::string& trouble);

  Tools tools_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;            // reviews, in order
  std::map<std::string, JobPointer> reviews_;  // waiting and running
  std::vector<std::jthread> reviewers_;        // last: they use everything above
};

}  // namespace pm::server
