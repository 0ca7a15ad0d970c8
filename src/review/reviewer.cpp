#include "review/reviewer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/pool_evaluator.h"
#include "review/across_ratings.h"
#include "review/human_statistics.h"
#include "review/pgn_evals.h"
#include "review/traps.h"

namespace pm::review {
namespace {

using namespace std::chrono_literals;
using engine::Evaluation;

constexpr int close_call_plies = 2;                   // deeper than before
constexpr double close_call = .005;                   // so near to a line between two severities (docs/rules.md 8)
constexpr int contradiction_plies = 1;                // deeper each time
constexpr int most_searches_again = 3;                // of a position that a move contradicts
constexpr double better_by = .01;                     // winning chances (docs/rules.md 1)
constexpr double worse_by = verdict::first_error;     // it would be an error
constexpr verdict::SchemeOptions usual_options = {};  // evidence does not depend on what it will be judged by

bool is_deeper(const engine::Limit& limit, const engine::Limit& than) {
  return limit.kind != than.kind || limit.value > than.value;
}

// An adaptive review (docs/rules.md 8) searches every position six plies less far than asked for, and those that a
// verdict hangs on one ply less far. Of nodes or time it takes about the part that these plies would.
struct AdaptiveLimits {
  engine::Limit every;
  engine::Limit again;
};
AdaptiveLimits adaptive_limits(const engine::Limit& limit) {
  const auto part = [&](std::uint64_t plies_less, std::uint64_t of_100) -> engine::Limit {
    constexpr std::uint64_t least_depth = 10;  // less deep, scores go astray by pawns
    const bool by_depth = limit.kind == engine::Limit::Kind::depth;
    const std::uint64_t least = by_depth ? std::min(limit.value, least_depth) : 1;
    const std::uint64_t less = by_depth ? limit.value - std::min(limit.value, plies_less) : limit.value * of_100 / 100;
    return {limit.kind, std::max(less, least)};
  };
  return {part(6, 4), part(1, 64)};
}

// The best move was played, and whether it was the only good one hangs on little.
bool is_nearly_critical(const GameReview& review, std::size_t ply) {
  constexpr double near = .01;
  const auto& lines = review.before(ply).lines;
  if (review.better_line(ply) != nullptr || lines.size() < 2) return false;
  const auto chances = [&](const score::Line& line) {
    return score::win_rate(line.score.seen_by(review.plies[ply].mover), score::points_slope).value();
  };
  return std::abs(chances(lines[0]) - chances(lines[1]) - verdict::critical_loss.value()) < near;
}

}  // namespace

Reviewer::Reviewer(const pgn::Game& game, const Sources& sources, ReviewRequest request)
    : game_(game), sources_(sources), request_(std::move(request)), plan_(game) {
  Evidence& evidence = gathered_.evidence;
  if (sources_.pool == nullptr) {
    evidence = evidence_of_comments(game, sources_.book);
    return;
  }
  evidence = evidence_of(game, sources_.book);
  const KnownEvidence& known = request_.known;
  for (std::size_t i = 0; i < known.positions; ++i) {
    evidence.positions[i] = known.evidence->positions[i];
    if (i > 0) evidence.plies[i - 1] = known.evidence->plies[i - 1];
  }
  if (known.positions > 0) evidence.human = known.evidence->human;
  const engine::PoolSettings& settings = sources_.pool->settings();
  evidence.engine = EngineUsed{sources_.pool->engine_name(),
                               settings.engine_sha256,
                               settings.recorded(),
                               request_.limit,
                               settings.lines,
                               request_.effort};
  request_.asker.on_answered = [done = done_](std::size_t positions) { *done += positions; };
  fresh_.resize(plan_.positions());
  std::vector<std::size_t> wanted;
  for (std::size_t at = request_.from; at < plan_.positions(); ++at) {
    fresh_[at] = at >= known.positions || !evidence.positions[at].known();
    if (fresh_[at] && !plan_.is_over(at)) wanted.push_back(at);
  }
  const bool whole_game = wanted.size() == plan_.positions() - plan_.finished();
  const auto segments = [&](const engine::Limit& limit) {
    return whole_game ? plan_.segments(limit, request_.first_segment) : plan_.segments(wanted, limit);
  };
  const bool adaptive = request_.effort == Effort::adaptive;
  const engine::Limit limit = adaptive ? adaptive_limits(request_.limit).every : request_.limit;
  if (request_.first_look && is_deeper(limit, first_look_limit)) {
    first_look_ = ask(segments(first_look_limit), Order::last);
  }
  asked_ = ask(segments(limit), Order::last);
}

bool Reviewer::stopped() const {
  return request_.asker.stop.stop_requested() || (sources_.pool != nullptr && sources_.pool->stop().stop_requested());
}

std::vector<Reviewer::Asked> Reviewer::ask(std::vector<engine::Segment> segments, Order order) {
  std::vector<Asked> asked;
  for (engine::Segment& segment : segments) {
    total_ += segment.wanted.size();
    std::vector<std::size_t> wanted = segment.wanted;
    asked.push_back({std::move(wanted), sources_.pool->submit(std::move(segment), order, request_.asker)});
  }
  return asked;
}

void Reviewer::tell(ReviewProgress::Stage stage, std::size_t done, std::size_t total) {
  sink_->progress({stage, std::min(done, total), total});
}

void Reviewer::wait_for(std::future<engine::SegmentResult>& result) {
  while (!stopped() && result.wait_for(100ms) != std::future_status::ready) {
    tell(ReviewProgress::Stage::positions, *done_, total_);
  }
}

void Reviewer::collect(std::vector<Asked>& all, Evidence& into) {
  for (Asked& asked : all) {
    wait_for(asked.result);
    if (asked.result.wait_for(0s) != std::future_status::ready) continue;  // somebody asked to stop
    engine::SegmentResult result = asked.result.get();
    if (!result.trouble.empty()) gathered_.engine_trouble = result.trouble;
    for (std::size_t i = 0; i < result.evaluations.size(); ++i) {
      Evaluation& place = into.positions[asked.wanted[i]];
      // A second search that failed or was broken off leaves the first one in its place.
      if (result.evaluations[i].known() || !place.known()) place = std::move(result.evaluations[i]);
    }
  }
}

std::vector<Reviewer::Asked> Reviewer::ask_again(const std::map<std::size_t, engine::Limit>& positions) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_limit;
  for (const auto& [at, limit] : positions) {
    const auto& known = gathered_.evidence.positions[at].limit;
    const bool again = known && !plan_.is_over(at) && is_deeper(limit, *known);
    if (again) by_limit[limit.value].push_back(at);
  }
  std::vector<Asked> asked;
  for (const auto& [value, same] : by_limit) {
    for (Asked& each : ask(plan_.segments(same, {request_.limit.kind, value}), Order::first)) {
      asked.push_back(std::move(each));
    }
  }
  return asked;
}

