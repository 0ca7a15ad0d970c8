// The reviews behind the API: each is a job with events (events.h) that can be cancelled. They wait their turn, and
// what they find out is kept in the store.
//
//   ReviewJobs jobs(context);
//   auto saved = jobs.review(pgn, 18, options);
//   auto events = jobs.events_of_review(saved->id);
//
// Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/events.h"
#include "server/saved_game.h"
#include "server/server_context.h"

namespace pm::server {

class ReviewJobs {
 public:
  explicit ReviewJobs(ServerContext context);
  ReviewJobs(const ReviewJobs&) = delete;
  ReviewJobs& operator=(const ReviewJobs&) = delete;
  ~ReviewJobs() { close(); }

  // Fails when there is no engine or too much is waiting. `options`: of the schemes, as JSON.
  Expected<SavedReview> review(const std::string& pgn, int depth, const std::string& options);  // one game
  Expected<std::vector<SavedReview>> review_all(std::span<const NewReview> games);
  // Of a finished review the events are made up from what is saved. Null: no such review.
  Expected<std::shared_ptr<EventLog>> events_of_review(const std::string& id);
  // The same for somebody who looks at it: if it waits, it goes to the front of the line.
  Expected<std::shared_ptr<EventLog>> follow_review(const std::string& id);
  // Nothing happens to one that is not under way.
  Expected<void> cancel_review(const std::string& id);
  // Begins anew with one that was cancelled or failed; nothing happens to others.
  Expected<void> restart_review(const std::string& id);
  Expected<void> remove_review(const std::string& id);

  // Stops everything and waits for it. Reviews go on next time.
  void close();

  struct Counts {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Counts counts() const;
  // Of those that wait: 1 is next.
  std::map<std::string, std::size_t> places() const;
  std::optional<std::size_t> place_of(const std::string& id) const;

  static constexpr std::size_t most_waiting = 20'000;

 private:
  struct Job {
    std::shared_ptr<EventLog> events = std::make_shared<EventLog>();
    std::stop_source stop;
    bool done = false;          // under the mutex
    bool was_complete = false;  // by another human model: what was found out stays until it is found out anew
  };
  using JobPointer = std::shared_ptr<Job>;

  Expected<void> take_up_unfinished();
  void work_on_reviews(const std::stop_token& closing);
  void run_review(const std::string& id, Job& job);
  // Again and again while that may help and the server is not at its end: what a review has found out is not lost to a
  // lock or a full disk. Nobody else waits meanwhile.
  Expected<void> persist(const std::function<Expected<void>()>& save);
  // What was complete before is so again.
  void stay_complete(const std::string& id, Job& job, const std::string& trouble);
  // The mutex is held.
  void enqueue(const std::string& id, bool was_complete = false);
  void give_up(const std::string& id, Job& job, const std::string& trouble);
  void end_review(const std::string& id, Job& job, const SavedGame& game, const review::Gathered& gathered);

  ServerContext context_;
  std::stop_source closing_;
  std::atomic<bool> taken_up_ = false;  // what was unfinished when the program ended
  std::mutex restarting_;               // one restart at a time; taken before the other
  mutable std::mutex mutex_;  // of what follows; held for moments only: neither the store nor a review is worked on
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;            // reviews, in order
  std::map<std::string, JobPointer> reviews_;  // waiting and running
  std::vector<std::jthread> reviewers_;        // last: they use everything above
};

}  // namespace pm::server
