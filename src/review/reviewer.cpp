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
constexpr std::size_t longest_pv = 256;               // of one that is put together; engines give no longer ones
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
    : game_(game),
      sources_(sources),
      request_(std::move(request)),
      stop_(request_.asker.stop, sources_.pool != nullptr ? sources_.pool->stop() : std::stop_token()),
      plan_(game),
      moves_(reviewed_moves(game)) {
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

GameReview Reviewer::assembled() const { return assemble(game_, gathered_.evidence, usual_options, stop_.token()); }

std::vector<Reviewer::Asked> Reviewer::ask(std::vector<engine::Segment> segments, Order order) {
  std::vector<Asked> asked;
  for (engine::Segment& segment : segments) {
    if (stopped()) break;
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
  const GameReview review = assembled();
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
  const GameReview review = assembled();
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

chess::Colour Reviewer::mover(std::size_t ply) const {
  const chess::Colour first = game_.start.side_to_move();
  return ply % 2 == 0 ? first : !first;
}

std::optional<score::WhiteScore> Reviewer::score_of(std::size_t position) const {
  if (position > 0 && plan_.is_over(position)) return plan_.score_at_end(position);
  const Evaluation& evaluation = gathered_.evidence.positions[position];
  if (!evaluation.known() || evaluation.failed) return std::nullopt;
  return evaluation.lines.front().score;
}

// Whether the position after a move is worth more to the mover than the best line before it; or so much less, though
// the move begins that line, that it would be an error. Told without a whole review: it is asked after every change.
bool Reviewer::is_contradiction(std::size_t ply) const {
  const Evaluation& before = gathered_.evidence.positions[ply];
  if (moves_[ply].is_null() || !is_fresh(ply) || !before.limit || (ply > 0 && plan_.is_over(ply))) return false;
  const auto score_before = score_of(ply);
  const auto score_after = score_of(ply + 1);
  if (!score_before || !score_after) return false;
  const auto chances = [&](const score::WhiteScore& score) {
    return score::win_rate(score.seen_by(mover(ply)), score::points_slope).value();
  };
  const double gain = chances(*score_after) - chances(*score_before);
  const auto& best = before.lines.front().pv;
  const bool was_best = best.empty() || best.front() == moves_[ply];
  return gain > better_by || (was_best && gain <= -worse_by);
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
  std::set<std::size_t> open;  // moves that contradict
  std::set<std::size_t> last;  // those of them that no search helps
  const auto look_at = [&](std::size_t ply) {
    if (ply < request_.from || ply >= moves_.size()) return;
    if (!is_contradiction(ply)) {
      open.erase(ply);
      last.erase(ply);
    } else if (!last.contains(ply)) {
      open.insert(ply);
    }
  };
  const auto look_around = [&](std::size_t position) {  // its score has changed
    if (position > 0) look_at(position - 1);
    look_at(position);
  };
  for (std::size_t ply = request_.from; ply < moves_.size(); ++ply) look_at(ply);
  while (!stopped()) {
    std::map<std::size_t, engine::Limit> again;
    for (const std::size_t ply : open) {
      if (may_search_again(ply, tries[ply]++)) {
        again[ply] = engine::deeper(*gathered_.evidence.positions[ply].limit, contradiction_plies);
      } else {
        last.insert(ply);
      }
    }
    std::erase_if(open, [&](std::size_t ply) { return last.contains(ply); });
    if (!again.empty()) {
      auto asked = ask_again(again);
      collect(asked, gathered_.evidence);
      for (const auto& [position, limit] : again) look_around(position);
    } else if (!last.empty()) {
      const std::size_t ply = *last.rbegin();
      back_up_score(ply);
      look_around(ply);
    } else {
      return;
    }
  }
}

// What the move is worth after it was played, it was worth before.
void Reviewer::back_up_score(std::size_t ply) {
  Evaluation& before = gathered_.evidence.positions[ply];
  const chess::Move played = moves_[ply];
  const auto chances = [&](const score::Line& line) {
    return score::win_rate(line.score.seen_by(mover(ply)), score::points_slope);
  };
  const bool ends_game = plan_.is_over(ply + 1);
  score::Line line = ends_game ? score::Line{*plan_.score_at_end(ply + 1), 0, {}}
                               : gathered_.evidence.positions[ply + 1].lines.front();
  line.pv.insert(line.pv.begin(), played);
  if (line.pv.size() > longest_pv) line.pv.resize(longest_pv, played);
  const score::Mate* mate = line.score.score().mate();
  if (mate != nullptr && line.score.seen_by(mover(ply)).is_winning_mate()) {  // this move more
    line.score = score::WhiteScore(score::Mate{mate->moves + 1, mate->wins});
  }
  gathered_.evidence.plies[ply].better_than_thought = chances(line) > chances(before.lines.front());
  std::erase_if(before.lines, [&](const score::Line& each) { return !each.pv.empty() && each.pv.front() == played; });
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
  } else if (const auto asked =
                 ask_about_people(evidence, game_, *sources_.model, *ratings, request_.people, stop_.token());
             !asked) {
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
  auto plies = plies_to_compare(review, request_.people, *sources_.model, evaluator, stop_.token(), request_.from);
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
  plies = choose_to_compare(assembled(), evaluator);
  const bool know_more = request_.effort == Effort::adaptive && search_around(plies);
  const GameReview review = assembled();
  if (know_more) plies = choose_to_compare(review, evaluator);
  for (; done < plies.size() && !stopped(); ++done) {
    tell(ReviewProgress::Stage::people, done, plies.size());
    const expect::Parameters parameters = review_parameters(request_.limit, request_.people, plies[done].may_be_risky);
    gathered_.evidence.plies[plies[done].ply].expectation =
        compare_with_best(review, plies[done], parameters, *sources_.model, evaluator, stop_.token());
  }
}

// Replies that most people give are searched as far as what a verdict hangs on.
void Reviewer::look_for_traps() {
  if (sources_.model == nullptr || !gathered_.evidence.human) return;
  const GameReview review = assembled();
  auto questions = possible_traps(review, *sources_.model, request_.from, stop_.token());
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