void Reviewer::search_close_calls() {
  const GameReview review = assemble(game_, gathered_.evidence, usual_options);
  std::map<std::size_t, engine::Limit> positions;
  for (std::size_t ply = request_.from; ply < review.plies.size(); ++ply) {
    const auto& verdicts = review.plies[ply].verdicts;
    if (!verdicts || !is_fresh(ply) || verdicts->points.reason.rule() != verdict::Rule::loss) continue;
    if (verdict::distance_to_line(verdicts->points.loss) >= close_call) continue;
    for (const std::size_t at : {ply, ply + 1}) {
      if (fresh_[at]) positions[at] = engine::deeper(request_.limit, close_call_plies);
    }
  }
  auto asked = ask_again(positions);
  collect(asked, gathered_.evidence);
}

void Reviewer::search_open_verdicts() {
  const GameReview review = assemble(game_, gathered_.evidence, usual_options);
  const engine::Limit again = adaptive_limits(request_.limit).again;
  // What a reader looks at first: errors. Then what might be one, and what would be a feat.
  std::map<std::size_t, engine::Limit> errors;
  std::map<std::size_t, engine::Limit> others;
  for (std::size_t ply = request_.from; ply < review.plies.size(); ++ply) {
    const auto& verdicts = review.plies[ply].verdicts;
    if (!verdicts || !is_fresh(ply)) continue;
    const verdict::PointsVerdict& points = verdicts->points;
    const bool open = verdict::sureness_of(points.confidence) == verdict::Sureness::open;
    const bool error = verdict::is_error(points.cls);
    if (open || points.cls == verdict::PointsClass::brilliant) {
      for (const std::size_t at : {ply, ply + 1}) {
        if (fresh_[at]) (error ? errors : others).emplace(at, again);
      }
    } else if (fresh_[ply] && is_nearly_critical(review, ply)) {
      others.emplace(ply, again);
    }
  }
  for (const auto& [at, limit] : errors) others.erase(at);
  auto asked = ask_again(others);
  for (Asked& each : ask_again(errors)) asked.push_back(std::move(each));  // what is asked for last goes first
  collect(asked, gathered_.evidence);
}

