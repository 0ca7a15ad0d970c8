#include "explain/outcome.h"

#include <algorithm>
#include <vector>

#include "motif/exchange.h"

namespace pm::explain {
namespace {

constexpr std::size_t told_steps = 7;     // four moves: what is won later is not seen by a reader
constexpr std::size_t counted_steps = 8;  // the end of an engine's line is not worth much

void count(Haul& haul, const motif::Step& step, bool by_solver) {
  if (step.captured) by_solver ? haul.take(*step.captured) : haul.give(*step.captured);
  if (!step.is_promotion()) return;
  by_solver ? haul.promote(step.piece) : haul.let_promote(step.piece);
}

bool is_taken_back(const motif::Line& line) {
  for (std::size_t i = 0; i < std::min<std::size_t>(line.size(), 5); i += 2) {
    if (line[i].is_capture() && line[i].to == line.error()->to) return true;
  }
  return false;
}

Haul start_of(const motif::Line& line, std::span<const motif::Step> trade, Given given) {
  Haul haul;
  if (line.error() == nullptr) return haul;
  const bool always = given == Given::always;
  if (!always && !is_taken_back(line)) return haul;
  const motif::Step& error = *line.error();
  const bool in_trade = !trade.empty() && (!always || (error.is_capture() && error.to == trade.back().to));
  if (in_trade) {
    for (const motif::Step& step : trade) count(haul, step, step.before.side_to_move() == line.solver());
  }
  if (always || !in_trade) count(haul, error, false);
  return haul.points() > 0 ? Haul() : haul;  // what was won before is not won by this line
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
  return {haul, haul.points(), steps, std::move(captures)};
}

}  // namespace

bool Outcome::can_be_told() const { return steps <= told_steps && steps % 2 == 1; }

std::optional<Outcome> outcome_of(const motif::Line& line, std::span<const motif::Step> trade, Given given) {
  std::vector<Outcome> quiet;
  std::vector<Outcome> unsettled;
  Haul haul = start_of(line, trade, given);
  const std::size_t end = std::min(line.size(), counted_steps);
  for (std::size_t i = 0; i < end; ++i) {
    count(haul, line[i], i % 2 == 0);
    if (i % 2 == 1) continue;
    Outcome counted = settle(haul, line[i].after, i + 1, false);
    (counted.settled.empty() ? quiet : unsettled).push_back(std::move(counted));
  }
  // In the middle of exchanges all the time: the last moment that can be told, if little is left to be taken then.
  constexpr std::size_t little = 3;
  while (quiet.empty() && !unsettled.empty()) {
    const bool clear = unsettled.back().can_be_told() && unsettled.back().settled.size() <= little;
    if (clear) quiet.push_back(std::move(unsettled.back()));
    unsettled.pop_back();
  }
  if (quiet.empty()) return std::nullopt;
  Outcome at_the_end = settle(haul, line[end - 1].after, end, end % 2 == 0);
  // Those that are not given back later, and come soon enough to be told.
  std::vector<Outcome> kept;
  int least = at_the_end.points;
  for (std::size_t i = quiet.size(); i-- > 0;) {
    least = std::min(least, quiet[i].points);
    if (quiet[i].points == least && (kept.empty() || quiet[i].steps <= told_steps)) kept.push_back(std::move(quiet[i]));
  }
  if (kept.empty()) return at_the_end;
  if (kept.size() > 1 && kept.front().steps > told_steps) kept.erase(kept.begin());
  // The first that wins as much as any; a pawn more, later, does not matter.
  const int most = kept.front().points;
  const int enough = most > 1 ? most - 1 : most;
  const auto first =
      std::find_if(kept.rbegin(), kept.rend(), [&](const Outcome& each) { return each.points >= enough; });
  return std::move(*first);
}

}  // namespace pm::explain
