#include "server/moments.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "expect/analysis.h"
#include "report/expect_json.h"
#include "report/json.h"
#include "review/engine_evaluator.h"
#include "review/people.h"
#include "review/run.h"
#include "server/job_news.h"

namespace pm::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_jobs = 8;              // running
constexpr std::size_t most_remembered = 64;       // ended
constexpr std::chrono::minutes unheard_time{10};  // after which a job gives up

}  // namespace

void Moments::close() {
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [id, job] : jobs_) job->stop.request_stop();
  }
  for (auto& [id, job] : jobs_) {
    if (job->thread.joinable()) job->thread.join();
  }
}

std::size_t Moments::running() const {
  const std::scoped_lock lock(mutex_);
  return count_running();
}

std::size_t Moments::count_running() const {
  return static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job.second->done; }));
}

// A job of the moment that nobody listens to is not, either.
bool Moments::still_wanted(Job& job) const {
  if (job.events->unheard_for(unheard_time)) job.stop.request_stop();
  return is_wanted(tools_, job.stop.get_token());
}

// Threads of jobs that are done are joined by whoever starts the next one.
void Moments::tidy() {
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
Expected<std::string> Moments::start(std::string_view kind, Work work) {
  if (tools_.pool == nullptr) return fail(ErrorCode::no_engine, tools_.engine_problem);
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

Expected<std::string> Moments::judge(Line line, int depth, Ratings ratings) {
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

Expected<std::string> Moments::expect(Line line, const expect::Parameters& parameters) {
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

Moments::JobPointer Moments::find_job(std::string_view kind, const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(id);
  return found != jobs_.end() && found->second->kind == kind ? found->second : nullptr;
}

std::shared_ptr<EventLog> Moments::events_of(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  return job ? job->events : nullptr;
}

bool Moments::cancel(std::string_view kind, const std::string& id) {
  const JobPointer job = find_job(kind, id);
  if (job) job->stop.request_stop();
  return job != nullptr;
}

}  // namespace pm::server