// Whether the position after a move is worth more to the mover than the best line before it; or so much less, though
// the move begins that line, that it would be an error.
bool Reviewer::is_contradiction(const GameReview& review, std::size_t ply) const {
  if (!review.plies[ply].verdicts || !is_fresh(ply) || !review.before(ply).limit) return false;
  const auto chances = [&](const Evaluation& evaluation) {
    return score::win_rate(evaluation.lines.front().score.seen_by(review.plies[ply].mover), score::points_slope)
        .value();
  };
  const double gain = chances(review.after(ply)) - chances(review.before(ply));
  return gain > better_by || (review.better_line(ply) == nullptr && gain <= -worse_by);
}

// An adaptive review looks again once, unless it has done so already.
bool Reviewer::may_search_again(std::size_t position, int tries) const {
  if (request_.effort == Effort::full) return tries < most_searches_again;
  return tries == 0 && gathered_.evidence.positions[position].limit == adaptive_limits(request_.limit).every;
}

// Searches the positions before such moves again. Where that does not help, the move's line gets the score of the
// position after it, from the end of the game on: a score that changes is that of the move before too.
void Reviewer::settle_contradictions() {
  std::vector<int> tries(plan_.positions());
  while (!stopped()) {
    const GameReview review = assemble(game_, gathered_.evidence, usual_options);
    std::map<std::size_t, engine::Limit> again;
    std::optional<std::size_t> last;
    for (std::size_t ply = request_.from; ply < review.plies.size(); ++ply) {
      if (!is_contradiction(review, ply)) continue;
      if (may_search_again(ply, tries[ply]++))
        again[ply] = engine::deeper(*review.before(ply).limit, contradiction_plies);
      last = ply;
    }
    if (!last) return;
    if (again.empty()) {
      back_up_score(review, *last);
    } else {
      auto asked = ask_again(again);
      collect(asked, gathered_.evidence);
    }
  }
}

// What the move is worth after it was played, it was worth before.
void Reviewer::back_up_score(const GameReview& review, std::size_t ply) {
  Evaluation& before = gathered_.evidence.positions[ply];
  const PlyReview& played = review.plies[ply];
  const auto chances = [&](const score::Line& line) {
    return score::win_rate(line.score.seen_by(played.mover), score::points_slope);
  };
  score::Line line = review.after(ply).lines.front();
  line.pv.insert(line.pv.begin(), played.move);
  const score::Mate* mate = line.score.score().mate();
  if (mate != nullptr && line.score.seen_by(played.mover).is_winning_mate()) {  // this move more
    line.score = score::WhiteScore(score::Mate{mate->moves + 1, mate->wins});
  }
  gathered_.evidence.plies[ply].better_than_thought = chances(line) > chances(before.lines.front());
  std::erase_if(before.lines,
                [&](const score::Line& each) { return !each.pv.empty() && each.pv.front() == played.move; });
  const auto place = std::find_if(before.lines.begin(), before.lines.end(),
                                  [&](const score::Line& each) { return chances(each) <= chances(line); });
  before.lines.insert(place, std::move(line));
  constexpr std::size_t most_lines = 2;
  if (before.lines.size() > most_lines) before.lines.resize(most_lines, before.lines.front());
}

void Reviewer::ask_model(Evidence& evidence) {
  if (sources_.model == nullptr) return;
  const auto ratings = human::choose_ratings(request_.ratings, tagged_ratings(game_), request_.player, *sources_.model);
  if (!ratings) {
    gathered_.human_trouble = ratings.error().sentence;
  } else if (const auto asked = ask_about_people(evidence, game_, *sources_.model, *ratings, request_.people); !asked) {
    gathered_.human_trouble = asked.error().sentence;
  }
}

// What was best must not change any more.
void Reviewer::ask_across_ratings() {
  if (sources_.model == nullptr || !gathered_.evidence.human) return;
  const auto asked =
      review::ask_across_ratings(gathered_.evidence, game_, *sources_.model, request_.from, [&] { return stopped(); });
  if (!asked) gathered_.human_trouble = asked.error().sentence;
}

std::vector<PlyToCompare> Reviewer::choose_to_compare(const GameReview& review, engine::Evaluator& evaluator) {
  auto plies =
      plies_to_compare(review, request_.people, *sources_.model, evaluator, request_.asker.stop, request_.from);
  if (!plies) {
    gathered_.human_trouble = plies.error().sentence;
    return {};
  }
  std::erase_if(*plies, [&](const PlyToCompare& each) { return !is_fresh(each.ply); });
  return std::move(*plies);
}

