#include "review/run.h"

#include <chrono>
#include <utility>

namespace pm::review {
namespace {

using namespace std::chrono_literals;

bool is_deeper_than_provisional(const engine::Limit& limit) {
  return limit.kind != provisional_limit.kind || limit.value > provisional_limit.value;
}

std::size_t positions_of(const pgn::Game& game) {
  std::size_t count = 1;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) ++count;
  return count;
}

}  // namespace

EngineReview::EngineReview(const pgn::Game& game, EnginePool& pool, EngineReviewOptions options)
    : game_(game), pool_(pool), options_(std::move(options)) {
  options_.used.name = pool.engine_name();
  if (!is_deeper_than_provisional(options_.limit)) options_.on_provisional = nullptr;
  if (options_.on_provisional) {
    for (Segment& segment : plan_game(game, provisional_limit)) provisional_.push_back(ask(std::move(segment)));
  }
  for (Segment& segment : plan_game(game, options_.limit)) asked_.push_back(ask(std::move(segment)));
}

EngineReview::Asked EngineReview::ask(Segment segment, EnginePool::Order order) {
  Asked asked{segment.wanted, {}};
  positions_ += segment.wanted.size();
  asked.result = pool_.submit(std::move(segment), order, options_.asker);
  return asked;
}

bool EngineReview::stopped() const { return pool_.stop().stop_requested() || options_.asker.stop.stop_requested(); }

SegmentResult EngineReview::await(Asked& asked) {
  while (asked.result.wait_for(stopped() ? 0ms : 100ms) != std::future_status::ready) {
    if (stopped()) return {};
    if (options_.on_wait) options_.on_wait();
  }
  SegmentResult result = asked.result.get();
  if (!result.trouble.empty()) trouble_ = result.trouble;
  return result;
}

GameEvals EngineReview::collect(std::vector<Asked>& all) {
  GameEvals evals(positions_of(game_));
  for (Asked& asked : all) {
    SegmentResult result = await(asked);
    for (std::size_t i = 0; i < result.evals.size(); ++i) evals[asked.wanted[i]] = std::move(result.evals[i]);
  }
  return evals;
}

GameReview EngineReview::assembled(GameEvals evals, const engine::Limit& limit, DeeperPairs deeper) const {
  GameReview review = assemble(game_, std::move(evals), options_.review, std::move(deeper));
  review.engine = options_.used;
  review.engine->limit = engine::format_limit(limit);
  return review;
}

// The moves whose class could change with a little more depth.
DeeperPairs EngineReview::search_deeper(const GameReview& review) {
  std::vector<std::pair<std::size_t, Asked>> pairs;
  for (std::size_t ply = 0; ply < review.plies.size(); ++ply) {
    const auto& verdicts = review.plies[ply].verdicts;
    if (!verdicts || verdicts->points.confidence == verdict::Confidence::firm) continue;
    std::vector<Segment> pair = plan_pair(game_, ply, deeper(options_.limit));
    if (pair.size() != 1 || pair.front().wanted.size() != 2) continue;
    pairs.emplace_back(ply, ask(std::move(pair.front()), EnginePool::Order::first));
  }
  DeeperPairs found;
  for (auto& [ply, asked] : pairs) {
    SegmentResult result = await(asked);
    const bool complete = result.evals.size() == 2 && !result.evals[0].failed && !result.evals[1].failed &&
                          !result.evals[0].lines.empty() && !result.evals[1].lines.empty();
    if (complete) found[ply] = {std::move(result.evals[0]), std::move(result.evals[1])};
  }
  return found;
}

GameReview EngineReview::finish() {
  if (options_.on_provisional) {
    GameEvals shallow = collect(provisional_);
    if (!stopped()) options_.on_provisional(assembled(std::move(shallow), provisional_limit));
  }
  const GameEvals evals = collect(asked_);
  GameReview first = assembled(evals, options_.limit);
  if (stopped()) return first;
  DeeperPairs deeper = search_deeper(first);
  if (deeper.empty()) return first;
  return assembled(evals, options_.limit, std::move(deeper));
}

}  // namespace pm::review
