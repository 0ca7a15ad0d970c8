#include "explain/praise.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "explain/errors.h"
#include "explain/idea.h"
#include "explain/plans.h"
#include "motif/placement.h"

namespace pm::explain {
namespace {

using motif::Line;
using motif::Step;
using verdict::PointsClass;

// The move and what the engine expects after it.
Line line_of(const ExplainedMove& move, const score::Line* after) {
  std::vector<chess::Move> moves{move.move};
  if (after != nullptr) moves.insert(moves.end(), after->pv.begin(), after->pv.end());
  return {move.before, moves, move.previous};
}

// What it wins or forces, unless that comes moves later, of other moves; a feat is praised for that too.
std::optional<Idea> gain(const ExplainedMove& move, const Step& played, const score::Line* after, bool feat) {
  const Line line = line_of(move, after);
  const auto score = after == nullptr ? std::nullopt : std::optional(after->score.seen_by(move.mover()));
  if (score && score->is_winning_mate() && !move.lines_before.empty()) {
    const bool known = move.seen_before().is_winning_mate();
    if (!feat && known) return std::nullopt;
    return mate_idea(line, score->mate()->moves + 1);
  }
  std::optional<Belief> belief;
  if (score) belief = Belief{*score, motif::material(move.before, move.mover())};
  const Outcome outcome = outcome_of(line, move.recent, nullptr, belief);
  auto idea = material_idea(line, outcome);
  if (!idea) return std::nullopt;
  constexpr int worth_a_word = 2;  // a pawn more, or taken back, is not
  const bool plain = idea->claim.motif == "material" || idea->claim.motif == "hangingPiece";
  const bool takes_back = move.previous && move.previous->is_capture() && move.previous->to == played.to;
  const bool by_itself = idea->claim.ply == 0 && (!plain || outcome.points >= worth_a_word);
  return (by_itself || feat) && !(plain && takes_back) ? std::move(idea) : std::nullopt;
}

// What a sacrifice gets: by the engine's line, or if it is taken; else what comes next.
std::optional<Claim> sacrifice(const ExplainedMove& move, const Step& played) {
  for (const score::Line& each : move.lines_after) {
    auto idea = gain(move, played, &each, true);
    if (!idea) continue;
    Claim claim = claim_of(ClaimKind::does, std::move(*idea));
    if (&each == &move.lines_after.front() || each.pv.empty()) return claim;
    claim.text = fmt::format("After {}: {}", san_of(Step(played.after, each.pv.front())), claim.text);
    return claim;
  }
  if (move.lines_after.empty() || move.lines_after.front().pv.size() < 2) return std::nullopt;
  const std::vector<chess::Move>& pv = move.lines_after.front().pv;
  const Step reply(played.after, pv.front());
  const std::vector<chess::Move> rest(pv.begin() + 1, pv.end());
  const Line next(reply.after, rest, reply);
  for (const auto find : {king_hunt, running_pawn, new_pin, threat}) {
    auto idea = find(next);
    if (!idea) continue;
    Claim claim = std::move(idea->claim);
    claim.kind = ClaimKind::does;
    claim.ply += 2;
    claim.line.insert(claim.line.begin(), {move.move, reply.move});
    claim.text = fmt::format("After {} comes {}.", san_of(reply), idea->doing);
    return claim;
  }
  return std::nullopt;
}

// What the second best move would have run into.
std::optional<Claim> prevention(const ExplainedMove& move) {
  if (move.lines_before.size() < 2 || move.lines_before[1].pv.size() < 2) return std::nullopt;
  const score::Line& second = move.lines_before[1];
  const std::vector<score::Line> after{{second.score, second.depth, {second.pv.begin() + 1, second.pv.end()}}};
  const Step step(move.before, second.pv.front());
  const ExplainedMove other{move.before, second.pv.front(),   move.previous, move.recent, move.lines_before.first(1),
                            after,       PointsClass::mistake};
  const std::vector<Claim> claims = error_claims(other, step);
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [](const Claim& each) { return each.kind == ClaimKind::allows && each.wins; });
  if (found == claims.end()) return std::nullopt;
  Claim claim = *found;
  claim.kind = ClaimKind::does;
  claim.line.insert(claim.line.begin(), second.pv.front());
  claim.text = fmt::format("{}, the next best, {}", san_of(step), clause_of(claim));
  return claim;
}

}  // namespace

std::optional<Claim> praise_claim(const ExplainedMove& move, const Step& played) {
  if (move.cls == PointsClass::brilliant) return sacrifice(move, played);
  if (move.cls != PointsClass::best && move.cls != PointsClass::critical) return std::nullopt;
  const score::Line* after = move.lines_after.empty() ? nullptr : &move.lines_after.front();
  if (auto idea = gain(move, played, after, false)) return claim_of(ClaimKind::does, std::move(*idea));
  return move.cls == PointsClass::critical ? prevention(move) : std::nullopt;
}

}  // namespace pm::explain
