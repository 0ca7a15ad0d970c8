#include "explain/outcome.h"

#include <algorithm>
#include <vector>

#include "motif/exchange.h"
#include "motif/placement.h"

namespace pm::explain {
namespace {

constexpr std::size_t told_steps = 9;      // five moves: what is won later is not seen by a reader
constexpr int piece = 3;                   // points
constexpr std::size_t counted_steps = 14;  // the end of an engine's line is not worth much

void count(Haul& haul, const motif::Step& step, bool by_solver) {
  if (step.captured) by_solver ? haul.take(*step.captured) : haul.give(*step.captured);
  if (!step.is_promotion()) return;
  by_solver ? haul.promote(step.piece) : haul.let_promote(step.piece);
}

// Where the solver takes something first.
std::optional<chess::Square> first_capture(const motif::Line& line) {
  constexpr std::size_t soon = 5;
  for (std::size_t i = 0; i < std::min(line.size(), soon); i += 2) {
    if (line[i].is_capture()) return line[i].to;
  }
  return std::nullopt;
}

// What was taken and given before the line begins.
Haul start_of(const motif::Line& line, std::span<const motif::Step> recent, const motif::Step* judged) {
  Haul haul;
  const auto square = first_capture(line);
  for (const motif::Step& step : recent) {
    const bool goes_on = step.is_capture() && step.to == square;
    if (goes_on) count(haul, step, step.before.side_to_move() == line.solver());
  }
  if (haul.points() > 0) haul = Haul();  // what was won before is not won by this line
  if (judged != nullptr) count(haul, *judged, false);
  return haul;
}

// The line begins by taking back.
bool begins_by_taking_back(const motif::Line& line, std::span<const motif::Step> recent, const motif::Step* judged) {
  if (!line[0].is_capture()) return false;
  const auto on_the_same = [&](const motif::Step& step) { return step.is_capture() && step.to == line[0].to; };
  return (judged != nullptr && on_the_same(*judged)) || std::any_of(recent.begin(), recent.end(), on_the_same);
}

// A check hides what could be taken.
bool hangs_in_check(const chess::Position& position) {
  if (!position.in_check()) return false;
  const chess::Colour solver = !position.side_to_move();
  const chess::Bitboard men = position.pieces(solver) & ~position.pieces(chess::PieceKind::king);
  return motif::any_of(men, [&](chess::Square s) { return motif::is_badly_placed(position, s); });
}

// Takes something at the cost of a piece that nobody attacked.
bool is_sacrifice(const motif::Step& step) {
  constexpr int clearly = -2;
  return step.is_capture() && !step.before.in_check() && !motif::is_badly_placed(step.before, step.from) &&
         motif::exchange_gain(step.before, step.move) <= clearly;
}

// Both sides take as long as it gains something.
Outcome settle(Haul haul, chess::Position position, std::size_t steps, bool by_solver) {
  constexpr int most_captures = 8;
  std::vector<chess::Move> captures;
  for (int i = 0; i < most_captures; ++i) {
    const auto best = motif::best_exchange(position);
    if (!best) break;
    const motif::Step step(position, *best);
    count(haul, step, by_solver);
    captures.push_back(*best);
    position = step.after;
    by_solver = !by_solver;
  }
  return {haul, haul.points(), steps, std::move(captures), false, false, false};
}

// After each move of the solver.
std::vector<Outcome> counts_of(const motif::Line& line, std::size_t end, Haul& haul, bool takes_back) {
  std::vector<Outcome> counts;
  bool volunteered = false;
  for (std::size_t i = 0; i < end; ++i) {
    count(haul, line[i], i % 2 == 0);
    const bool gets_something = i + 2 < end && line[i + 2].is_capture();
    volunteered = volunteered || (i % 2 == 1 && is_sacrifice(line[i]) && !gets_something);
    if (i % 2 == 1) continue;
    counts.push_back(settle(haul, line[i].after, i + 1, false));
    counts.back().volunteered = volunteered;
    counts.back().takes_back = takes_back;
  }
  return counts;
}

// A few captures are left: the line goes on with them, or it ends and only one is missing.
bool is_nearly_quiet(const Outcome& count, const motif::Line& line) {
  constexpr std::size_t few = 3;
  if (!count.can_be_told() || count.settled.empty()) return false;
  if (count.steps == line.size()) return count.settled.size() == 1;
  return line[count.steps].move == count.settled.front() && count.settled.size() <= few;
}

// Those of which nothing is given back later, the last first.
struct Kept {
  std::vector<Outcome> quiet;
  std::vector<Outcome> unsettled;  // in the middle of exchanges
};
Kept kept_of(std::vector<Outcome> counts, const motif::Line& line, int least, const std::optional<Belief>& belief) {
  Kept kept;
  for (std::size_t i = counts.size(); i-- > 0;) {
    Outcome& each = counts[i];
    const bool is_quiet = each.settled.empty() && !hangs_in_check(line[each.steps - 1].after);
    // A pawn that is given back later does not undo the win of a piece; only what stays is counted.
    const bool stays = each.points <= least || (each.points >= piece && each.points == least + 1);
    if (is_quiet) least = std::min(least, each.points);
    if (!stays) continue;
    each.points = std::min(each.points, least);
    if (belief && each.points > 0 && !belief->holds(each)) continue;
    if (is_quiet) {
      kept.quiet.push_back(std::move(each));
    } else if (is_nearly_quiet(each, line)) {
      kept.unsettled.push_back(std::move(each));
    }
  }
  return kept;
}

bool wins_something(const Outcome& each) { return each.can_be_told() && each.points > 0; }

// Of quiet moments, the last first and not empty: the first that wins something, since what comes later is less and
// less forced. But if that is a pawn and soon a piece follows, the piece.
Outcome choose(std::vector<Outcome> quiet) {
  std::reverse(quiet.begin(), quiet.end());
  const auto first = std::find_if(quiet.begin(), quiet.end(), wins_something);
  if (first == quiet.end()) {
    const auto last = std::find_if(quiet.rbegin(), quiet.rend(), [](const Outcome& o) { return o.can_be_told(); });
    return std::move(last != quiet.rend() ? *last : quiet.back());
  }
  constexpr int pawn = 1;
  constexpr std::size_t soon = 4;
  const auto better = std::find_if(first, quiet.end(), [&](const Outcome& each) {
    return each.can_be_told() && each.points >= piece && each.steps <= first->steps + soon;
  });
  return std::move(first->points == pawn && better != quiet.end() ? *better : *first);
}

}  // namespace

bool Outcome::can_be_told() const { return whole_line || (steps <= told_steps && steps % 2 == 1); }

bool Belief::holds(const Outcome& outcome) const {
  constexpr int pawn = 100;
  constexpr int most = 400;
  constexpr int winning = 300;
  if (score.mate() != nullptr) return score.is_winning_mate();
  const int value = score.centipawns()->value;
  if (outcome.volunteered && value < winning) return false;
  const int slack = std::min(most, (pawn / 4) + (pawn / 2 * outcome.points));
  return pawn * (had + outcome.points) - value <= slack;
}

bool Belief::is_too_low(const Outcome& outcome) const {
  constexpr int pawn = 100;
  constexpr int much = 150;
  if (score.mate() != nullptr) return score.is_winning_mate();
  return score.centipawns()->value - (pawn * (had + outcome.points)) > much;
}

Outcome outcome_of(const motif::Line& line, std::span<const motif::Step> recent, const motif::Step* judged,
                   const std::optional<Belief>& belief) {
  Haul haul = start_of(line, recent, judged);
  const bool takes_back = haul.points() < 0 && begins_by_taking_back(line, recent, judged);
  const std::size_t end = std::min(line.size(), counted_steps);
  std::vector<Outcome> counts = counts_of(line, end, haul, takes_back);
  Outcome at_the_end = settle(haul, line[end - 1].after, std::max(end, told_steps + 1), end % 2 == 0);
  auto [quiet, unsettled] = kept_of(std::move(counts), line, at_the_end.points, belief);
  // In the middle of exchanges, and more than twice what any quiet moment tells: the last one that can be told.
  const int most = unsettled.empty() ? 0 : unsettled.front().points;
  const auto tells_less = [&](const Outcome& o) { return !o.can_be_told() || 2 * o.points < most; };
  if (!unsettled.empty() && std::all_of(quiet.begin(), quiet.end(), tells_less)) return std::move(unsettled.front());
  const bool wild = std::none_of(quiet.begin(), quiet.end(), wins_something);
  if (wild && belief && at_the_end.points > 0 && belief->holds(at_the_end)) {
    at_the_end.steps = end;
    at_the_end.whole_line = true;
    at_the_end.points = std::max(1, at_the_end.points - 1);  // the end of a line is never quite quiet
  }
  return at_the_end.whole_line || quiet.empty() ? std::move(at_the_end) : choose(std::move(quiet));
}

}  // namespace pm::explain
