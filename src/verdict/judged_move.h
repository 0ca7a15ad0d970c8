// A move and what an engine said before and after it: the input of every scheme.
//
// Nothing is owned; the positions and lines must live as long as the value. The lines before are best first; a position
// with one legal move has no second line. Finished positions are known without an engine (finished_score()).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chess/position.h"
#include "verdict/score.h"

namespace pm::verdict {

// How a thousand games would end, by an engine's own count, White's view.
struct WhiteResults {
  int wins = 0;
  int draws = 0;
  int losses = 0;
  friend bool operator==(const WhiteResults&, const WhiteResults&) = default;
};

struct Line {
  WhiteScore score;
  int depth = 0;                // plies
  std::vector<chess::Move> pv;  // legal moves from the searched position; empty when the game is over there
  std::uint64_t nodes = 0;      // searched for it; 0 when not known
  std::optional<WhiteResults> results = std::nullopt;
};

struct JudgedMove {
  const chess::Position& before;
  chess::Move move;
  const chess::Position& after;
  std::span<const Line> lines_before;  // at least one
  std::span<const Line> lines_after;   // at least one

  chess::Colour mover() const { return before.side_to_move(); }
  MoverScore best_score() const { return lines_before.front().score.seen_by(mover()); }
  MoverScore score_after() const { return lines_after.front().score.seen_by(mover()); }
  std::optional<MoverScore> second_score() const {
    if (lines_before.size() < 2) return std::nullopt;
    return lines_before[1].score.seen_by(mover());
  }
  std::optional<chess::Move> best_move() const {
    if (lines_before.front().pv.empty()) return std::nullopt;
    return lines_before.front().pv.front();
  }
  bool is_best() const { return best_move() == move; }
};

// The score of a position where the game is over: mate for the side that moved last, or 0 for a draw that needs no
// claim. Nothing when the game goes on. `repetitions`: how often the position has occurred in the game.
std::optional<WhiteScore> finished_score(const chess::Position& position, int repetitions = 1);

}  // namespace pm::verdict
