#include "review/plan.h"

#include <algorithm>
#include <numeric>

#include "chess/draws.h"
#include "review/evidence.h"

namespace pm::review {

GamePlan::GamePlan(const pgn::Game& game) : lines_{{game.start, {}}} {
  chess::Position position = game.start;
  chess::History history(position);
  const auto add = [&] {
    places_.push_back(
        {lines_.size() - 1, lines_.back().moves.size(), score::finished_score(position, history.repetitions())});
  };
  add();
  for (const chess::Move move : reviewed_moves(game)) {
    position.play(move);
    history.push(position);
    if (move.is_null() || (lines_.back().moves.size() >= longest_line && position.halfmove_clock() == 0)) {
      lines_.push_back({position, {}});
    } else {
      lines_.back().moves.push_back(move);
    }
    add();
  }
}

void GamePlan::add_segments(std::span<const std::size_t> wanted, const engine::Limit& limit,
                            std::vector<engine::Segment>& into) const {
  bool open = false;
  std::size_t line = 0;
  for (const std::size_t at : wanted) {
    const Place& place = places_[at];
    if (place.score) continue;
    if (!open || place.line != line) {
      into.push_back({{lines_[place.line].start, {}}, {}, {}, limit});
      line = place.line;
      open = true;
    }
    engine::Segment& segment = into.back();
    const auto& moves = lines_[line].moves;
    segment.state.moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(place.moves));
    segment.plies.push_back(place.moves);
    segment.wanted.push_back(at);
  }
}

std::size_t GamePlan::finished() const {
  return static_cast<std::size_t>(
      std::count_if(places_.begin(), places_.end(), [](const Place& place) { return place.score.has_value(); }));
}

std::span<const std::size_t> GamePlan::add_shared(std::span<const std::size_t> wanted, const engine::Limit& limit,
                                                  std::vector<engine::Segment>& into) const {
  for (; !wanted.empty() && wanted.front() < shared_positions; wanted = wanted.subspan(1)) {
    const Place& place = places_[wanted.front()];
    if (place.score) continue;
    const chess::GameState& line = lines_[place.line];
    const auto end = line.moves.begin() + static_cast<std::ptrdiff_t>(place.moves);
    const chess::GameState state{line.start, {line.moves.begin(), end}};
    into.push_back({{state.current(), {}}, {0}, {wanted.front()}, limit});
  }
  return wanted;
}

std::vector<engine::Segment> GamePlan::segments(const engine::Limit& limit, std::size_t first) const {
  std::vector<std::size_t> all(places_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<engine::Segment> segments;
  std::span<const std::size_t> rest = all;
  if (first == segment_length) rest = add_shared(rest, limit, segments);
  for (; !rest.empty(); first = segment_length) {
    const std::size_t length = std::min(first, rest.size());
    add_segments(rest.first(length), limit, segments);
    rest = rest.subspan(length);
  }
  return segments;
}

std::vector<engine::Segment> GamePlan::segments(std::span<const std::size_t> wanted, const engine::Limit& limit) const {
  std::vector<engine::Segment> segments;
  wanted = add_shared(wanted, limit, segments);
  while (!wanted.empty()) {
    std::size_t neighbours = 1;
    while (neighbours < wanted.size() && wanted[neighbours] == wanted[neighbours - 1] + 1) ++neighbours;
    add_segments(wanted.first(neighbours), limit, segments);
    wanted = wanted.subspan(neighbours);
  }
  return segments;
}

}  // namespace pm::review
