#include "server/review_jobs.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/either_stop.h"
#include "pgn/reader.h"
#include "pgn/source.h"
#include "report/json.h"
#include "review/evidence_codec.h"
#include "server/job_events.h"

namespace pm::server {
namespace {

constexpr int most_tries = 8;  // of writing to a disk that fails
constexpr std::chrono::milliseconds longest_pause{5'000};
constexpr int reviewers = 2;  // reviews under way at once; they share the engines

// `phase`: "moves" while they are judged, then "people".
std::string state_json(ReviewState state, std::size_t done, std::size_t total, std::string_view phase = "moves") {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("state", word_of(state)).key("progress").begin_object().field("done", done);
  json.field("total", total).field("phase", phase).end_object().end_object();
  return text;
}

std::string review_event(bool provisional, std::string_view review) {
  std::string text = fmt::format(R"({{"provisional":{},"review":)", provisional);
  text.reserve(text.size() + review.size() + 1);
  return text.append(value_of(review)).append("}");
}

// Tells the listeners of a job how its review goes, and keeps what a first look has found.
class JobSink final : public review::ReviewSink {
 public:
  // `keeps`: a first look replaces what is saved.
  JobSink(EventLog& events, ReviewStore& store, const std::string& id, bool keeps, std::stop_token stop)
      : events_(events), store_(store), id_(id), keeps_(keeps), stop_(std::move(stop)) {}

  void progress(const review::ReviewProgress& now) override {
    const bool news = now.done != told_.done || now.total != told_.total || now.stage != told_.stage;
    if (!news || !throttle_.ready()) return;
    told_ = now;
    const bool people = now.stage == review::ReviewProgress::Stage::people;
    events_.tell("progress", state_json(ReviewState::running, now.done, now.total, people ? "people" : "moves"));
  }
  void first_look(const review::Evidence& evidence) override {
    if (keeps_) (void)store_.keep(id_, review::format_evidence(evidence));  // a first look may be missed
    const auto game = read_saved_pgn(store_, id_);                          // with the options and lines of this moment
    if (!game) return;
    (*game)->evidence = evidence;
    const std::string json = (*game)->json(stop_);
    if (!stop_.stop_requested()) events_.tell("review", review_event(true, json));
  }

 private:
  EventLog& events_;
  ReviewStore& store_;
  const std::string& id_;
  bool keeps_;
  std::stop_token stop_;
  review::ReviewProgress told_;
  Throttle throttle_;
};

}  // namespace

ReviewJobs::ReviewJobs(ServerContext context) : context_(std::move(context)) {
  if (!context_.has_engine()) return;  // what is unfinished waits for a time with an engine
  taken_up_ = take_up_unfinished().has_value();
  for (int i = 0; i < reviewers; ++i) {
    reviewers_.emplace_back([this](const std::stop_token& closing) { work_on_reviews(closing); });
  }
}

Expected<void> ReviewJobs::take_up_unfinished() {
  const auto ids = context_.reviews->unfinished();
  if (!ids) return tl::make_unexpected(ids.error());
  for (const std::string& id : *ids) {
    const std::scoped_lock lock(mutex_);
    if (reviews_.contains(id)) continue;  // added meanwhile
    // Running or waiting, it is unfinished: it does not matter if that cannot be written now.
    (void)context_.reviews->set_state(id, ReviewState::waiting, "");
    enqueue(id);
  }
  return {};
}

void ReviewJobs::close() {
  closing_.request_stop();
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [id, job] : reviews_) job->stop.request_stop();
  }
  for (std::jthread& reviewer : reviewers_) reviewer.request_stop();
  reviewers_.clear();
}

Expected<void> ReviewJobs::persist(const std::function<Expected<void>()>& save) {
  std::chrono::milliseconds pause{50};
  for (int tries = 1;; ++tries) {
    auto saved = save();
    if (saved) return saved;
    const ErrorCode code = saved.error().code;
    const bool will_pass = code == ErrorCode::file_locked || code == ErrorCode::no_room;
    const bool may_pass = (code == ErrorCode::file_write || code == ErrorCode::file_read) && tries < most_tries;
    if (!(will_pass || may_pass)) return saved;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, closing_.get_token(), pause, [] { return false; });
    if (closing_.stop_requested()) return save();
    pause = std::min(2 * pause, longest_pause);
  }
}

Expected<SavedReview> ReviewJobs::review(const std::string& pgn, int depth, const std::string& options) {
  pgn::MemorySource source(pgn);
  pgn::GameReader reader(source);
  const auto read = reader.next();
  if (!read) return fail(ErrorCode::bad_input, "There is no game in this text.");
  if (reader.next()) return fail(ErrorCode::bad_input, "Expected one game, found more.");
  const NewReview game{pgn, head_of(read->game), depth, options};
  auto saved = review_all({&game, 1});
  if (!saved) return tl::make_unexpected(std::move(saved.error()));
  return std::move(saved->front());
}

