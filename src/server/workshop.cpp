#include "server/workshop.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "chess/uci.h"
#include "expect/analysis.h"
#include "pgn/reader.h"
#include "pgn/source.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/expect_json.h"
#include "report/json.h"
#include "review/engine_evaluator.h"
#include "review/people.h"
#include "review/run.h"

namespace pm::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int reviewers = 2;                 // reviews under way at once; they share the engines
constexpr std::size_t most_waiting = 200;    // reviews
constexpr std::size_t most_jobs = 8;         // of the moment, running
constexpr std::size_t most_remembered = 64;  // of the moment, ended
constexpr std::chrono::milliseconds between_news{250};
constexpr std::chrono::minutes unheard_time{1};  // after which a job of the moment gives up

// `phase`: "moves" while they are judged, then "people".
std::string state_json(ReviewState state, std::size_t done, std::size_t total, std::string_view phase = "moves") {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("state", word_of(state)).key("progress").begin_object().field("done", done);
  json.field("total", total).field("phase", phase).end_object().end_object();
  return text;
}

std::string end_json(std::string_view state, const std::string& problem) {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("state", state).key("problem");
  if (problem.empty()) {
    json.null();
  } else {
    json.value(problem);
  }
  json.end_object();
  return text;
}

// JSON that ends with a line break, as a value in JSON on one line.
std::string_view value_of(std::string_view json) { return json.substr(0, json.find_last_not_of('\n') + 1); }

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

// News that are not told more often than somebody can read them.
class Throttle {
 public:
  bool ready() {
    const auto now = Clock::now();
    if (now < next_) return false;
    next_ = now + between_news;
    return true;
  }

 private:
  Clock::time_point next_;
};

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
    for (auto& [id, job] : jobs_) job->stop.request_stop();
  }
  for (std::jthread& reviewer : reviewers_) reviewer.request_stop();
  reviewers_.clear();
  for (auto& [id, job] : jobs_) {
    if (job->thread.joinable()) job->thread.join();
  }
}

// Neither the one who asked nor the program is at its end.
bool Workshop::wanted(const std::stop_token& stop) const {
  return !stop.stop_requested() && !tools_.pool->stop().stop_requested();
}

// A job of the moment that nobody listens to is not, either.
bool Workshop::still_wanted(Job& job) const {
  if (job.events->unheard_for(unheard_time)) job.stop.request_stop();
  return wanted(job.stop.get_token());
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
  if (wanted(stop) && review::add_people(review, *tools_.model, people)) {
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
  if (!wanted(job.stop.get_token())) return job.events->end(end_json("cancelled", ""));
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

// Threads of jobs that are done are joined by whoever starts the next one.
void Workshop::tidy() {
  for (auto& [id, job] : jobs_) {
    if (job->done && job->thread.joinable()) job->thread.join();
  }
  while (recent_.size() > most_remembered) {
    const auto oldest = jobs_.find(recent_.front());
    if (oldest != jobs_.end() && !oldest->second->done) break;
    if (oldest != jobs_.end()) jobs_.erase(oldest);
    recent_.pop_front();
  }
}

template <class Work>
Expected<std::string> Workshop::start(std::string_view kind, Work work) {
  if (tools_.pool == nullptr) return fail(ErrorCode::no_engine, tools_.engine_problem);
  const std::scoped_lock lock(mutex_);
  tidy();
  const auto running = std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job.second->done; });
  if (static_cast<std::size_t>(running) >= most_jobs) return fail(ErrorCode::busy, "Too much is asked at once.");
  std::string id = new_id();
  const auto job = std::make_shared<Job>();
  job->kind = kind;
  jobs_[id] = job;
  recent_.push_back(id);
  job->thread = std::jthread([this, job = job.get(), work = std::move(work)] {
    try {
      work(*job);
    } catch (const std::exception& error) {
      job->events->end(end_json("failed", error.what()));
    }
    const std::scoped_lock lock(mutex_);
    job->done = true;
  });
  return id;
}

