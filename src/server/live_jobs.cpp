#include "server/live_jobs.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "chess/draws.h"
#include "engine/pool_evaluator.h"
#include "expect/analysis.h"
#include "report/expect_json.h"
#include "report/json.h"
#include "server/job_events.h"
#include "server/saved_game.h"

namespace pm::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_jobs = 8;              // running
constexpr std::size_t most_remembered = 64;       // ended
constexpr std::size_t most_tried = 64;            // lines whose evidence is remembered
constexpr int first_look = 8;                     // plies, of lines
constexpr std::chrono::minutes unheard_time{10};  // after which a job gives up

pgn::Game game_of(const chess::GameState& line) {
  pgn::Game game;
  game.start = line.start;
  pgn::NodeId at = pgn::Game::root;
  for (const chess::Move move : line.moves) at = game.add_move(at, move);
  return game;
}

// How many positions two lines have in common; none when they start differently.
std::size_t common_positions(const chess::GameState& a, const chess::GameState& b) {
  if (!(a.start == b.start)) return 0;
  const auto [end, ignored] = std::mismatch(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end());
  return static_cast<std::size_t>(end - a.moves.begin()) + 1;
}

}  // namespace

void LiveJobs::close() {
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [id, job] : jobs_) job->stop.request_stop();
  }
  for (auto& [id, job] : jobs_) {
    if (job->thread.joinable()) job->thread.join();
  }
}

std::size_t LiveJobs::running() const {
  const std::scoped_lock lock(mutex_);
  return count_running();
}

std::size_t LiveJobs::count_running() const {
  return static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job.second->done; }));
}

// A live job that nobody listens to any more is not wanted either.
bool LiveJobs::still_wanted(Job& job) const {
  if (job.events->unheard_for(unheard_time)) job.stop.request_stop();
  return context_.is_wanted(job.stop.get_token());
}

