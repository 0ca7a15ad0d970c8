#include "server/workshop.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "pgn/reader.h"
#include "pgn/source.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/json.h"
#include "review/engine_evaluator.h"
#include "review/people.h"
#include "review/run.h"
#include "server/job_news.h"

namespace pm::server {
namespace {

constexpr int reviewers = 2;               // reviews under way at once; they share the engines
constexpr std::size_t most_waiting = 200;  // reviews

// `phase`: "moves" while they are judged, then "people".
std::string state_json(ReviewState state, std::size_t done, std::size_t total, std::string_view phase = "moves") {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("state", word_of(state)).key("progress").begin_object().field("done", done);
  json.field("total", total).field("phase", phase).end_object().end_object();
  return text;
}

std::string review_event(bool provisional, std::string_view review) {
  return fmt::format(R"({{"provisional":{},"review":{}}})", provisional, value_of(review));
}

std::string text_tag(const pgn::Game& game, const char* name) {
  const std::string* value = game.find_tag(name);
  return value != nullptr && *value != "?" ? *value : "";
}

std::size_t plies_of(const pgn::Game& game) {
  std::size_t plies = 0;
  for (auto n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) ++plies;
  return plies;
}

// The game before anything is known of it: there to be walked through at once.
std::string bare_review(const pgn::ReadGame& read) {
  return report::review_json(review::assemble(read.game, review::GameEvals(plies_of(read.game) + 1), {}),
                             read.problems);
}

FinishedReview finished(const review::GameReview& review, std::span<const pgn::Problem> problems) {
  FinishedReview result;
  result.json = report::review_json(review, problems);
  result.engine = review.engine ? review.engine->name : "";
  result.white_accuracy = review.white.game.points_accuracy;
  result.black_accuracy = review.black.game.points_accuracy;
  result.exports["csv"] = report::csv_header() + report::review_csv(review, 1);
  for (std::size_t i = 0; i < report::scheme_names.size(); ++i) {
    result.exports[fmt::format("pgn-{}", report::scheme_names[i])] =
        pgn::write_game(report::annotated(review, static_cast<report::Scheme>(i)));
  }
  return result;
}

}  // namespace

GameHead head_of(const pgn::Game& game) {
  return {text_tag(game, "White"), text_tag(game, "Black"), text_tag(game, "Result"),
          text_tag(game, "Date"),  text_tag(game, "Event"), plies_of(game)};
}

Workshop::Workshop(Tools tools) : tools_(std::move(tools)) {
  if (tools_.pool == nullptr) return;  // what is unfinished waits for a time with an engine
  const std::scoped_lock lock(mutex_);
  for (const std::string& id : tools_.library->unfinished()) enqueue(id);
  for (int i = 0; i < reviewers; ++i) {
    reviewers_.emplace_back([this](const std::stop_token& closing) { work_on_reviews(closing); });
  }
}

void Workshop::close() {
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [id, job] : reviews_) job->stop.request_stop();
  }
  for (std::jthread& reviewer : reviewers_) reviewer.request_stop();
  reviewers_.clear();
}

Expected<SavedReview> Workshop::review(const std::string& pgn, int depth) {
  if (tools_.pool == nullptr) return fail(ErrorCode::no_engine, tools_.engine_problem);
  pgn::MemorySource source(pgn);
  pgn::GameReader reader(source);
  const auto read = reader.next();
  if (!read) return fail(ErrorCode::bad_input, "There is no game in this text.");
  if (reader.next()) return fail(ErrorCode::bad_input, "Expected one game, found more.");
  const std::scoped_lock lock(mutex_);
  if (waiting_.size() >= most_waiting) return fail(ErrorCode::busy, "Too many reviews are waiting.");
  auto saved = tools_.library->add(pgn, head_of(read->game), depth);
  if (!saved) return saved;
  tools_.library->keep(saved->id, bare_review(*read));
  enqueue(saved->id);
  return saved;
}

Expected<void> Workshop::restart_review(const std::string& id) {
  if (tools_.pool == nullptr) return fail(ErrorCode::no_engine, tools_.engine_problem);
  const std::scoped_lock lock(mutex_);
  const auto saved = tools_.library->find(id);
  const bool ended = saved && (saved->state == ReviewState::cancelled || saved->state == ReviewState::failed);
  if (!ended || reviews_.contains(id)) return {};
  if (waiting_.size() >= most_waiting) return fail(ErrorCode::busy, "Too many reviews are waiting.");
  enqueue(id);
  return {};
}

void Workshop::enqueue(const std::string& id) {
  tools_.library->set_state(id, ReviewState::waiting, "");
  reviews_[id] = std::make_shared<Job>();
  reviews_[id]->events->tell("progress", state_json(ReviewState::waiting, 0, 0));
  waiting_.push_back(id);
  changed_.notify_one();
}

void Workshop::work_on_reviews(const std::stop_token& closing) {
  for (;;) {
    std::string id;
    JobPointer job;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, closing, [&] { return !waiting_.empty(); })) return;
      id = waiting_.front();
      waiting_.pop_front();
      job = reviews_[id];
    }
    try {
      run_review(id, *job);
    } catch (const std::exception& error) {  // the library's disk is full, for example
      give_up(id, *job, error.what());
    }
    const std::scoped_lock lock(mutex_);
    reviews_.erase(id);
    if (closing.stop_requested()) return;
  }
}