Expected<std::vector<SavedReview>> ReviewJobs::review_all(std::span<const NewReview> games) {
  if (!context_.has_engine()) return fail(ErrorCode::no_engine, context_.engine_problem);
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() + games.size() > most_waiting) return fail(ErrorCode::busy, "Too many reviews are waiting.");
  }
  auto saved = context_.reviews->add_all(games);
  if (!saved) return saved;
  const std::scoped_lock lock(mutex_);
  for (const SavedReview& each : *saved) enqueue(each.id);
  return saved;
}

Expected<void> ReviewJobs::restart_review(const std::string& id) {
  if (!context_.has_engine()) return fail(ErrorCode::no_engine, context_.engine_problem);
  const auto game = open_saved_game(*context_.reviews, id);
  if (!game && game.error().code == ErrorCode::file_locked) return tl::make_unexpected(game.error());
  // Complete, but by a human model that is not the one in use any more.
  const bool other_people =
      game && (*game)->evidence.human && (*game)->evidence.human->sha256 != context_.model().identity().sha256;
  const std::scoped_lock restarting(restarting_);
  {
    const std::scoped_lock lock(mutex_);
    if (reviews_.contains(id)) return {};
    if (waiting_.size() >= most_waiting) return fail(ErrorCode::busy, "Too many reviews are waiting.");
  }
  const auto saved = context_.reviews->find(id);
  if (!saved) return tl::make_unexpected(saved.error());
  const bool ended =
      saved->state == ReviewState::cancelled || saved->state == ReviewState::failed || !game || other_people;
  if (!ended) return {};
  if (auto kept = context_.reviews->set_state(id, ReviewState::waiting, ""); !kept) return kept;
  const std::scoped_lock lock(mutex_);
  enqueue(id, saved->state == ReviewState::complete && game.has_value());
  return {};
}

void ReviewJobs::enqueue(const std::string& id, bool was_complete) {
  reviews_[id] = std::make_shared<Job>();
  reviews_[id]->was_complete = was_complete;
  reviews_[id]->events->tell("progress", state_json(ReviewState::waiting, 0, 0));
  waiting_.push_back(id);
  changed_.notify_one();
}

void ReviewJobs::work_on_reviews(const std::stop_token& closing) {
  if (!taken_up_.exchange(true)) (void)persist([this] { return take_up_unfinished(); });
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
    } catch (const std::exception& error) {  // no memory, for example
      give_up(id, *job, error.what());
    }
    const std::scoped_lock lock(mutex_);
    reviews_.erase(id);
    if (closing.stop_requested()) return;
  }
}

void ReviewJobs::give_up(const std::string& id, Job& job, const std::string& trouble) {
  job.stop.request_stop();  // whatever it has asked for
  std::string told = trouble;
  const auto saved = persist([&] { return context_.reviews->set_state(id, ReviewState::failed, trouble); });
  // It is begun again next time, then.
  if (!saved) told += fmt::format("; that is not saved either: {}", saved.error().sentence);
  job.events->end(end_json("failed", told));
}

void ReviewJobs::run_review(const std::string& id, Job& job) {
  Expected<SavedReview> saved = SavedReview{};
  Expected<std::shared_ptr<SavedGame>> game = nullptr;
  const auto read = persist([&]() -> Expected<void> {
    saved = context_.reviews->find(id);
    if (!saved) return tl::make_unexpected(saved.error());
    game = read_saved_pgn(*context_.reviews, id);  // whatever is known of it is found out again, from the cache
    if (!game) return tl::make_unexpected(game.error());
    return {};
  });
  if (!read && read.error().code == ErrorCode::no_such_review) return job.events->end(end_json("cancelled", ""));
  if (!read) return give_up(id, job, read.error().sentence);
  if (job.stop.stop_requested() && job.was_complete) return stay_complete(id, job, "");
  if (job.stop.stop_requested()) return job.events->end(end_json("cancelled", ""));
  (void)context_.reviews->begin(id);  // waiting or running, it is unfinished
  review::ReviewRequest request;
  request.limit = {engine::Limit::Kind::depth, static_cast<std::uint64_t>(saved->depth)};
  request.effort = review::Effort::adaptive;
  request.first_look = true;
  request.asker = {context_.new_client(false), job.stop.get_token(), {}};
  const EitherStop stop(job.stop.get_token(), context_.closing());
  JobSink sink(*job.events, *context_.reviews, id, !job.was_complete, stop.token());
  review::Reviewer reviewer((*game)->read.game, context_.sources(), std::move(request));
  const review::Gathered gathered = reviewer.gather(sink);
  const auto now = read_saved_pgn(*context_.reviews, id);  // options and lines may have changed meanwhile
  end_review(id, job, now ? **now : **game, gathered);
}

void ReviewJobs::stay_complete(const std::string& id, Job& job, const std::string& trouble) {
  const auto saved = persist([&] { return context_.reviews->set_state(id, ReviewState::complete, ""); });
  if (const auto game = open_saved_game(*context_.reviews, id)) {
    job.events->tell("review", review_event(false, (*game)->json(context_.closing())));
  }
  job.events->end(end_json("complete", saved ? trouble : saved.error().sentence));
}