// Threads of jobs that are done are joined by whoever starts the next one.
void LiveJobs::tidy() {
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
Expected<std::string> LiveJobs::start(std::string_view kind, Work work) {
  if (!context_.has_engine()) return fail(ErrorCode::no_engine, context_.engine_problem);
  const std::scoped_lock lock(mutex_);
  tidy();
  if (count_running() >= most_jobs) return fail(ErrorCode::busy, "Too much is asked at once.");
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

// Of several lines that begin in the same way, the one that knows the positions around the last move. Once its review
// is complete, only those count that began with it.
LiveJobs::KnownLine LiveJobs::known_line(const JudgementRequest& request) const {
  const auto count_known = [&](const review::Evidence& evidence, std::size_t positions) {
    std::size_t count = 0;
    for (std::size_t at = request.line.moves.size() - 1; at < positions; ++at) count += evidence.positions[at].known();
    return count;
  };
  KnownLine known;
  std::size_t most_known = 0;
  if (const auto game = finished_review(request)) {
    const std::size_t positions = common_positions(request.line, pgn::main_line(game->read.game));
    known = {std::shared_ptr<const review::Evidence>(game, &game->evidence), positions, true};
    most_known = count_known(game->evidence, positions);
  }
  const std::scoped_lock lock(mutex_);
  for (const TriedLine& tried : tried_) {
    const bool same = tried.request.review == request.review && tried.request.depth == request.depth;
    if (!same || tried.of_review != known.of_review) continue;
    const std::size_t positions = common_positions(request.line, tried.request.line);
    const std::size_t count = count_known(*tried.evidence, positions);
    if (count <= most_known) continue;
    known = {tried.evidence, positions, tried.of_review};
    most_known = count;
  }
  return known;
}

// The review a move belongs to, when it is complete and by the same engine to the same depth.
std::shared_ptr<const SavedGame> LiveJobs::finished_review(const JudgementRequest& request) const {
  if (request.review.empty()) return nullptr;
  const auto saved = context_.reviews->find(request.review);
  if (!saved || saved->state != ReviewState::complete || saved->depth != request.depth) return nullptr;
  const auto opened = open_saved_game(*context_.reviews, request.review);
  if (!opened) return nullptr;  // then the move is judged without it
  const auto& engine = (*opened)->evidence.engine;
  return engine && engine->name == context_.engines.pool->engine_name() ? *opened : nullptr;
}

void LiveJobs::remember(TriedLine line) {
  const std::scoped_lock lock(mutex_);
  tried_.push_front(std::move(line));
  if (tried_.size() > most_tried) tried_.pop_back();
}

Expected<std::string> LiveJobs::judge(JudgementRequest request) {
  return start("judgements", [this, request = std::move(request)](Job& job) { judge_move(job, request); });
}

void LiveJobs::judge_move(Job& job, const JudgementRequest& wanted) {
  const pgn::Game game = game_of(wanted.line);
  const std::size_t ply = wanted.line.moves.size() - 1;
  const auto tell = [&](const review::Evidence& evidence, bool provisional) {
    const review::GameReview review = review::assemble(game, evidence, wanted.options);
    job.events->tell("judgement", fmt::format(R"({{"provisional":{},"ply":{}}})", provisional,
                                              value_of(report::ply_json(review, ply))));
  };
  // Says what a first look has found, and gives up when nobody listens any more.
  class Sink final : public review::ReviewSink {
   public:
    Sink(std::function<void()> on_progress, std::function<void(const review::Evidence&)> on_first_look)
        : on_progress_(std::move(on_progress)), on_first_look_(std::move(on_first_look)) {}
    void progress(const review::ReviewProgress& /*progress*/) override { on_progress_(); }
    void first_look(const review::Evidence& evidence) override { on_first_look_(evidence); }

   private:
    std::function<void()> on_progress_;
    std::function<void(const review::Evidence&)> on_first_look_;
  };
  Sink sink([&] { still_wanted(job); }, [&](const review::Evidence& evidence) { tell(evidence, true); });
  const KnownLine known = known_line(wanted);
  review::ReviewRequest request;
  request.limit = {engine::Limit::Kind::depth, static_cast<std::uint64_t>(wanted.depth)};
  request.ratings = wanted.ratings;
  request.player = ply % 2 == 0 ? game.start.side_to_move() : !game.start.side_to_move();
  request.first_look = true;
  request.from = ply;
  request.known = {known.evidence.get(), known.positions};
  request.asker = {context_.new_client(true), job.stop.get_token(), {}};
  review::Reviewer reviewer(game, context_.sources(), std::move(request));
  review::Gathered gathered = reviewer.gather(sink);
  if (!gathered.complete) return job.events->end(end_json("cancelled", ""));
  const std::string& trouble = gathered.engine_trouble.empty() ? gathered.human_trouble : gathered.engine_trouble;
  tell(gathered.evidence, !trouble.empty());
  if (!trouble.empty()) return job.events->end(end_json("failed", trouble));
  remember({wanted, known.of_review, std::make_shared<const review::Evidence>(std::move(gathered.evidence))});
  job.events->end(end_json("complete", ""));
}

Expected<std::string> LiveJobs::look(chess::GameState line, int depth) {
  return start("lines", [this, line = std::move(line), depth](Job& job) { look_deeper(job, line, depth); });
}

// One search after the other by an engine that keeps what it has learnt: hardly more work than the last alone.
void LiveJobs::look_deeper(Job& job, const chess::GameState& line, int depth) {
  const chess::Position position = line.current();
  const auto tell = [&](const std::vector<score::Line>& lines) {
    job.events->tell("lines", report::lines_json(lines, position));
  };
  if (chess::game_end(position, 1)) {
    tell({});
    return job.events->end(end_json("complete", ""));
  }
  const auto pool = context_.many_lines->get();
  if (!pool) return job.events->end(end_json("failed", pool.error().sentence));
  std::vector<engine::Search> searches;
  for (int each = std::min(depth, first_look); each <= depth; each += each == depth ? 1 : std::min(2, depth - each)) {
    searches.push_back({line, {engine::Limit::Kind::depth, static_cast<std::uint64_t>(each)}});
  }
  // The engine's thread may have a last word when nobody waits for it any more.
  struct Answers {
    std::mutex mutex;
    std::vector<engine::Evaluation> found;
    std::string trouble;
    std::size_t answered = 0;
  };
  const auto answers = std::make_shared<Answers>();
  const std::size_t wanted = searches.size();
  (*pool)->submit(std::move(searches),
                  [answers](std::size_t /*search*/, const engine::Evaluation& evaluation, const std::string& trouble) {
                    const std::scoped_lock lock(answers->mutex);
                    ++answers->answered;
                    if (evaluation.known()) answers->found.push_back(evaluation);
                    if (!trouble.empty()) answers->trouble = trouble;
                  },
                  {context_.new_client(true), job.stop.get_token(), {}});
  for (bool done = false; !done;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (!still_wanted(job)) return job.events->end(end_json("cancelled", ""));
    std::vector<engine::Evaluation> news;
    {
      const std::scoped_lock lock(answers->mutex);
      news.swap(answers->found);
      done = answers->answered == wanted;
    }
    if (!news.empty()) tell(news.back().lines);
  }
  job.events->end(end_json(answers->trouble.empty() ? "complete" : "failed", answers->trouble));
}

Expected<std::string> LiveJobs::expect(const chess::GameState& line, const expect::Parameters& parameters,
                                       std::vector<chess::Move> also) {
  expect::Request request{chess::PositionHistory(line), parameters, {}, {}, {}, std::move(also)};
  return start("expectations", [this, request = std::move(request)](Job& job) { find_expectation(job, request); });
}

void LiveJobs::find_expectation(Job& job, const expect::Request& request) {
  engine::EnginePool* pool = context_.engines.single_pool;
  if (request.parameters.map == expect::WinRateMap::wdl) {
    const auto opened = context_.wdl->get();
    if (!opened) return job.events->end(end_json("failed", opened.error().sentence));
    pool = *opened;
  }
  engine::PoolEvaluator evaluator(*pool, context_.engines.store, {}, context_.new_client(true));
  human::HumanModel& model = context_.model();  // another may be chosen meanwhile
  const auto begin = Clock::now();
  const auto tell = [&](const expect::Analysis& analysis) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::string text = fmt::format(R"({{"seconds":{:.3f},"evaluations":{},"known":{},"total_is_final":{},"analysis":)",
                                   seconds, analysis.evaluations, analysis.known, analysis.counts.total_is_final);
    text += value_of(report::expect_json(analysis, {request.history, model.identity(), evaluator.identity(), true}));
    job.events->tell("analysis", text + "}");
  };
  Throttle throttle;
  const auto on_progress = [&](const expect::Analysis& so_far) {
    if (still_wanted(job) && throttle.ready()) tell(so_far);
  };
  const expect::Analysis analysis = expect::analyse(request, model, evaluator, on_progress, job.stop.get_token());
  tell(analysis);
  job.events->end(end_json(expect::word_of(analysis.phase),
                           analysis.phase == expect::Phase::failed ? analysis.error : std::string()));
}

LiveJobs::JobPointer LiveJobs::find_job(std::string_view kind, const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(id);
  return found != jobs_.end() && found->second->kind == kind ? found->second : nullptr;
}

std::shared_ptr<EventLog> LiveJobs::events_of(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  return job ? job->events : nullptr;
}

bool LiveJobs::cancel(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  if (job) job->stop.request_stop();
  return job != nullptr;
}

}  // namespace pm::server
