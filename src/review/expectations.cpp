#include "review/expectations.h"

#include <algorithm>

#include "chess/position_history.h"

namespace pm::review {
namespace {

constexpr double quick_threshold = 0.1;
constexpr int deepest = 12;  // there are many of them

chess::PositionHistory history_before(const GameReview& review, std::size_t ply) {
  chess::PositionHistory history(review.game.start);
  for (std::size_t i = 0; i < ply; ++i) history.play(review.plies[i].move);
  return history;
}

bool lost_something(verdict::PointsClass cls) {
  switch (cls) {
    case verdict::PointsClass::excellent:
    case verdict::PointsClass::okay:
    case verdict::PointsClass::inaccuracy:
    case verdict::PointsClass::mistake:
    case verdict::PointsClass::blunder:
    case verdict::PointsClass::risky: return true;
    default: return false;
  }
}

}  // namespace

expect::Parameters review_parameters(const engine::Limit& limit) {
  expect::Parameters parameters;
  parameters.threshold = quick_threshold;
  const bool by_depth = limit.kind == engine::Limit::Kind::depth;
  parameters.depth = by_depth ? static_cast<int>(std::clamp<std::uint64_t>(limit.value, 1, deepest)) : deepest;
  return parameters;
}

std::vector<std::size_t> plies_to_compare(const GameReview& review) {
  std::vector<std::size_t> plies;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const auto& verdicts = review.plies[at].verdicts;
    const PlyEvidence& evidence = review.evidence.plies[at];
    if (!verdicts || !evidence.human || evidence.expectation || review.better_line(at) == nullptr) continue;
    if (lost_something(verdicts->points.cls)) plies.push_back(at);
  }
  return plies;
}

std::optional<Expectation> compare_with_best(const GameReview& review, std::size_t ply,
                                             const expect::Parameters& parameters, human::HumanModel& model,
                                             engine::Evaluator& evaluator, const std::stop_token& stop) {
  const chess::Colour mover = review.plies[ply].mover;
  const score::Line& best = *review.better_line(ply);
  expect::Request request{history_before(review, ply),
                          parameters,
                          {review.plies[ply].move, best.pv.front()},
                          score::win_rate(best.score.seen_by(mover), score::lichess_slope)};
  request.parameters.rating = review.evidence.human->rating_of(mover);
  request.parameters.opponent_rating = review.evidence.human->rating_of(!mover);
  const expect::Analysis analysis = expect::analyse(request, model, evaluator, {}, stop);
  if (analysis.phase != expect::Phase::complete || analysis.candidates.size() != 2) return std::nullopt;
  const bool played_first = analysis.candidates[0].move == review.plies[ply].move;
  const auto expected = [&](std::size_t i) { return score::WinRate(analysis.candidates[i].summary.expected); };
  return Expectation{expected(played_first ? 0 : 1), expected(played_first ? 1 : 0), best.pv.front()};
}

}  // namespace pm::review