Expected<std::string> Workshop::judge(Line line, int depth, Ratings ratings) {
  return start("judgements", [this, line = std::move(line), depth, ratings](Job& job) {
    pgn::Game game;
    game.start = line.start;
    pgn::NodeId at = pgn::Game::root;
    for (const chess::Move move : line.moves) at = game.add_move(at, move);
    const std::size_t ply = line.moves.size() - 1;
    const bool white = (ply % 2 == 0) == (line.start.side_to_move() == chess::Colour::white);
    const auto people = review::people_of(
        game, *tools_.model, {white ? ratings.own : ratings.opponent, white ? ratings.opponent : ratings.own});
    const review::Client client{tools_.turns != nullptr ? tools_.turns->new_client() : 0, true};
    const int quick = static_cast<int>(review::provisional_limit.value);
    for (int now = std::min(quick, depth); still_wanted(job); now = depth) {
      const auto limit = engine::Limit{engine::Limit::Kind::depth, static_cast<std::uint64_t>(now)};
      review::GameEvals evals(line.moves.size() + 1);
      for (review::Segment& segment : review::plan_pair(game, ply, limit)) {
        const auto asked = segment.wanted;
        auto answer = tools_.pool->submit(std::move(segment), review::EnginePool::Order::last,
                                          {client, job.stop.get_token(), {}});
        while (answer.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready && still_wanted(job)) {
        }
        if (!still_wanted(job)) break;
        review::SegmentResult result = answer.get();
        for (std::size_t i = 0; i < result.evals.size(); ++i) evals[asked[i]] = std::move(result.evals[i]);
      }
      if (!still_wanted(job)) break;
      review::GameReview review = review::assemble(game, std::move(evals), {});
      if (const auto added = review::add_people(review, *tools_.model, people); !added) {
        return job.events->end(end_json("failed", added.error().sentence));
      }
      job.events->tell("judgement", fmt::format(R"({{"provisional":{},"ply":{}}})", now < depth,
                                                value_of(report::ply_json(review, ply))));
      if (now == depth) return job.events->end(end_json("complete", ""));
    }
    job.events->end(end_json("cancelled", ""));
  });
}

Expected<std::string> Workshop::expect(Line line, const expect::Parameters& parameters) {
  return start("expectations", [this, line = std::move(line), parameters](Job& job) {
    human::Trail trail(line.start);
    for (const chess::Move move : line.moves) trail.play(move);
    const review::Client client{tools_.turns != nullptr ? tools_.turns->new_client() : 0, true};
    review::EngineEvaluator evaluator(*tools_.single_pool, tools_.cache, tools_.single_options, {}, client);
    const auto begin = Clock::now();
    const auto tell = [&](const expect::Analysis& analysis) {
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      std::string text =
          fmt::format(R"({{"seconds":{:.3f},"evaluations":{},"known":{},"total_is_final":{},"analysis":)", seconds,
                      analysis.evaluations, analysis.known, analysis.counts.total_is_final);
      text += value_of(report::expect_json(analysis, {trail, tools_.model->identity(), evaluator.identity()}));
      job.events->tell("analysis", text + "}");
    };
    Throttle throttle;
    const auto on_progress = [&](const expect::Analysis& so_far) {
      if (still_wanted(job) && throttle.ready()) tell(so_far);
    };
    const expect::Analysis analysis =
        expect::analyse({trail, parameters, {}, {}}, *tools_.model, evaluator, on_progress, job.stop.get_token());
    tell(analysis);
    job.events->end(end_json(expect::word_of(analysis.phase),
                             analysis.phase == expect::Phase::failed ? analysis.error : std::string()));
  });
}

Workshop::JobPointer Workshop::find_job(std::string_view kind, const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(id);
  return found != jobs_.end() && found->second->kind == kind ? found->second : nullptr;
}

std::shared_ptr<EventLog> Workshop::events_of_job(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  return job ? job->events : nullptr;
}

bool Workshop::cancel_job(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  if (job) job->stop.request_stop();
  return job != nullptr;
}

Workshop::Counts Workshop::counts() const {
  const std::scoped_lock lock(mutex_);
  Counts counts;
  counts.waiting = waiting_.size();
  counts.running = reviews_.size() - waiting_.size();
  for (const auto& [id, job] : jobs_) counts.running += job->done ? 0U : 1U;
  return counts;
}

}  // namespace pm::server