void Workshop::give_up(const std::string& id, Job& job, const std::string& trouble) {
  job.stop.request_stop();  // whatever it has asked for
  std::string told = trouble;
  try {
    tools_.library->set_state(id, ReviewState::failed, trouble);
  } catch (const std::exception& error) {  // it is begun again next time, then
    told += fmt::format("; that is not saved either: {}", error.what());
  }
  job.events->end(end_json("failed", told));
}

void Workshop::run_review(const std::string& id, Job& job) {
  const auto saved = tools_.library->find(id);
  const std::string text = tools_.library->pgn(id);
  pgn::MemorySource source(text);
  pgn::GameReader reader(source);
  const auto read = reader.next();
  if (!saved || !read) return job.events->end(end_json("failed", "The game is not there any more."));
  {
    const std::scoped_lock lock(mutex_);
    if (job.stop.stop_requested()) return job.events->end(end_json("cancelled", ""));
    tools_.library->set_state(id, ReviewState::running, "");
  }
  const review::Client client{tools_.turns != nullptr ? tools_.turns->new_client() : 0, false};
  const std::stop_token stop = job.stop.get_token();
  const auto people = review::people_of(read->game, *tools_.model, {});
  const auto done = std::make_shared<std::atomic<std::size_t>>(0);  // an engine may answer after we are gone
  const review::EngineReview* running = nullptr;
  std::size_t told = 0;
  Throttle throttle;
  review::EngineReviewOptions options;
  options.limit = {engine::Limit::Kind::depth, static_cast<std::uint64_t>(saved->depth)};
  options.used.options = tools_.options;
  options.used.lines = 2;
  options.asker = {client, stop, [done](std::size_t positions) { *done += positions; }};
  options.on_wait = [&] {
    if (*done == told || !throttle.ready()) return;
    told = *done;
    job.events->tell("progress", state_json(ReviewState::running, told, running->positions()));
  };
  options.on_provisional = [&](review::GameReview review) {
    if (stop.stop_requested() || !review::add_people(review, *tools_.model, people)) return;
    const std::string json = report::review_json(review, read->problems);
    tools_.library->keep(id, json);
    job.events->tell("review", review_event(true, json));
  };
  review::EngineReview engine_review(read->game, *tools_.pool, options);
  running = &engine_review;
  job.events->tell("progress", state_json(ReviewState::running, 0, engine_review.positions()));
  review::GameReview review = engine_review.finish();
  if (is_wanted(tools_, stop) && review::add_people(review, *tools_.model, people)) {
    const std::size_t all = engine_review.positions();
    job.events->tell("progress", state_json(ReviewState::running, all, all, "people"));
    review::EngineEvaluator evaluator(*tools_.pool, tools_.cache, tools_.options, {}, client);
    review::add_expectations(review, *tools_.model, evaluator, review::review_parameters(saved->depth), stop);
  }
  end_review(id, job, review, *read, engine_review.trouble());
}

// Under the mutex: a review is cancelled or complete, not both.
void Workshop::end_review(const std::string& id, Job& job, const review::GameReview& review, const pgn::ReadGame& read,
                          const std::string& trouble) {
  const FinishedReview result = finished(review, read.problems);
  const std::scoped_lock lock(mutex_);
  job.done = true;
  if (!is_wanted(tools_, job.stop.get_token())) return job.events->end(end_json("cancelled", ""));
  if (!trouble.empty()) {
    tools_.library->keep(id, result.json);
    tools_.library->set_state(id, ReviewState::failed, trouble);
    job.events->tell("review", review_event(true, result.json));
    return job.events->end(end_json("failed", trouble));
  }
  tools_.library->finish(id, result);
  job.events->tell("review", review_event(false, result.json));
  job.events->end(end_json("complete", ""));
}

std::shared_ptr<EventLog> Workshop::events_of_review(const std::string& id) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = reviews_.find(id); found != reviews_.end()) return found->second->events;
  }
  const auto saved = tools_.library->find(id);
  if (!saved) return nullptr;
  auto events = std::make_shared<EventLog>();
  const std::string review = tools_.library->review(id);
  if (!review.empty()) events->tell("review", review_event(saved->state != ReviewState::complete, review));
  events->end(end_json(word_of(saved->state), saved->problem));
  return events;
}

bool Workshop::cancel_review(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = reviews_.find(id);
  if (found == reviews_.end() || found->second->done) return false;
  found->second->stop.request_stop();
  tools_.library->set_state(id, ReviewState::cancelled, "");
  if (const auto place = std::find(waiting_.begin(), waiting_.end(), id); place != waiting_.end()) {
    waiting_.erase(place);
    found->second->events->end(end_json("cancelled", ""));
    reviews_.erase(found);
  }
  return true;
}

bool Workshop::remove_review(const std::string& id) {
  cancel_review(id);
  return tools_.library->remove(id);
}

Workshop::Counts Workshop::counts() const {
  const std::scoped_lock lock(mutex_);
  Counts counts;
  counts.waiting = waiting_.size();
  counts.running = reviews_.size() - waiting_.size();
  return counts;
}

}  // namespace pm::server
