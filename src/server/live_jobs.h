// Live jobs, for somebody who looks at the screen: judgements of single moves ("judgements"), lines of the engine
// ("lines") and expected win rates ("expectations"). Each runs on a thread of its own, goes before reviews, and ends
// when it is cancelled or nobody has listened for a while. They are remembered for a while after their end, not saved.
//
//   auto id = jobs.judge({line, 18, {1500, 1600}, review});
//   auto events = jobs.events_of("judgements", *id);
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

#include "chess/game_state.h"
#include "expect/parameters.h"
#include "human/ratings.h"
#include "server/events.h"
#include "server/saved_game.h"
#include "server/server_context.h"

namespace pm::server {

// A move to be judged: the last of a line.
struct JudgementRequest {
  chess::GameState line;
  int depth = 0;
  human::WantedRatings ratings;  // of the one who makes the move, and of the other
  std::string review;            // the saved review it belongs to: what that has found out is taken; empty: none
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  verdict::SchemeOptions options = {};
};

class LiveJobs {
 public:
  explicit LiveJobs(ServerContext context) : context_(std::move(context)) {}
  LiveJobs(const LiveJobs&) = delete;
  LiveJobs& operator=(const LiveJobs&) = delete;
  ~LiveJobs() { close(); }

  // The id of the job. Fails when there is no engine or too much is asked.
  Expected<std::string> judge(JudgementRequest request);
  // The engine's best moves, deeper and deeper.
  Expected<std::string> look(chess::GameState line, int depth);
  // `also`: moves to be looked at whatever they are worth.
  Expected<std::string> expect(const chess::GameState& line, const expect::Parameters& parameters,
                               std::vector<chess::Move> also = {});
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

  // What was found out about a line that somebody tried: a move after it is compared with the same scores.
  struct TriedLine {
    JudgementRequest request;
    bool of_review = false;  // it began with what the complete review had found out
    std::shared_ptr<const review::Evidence> evidence;
  };
  struct KnownLine {
    std::shared_ptr<const review::Evidence> evidence;
    std::size_t positions = 0;
    bool of_review = false;
  };
  KnownLine known_line(const JudgementRequest& request) const;
  std::shared_ptr<const SavedGame> finished_review(const JudgementRequest& request) const;
  void remember(TriedLine line);
  void judge_move(Job& job, const JudgementRequest& request);
  void look_deeper(Job& job, const chess::GameState& line, int depth);
  void find_expectation(Job& job, const expect::Request& request);

  template <class Work>
  Expected<std::string> start(std::string_view kind, Work work);
  JobPointer find_job(std::string_view kind, const std::string& id) const;
  bool still_wanted(Job& job) const;
  // For both the mutex is held.
  std::size_t count_running() const;
  void tidy();

  ServerContext context_;
  mutable std::mutex mutex_;
  std::map<std::string, JobPointer> jobs_;
  std::deque<std::string> recent_;  // oldest first
  std::deque<TriedLine> tried_;     // newest first
};

}  // namespace pm::server
