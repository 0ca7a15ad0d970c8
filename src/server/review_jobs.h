// The reviews behind the API: each is a job with events (events.h) that can be cancelled. They wait their turn, and
// what they find out is kept in the store.
//
//   ReviewJobs jobs(context);
//   auto saved = jobs.review(pgn, 18, options);
//   auto events = jobs.events_of_review(saved->id);
//
// Any thread.
#pragma once

#include <condition_variable>
#include <deque>
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
  std::shared_ptr<EventLog> events_of_review(const std::string& id);
  // The same for somebody who looks at it: if it waits, it goes to the front of the line.
  std::shared_ptr<EventLog> follow_review(const std::string& id);
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
  // Of those that wait: 1 is next.
  std::map<std::string, std::size_t> places() const;
  std::optional<std::size_t> place_of(const std::string& id) const;

  static constexpr std::size_t most_waiting = 20'000;

 private:
  struct Job {
    std::shared_ptr<EventLog> events = std::make_shared<EventLog>();
    std::stop_source stop;
    bool done = false;          // under changing_
    bool was_complete = false;  // by another human model: what was found out stays until it is found out anew
  };
  using JobPointer = std::shared_ptr<Job>;

  JobPointer find_job(const std::string& id) const;  // null: it neither waits nor runs
  void work_on_reviews(const std::stop_token& closing);
  void run_review(const std::string& id, Job& job);
  // What was complete before is so again. With changing_ held; tell_old() afterwards, without.
  void stay_complete(const std::string& id);
  void tell_old(const std::string& id, Job& job, const std::string& trouble);
  void enqueue(const std::string& id, bool was_complete = false);  // with mutex_ held
  void give_up(const std::string& id, Job& job, const std::string& trouble);
  void end_review(const std::string& id, Job& job, const SavedGame& game, const review::Gathered& gathered);

  ServerContext context_;
  // Held while a review becomes another one, here and in the store: it is cancelled or complete, not both. Saving takes
  // time, so nobody who only wants to look waits for it; where both are held, this one is taken first.
  std::mutex changing_;
  mutable std::mutex mutex_;  // of what follows; held for moments only: neither the store nor a review is worked on
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;            // reviews, in order
  std::map<std::string, JobPointer> reviews_;  // waiting and running
  std::vector<std::jthread> reviewers_;        // last: they use everything above
};

}  // namespace pm::server