// A review is cancelled or complete, not both: once it is done nobody cancels it. All that takes time is done before,
// and nothing of a review that was cancelled. It is told to have ended when it is saved.
void ReviewJobs::end_review(const std::string& id, Job& job, const SavedGame& game, const review::Gathered& gathered) {
  const std::string& trouble = gathered.engine_trouble.empty() ? gathered.human_trouble : gathered.engine_trouble;
  const EitherStop stop(job.stop.get_token(), context_.closing());
  FinishedReview finished;
  std::string event;
  if (gathered.complete && !stop.stop_requested()) {
    const review::GameReview review = review::assemble(game.read.game, gathered.evidence, game.options, stop.token());
    finished = {review::format_evidence(gathered.evidence), gathered.evidence.engine->name,
                review.white.game.points_accuracy, review.black.game.points_accuracy};
    event = review_event(!trouble.empty(), report::review_json(review, game.read.problems, game.lines, stop.token()));
  }
  bool cancelled = false;
  {
    const std::scoped_lock lock(mutex_);
    job.done = true;
    cancelled = !gathered.complete || stop.stop_requested();
  }
  if (job.was_complete && (cancelled || !trouble.empty())) return stay_complete(id, job, trouble);
  if (cancelled) return job.events->end(end_json("cancelled", ""));
  job.events->tell("review", std::move(event));
  if (!trouble.empty()) {
    (void)persist([&] { return context_.reviews->keep(id, finished.evidence); });
    return give_up(id, job, trouble);
  }
  const auto saved = persist([&] { return context_.reviews->finish(id, finished); });
  if (!saved) return give_up(id, job, saved.error().sentence);
  job.events->end(end_json("complete", ""));
}

Expected<std::shared_ptr<EventLog>> ReviewJobs::events_of_review(const std::string& id) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = reviews_.find(id); found != reviews_.end()) return found->second->events;
  }
  const auto saved = context_.reviews->find(id);
  if (!saved) return tl::make_unexpected(saved.error());
  auto events = std::make_shared<EventLog>();
  if (const auto game = open_saved_game(*context_.reviews, id)) {
    const std::string json = (*game)->json(context_.closing());
    events->tell("review", review_event(saved->state != ReviewState::complete, json));
  }
  events->end(end_json(word_of(saved->state), saved->problem));
  return events;
}

Expected<std::shared_ptr<EventLog>> ReviewJobs::follow_review(const std::string& id) {
  {
    const std::scoped_lock lock(mutex_);
    const auto place = std::find(waiting_.begin(), waiting_.end(), id);
    if (place != waiting_.end()) std::rotate(waiting_.begin(), place, place + 1);
  }
  return events_of_review(id);
}

// First in the store: what cannot be written there goes on.
Expected<void> ReviewJobs::cancel_review(const std::string& id) {
  JobPointer job;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = reviews_.find(id);
    if (found == reviews_.end() || found->second->done) return {};
    job = found->second;
  }
  if (!job->was_complete) {
    if (auto cancelled = context_.reviews->cancel(id); !cancelled) return cancelled;
  }
  bool waited = false;
  {
    const std::scoped_lock lock(mutex_);
    job->stop.request_stop();
    waited = std::erase(waiting_, id) > 0;
    if (waited) reviews_.erase(id);
  }
  if (!waited) return {};
  if (job->was_complete) {
    stay_complete(id, *job, "");
  } else {
    job->events->end(end_json("cancelled", ""));
  }
  return {};
}

// One transaction; then whoever works on it is told.
Expected<void> ReviewJobs::remove_review(const std::string& id) {
  if (auto removed = context_.reviews->remove(id); !removed) return removed;
  const std::scoped_lock lock(mutex_);
  const auto found = reviews_.find(id);
  if (found == reviews_.end()) return {};
  found->second->stop.request_stop();
  if (std::erase(waiting_, id) == 0) return {};
  found->second->events->end(end_json("cancelled", ""));
  reviews_.erase(found);
  return {};
}

ReviewJobs::Counts ReviewJobs::counts() const {
  const std::scoped_lock lock(mutex_);
  Counts counts;
  counts.waiting = waiting_.size();
  counts.running = reviews_.size() - waiting_.size();
  return counts;
}

std::optional<std::size_t> ReviewJobs::place_of(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto place = std::find(waiting_.begin(), waiting_.end(), id);
  return place == waiting_.end() ? std::nullopt : std::optional<std::size_t>(place - waiting_.begin() + 1);
}

std::map<std::string, std::size_t> ReviewJobs::places() const {
  const std::scoped_lock lock(mutex_);
  std::map<std::string, std::size_t> places;
  for (const std::string& id : waiting_) places.emplace(id, places.size() + 1);
  return places;
}

}  // namespace pm::server