// What may be RISKY by a shallow search is often plainly good or bad by a deeper one. Whether anything was searched.
bool Reviewer::search_around(const std::vector<PlyToCompare>& plies) {
  const engine::Limit again = adaptive_limits(request_.limit).again;
  std::map<std::size_t, engine::Limit> positions;
  for (const PlyToCompare& each : plies) {
    for (const std::size_t at : {each.ply, each.ply + 1}) {
      if (each.may_be_risky && fresh_[at]) positions.emplace(at, again);
    }
  }
  auto asked = ask_again(positions);
  if (asked.empty()) return false;
  collect(asked, gathered_.evidence);
  settle_contradictions();
  return true;
}

void Reviewer::ask_expectations() {
  if (sources_.model == nullptr || sources_.single_pool == nullptr || !gathered_.evidence.human) return;
  std::vector<PlyToCompare> plies;
  std::size_t done = 0;
  engine::PoolEvaluator evaluator(
      *sources_.single_pool, sources_.store, [&] { tell(ReviewProgress::Stage::people, done, plies.size()); },
      request_.asker.client);
  plies = choose_to_compare(assemble(game_, gathered_.evidence, usual_options), evaluator);
  const bool know_more = request_.effort == Effort::adaptive && search_around(plies);
  const GameReview review = assemble(game_, gathered_.evidence, usual_options);
  if (know_more) plies = choose_to_compare(review, evaluator);
  for (; done < plies.size() && !stopped(); ++done) {
    tell(ReviewProgress::Stage::people, done, plies.size());
    const expect::Parameters parameters = review_parameters(request_.limit, request_.people, plies[done].may_be_risky);
    gathered_.evidence.plies[plies[done].ply].expectation =
        compare_with_best(review, plies[done], parameters, *sources_.model, evaluator, request_.asker.stop);
  }
}

// Replies that most people give are searched as far as what a verdict hangs on.
void Reviewer::look_for_traps() {
  if (sources_.model == nullptr || !gathered_.evidence.human) return;
  const GameReview review = assemble(game_, gathered_.evidence, usual_options);
  auto questions = possible_traps(review, *sources_.model, request_.from);
  if (!questions) {
    gathered_.human_trouble = questions.error().sentence;
    return;
  }
  std::erase_if(*questions, [&](const TrapQuestion& each) { return !is_fresh(each.ply); });
  std::vector<std::future<engine::SegmentResult>> answers(questions->size());
  for (std::size_t i = 0; i < questions->size(); ++i) {
    const TrapQuestion& each = (*questions)[i];
    if (each.line) continue;
    ++total_;
    const engine::Segment segment{{each.after, {}}, {0}, {each.ply}, adaptive_limits(request_.limit).again};
    answers[i] = sources_.pool->submit(segment, Order::first, request_.asker);
  }
  for (std::size_t i = 0; i < questions->size(); ++i) {
    TrapQuestion& each = (*questions)[i];
    if (!each.line) {
      wait_for(answers[i]);
      if (answers[i].wait_for(0s) != std::future_status::ready) return;  // somebody asked to stop
      const engine::SegmentResult result = answers[i].get();
      if (result.evaluations.empty() || !result.evaluations.front().known()) continue;  // then nothing is said
      each.line = result.evaluations.front().lines.front();
    }
    gathered_.evidence.plies[each.ply].trap = trap_of(each, *each.line);
  }
}

Gathered Reviewer::gather(ReviewSink& sink) {
  sink_ = &sink;
  if (!first_look_.empty()) {
    Evidence shallow = gathered_.evidence;
    shallow.engine->limit = first_look_limit;
    collect(first_look_, shallow);
    ask_model(shallow);
    if (!stopped()) sink.first_look(shallow);
  }
  collect(asked_, gathered_.evidence);
  if (!stopped()) ask_model(gathered_.evidence);
  // An adaptive review has looked at every position now, and goes on with what is open.
  const bool more_to_come = request_.effort == Effort::adaptive && !asked_.empty() && !stopped();
  if (request_.first_look && more_to_come) sink.first_look(gathered_.evidence);
  if (sources_.pool != nullptr && !stopped()) {
    if (request_.effort == Effort::full) {
      search_close_calls();
    } else {
      search_open_verdicts();
    }
    settle_contradictions();
    ask_expectations();
    if (!stopped()) look_for_traps();
  }
  if (!stopped()) ask_across_ratings();
  const auto& positions = gathered_.evidence.positions;
  const bool some_failed = std::any_of(positions.begin(), positions.end(), [](const auto& e) { return e.failed; });
  if (!some_failed) gathered_.engine_trouble.clear();  // a first search stands in for a second one that failed
  gathered_.complete = !stopped();
  return std::move(gathered_);
}

}  // namespace pm::review
