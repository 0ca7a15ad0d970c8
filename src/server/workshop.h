// The work behind the API: reviews, judgements of single moves, expected win rates. Each is a job with events
// (events.h) that can be cancelled. Reviews are kept in the library and wait their turn; the others are for somebody
// who looks at the screen, and go first.
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

#include "expect/parameters.h"
#include "human/human_model.h"
#include "pgn/reader.h"
#include "review/pool.h"
#include "server/events.h"
#include "server/library.h"

namespace pm::server {

// What the workshop works with; all of it outlives the workshop.
struct Tools {
  review::EnginePool* pool = nullptr;                        // two lines, for reviews; null: there is no engine
  review::EnginePool* single_pool = nullptr;                 // one line, for expected win rates
  std::vector<std::pair<std::string, std::string>> options;  // of the pool's engines, for the record
  std::vector<std::pair<std::string, std::string>> single_options;
  std::string engine_problem;  // why there is none
  store::Store* cache = nullptr;
  human::HumanModel* model = nullptr;
  review::Turns* turns = nullptr;
  Library* library = nullptr;
};

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

  // Jobs of the moment, of the kinds "judgements" and "expectations": kept for a while after their end.
  // They end when nobody has listened for a while.
  Expected<std::string> judge(Line line, int depth, Ratings ratings);
  Expected<std::string> expect(Line line, const expect::Parameters& parameters);
  std::shared_ptr<EventLog> events_of_job(std::string_view kind, const std::string& id);
  bool cancel_job(std::string_view kind, const std::string& id);

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
    std::string_view kind;  // of a job of the moment
    std::jthread thread;    // of the same
    bool done = false;      // for the workshop's mutex
  };
  using JobPointer = std::shared_ptr<Job>;

  void work_on_reviews(const std::stop_token& closing);
  void enqueue(const std::string& id);  // the mutex is held
  void run_review(const std::string& id, Job& job);
  void give_up(const std::string& id, Job& job, const std::string& trouble);
  void end_review(const std::string& id, Job& job, const review::GameReview& review, const pgn::ReadGame& read,
                  const std::string& trouble);
  template <class Work>
  Expected<std::string> start(std::string_view kind, Work work);
  JobPointer find_job(std::string_view kind, const std::string& id) const;
  bool wanted(const std::stop_token& stop) const;
  bool still_wanted(Job& job) const;
  void tidy();

  Tools tools_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;            // reviews, in order
  std::map<std::string, JobPointer> reviews_;  // waiting and running
  std::map<std::string, JobPointer> jobs_;     // of the moment
  std::deque<std::string> recent_;             // jobs, oldest first
  std::vector<std::jthread> reviewers_;        // last: they use everything above
};

}  // namespace pm::server
