// A move and what an engine said before and after it: the input of every scheme.
//
// Nothing is owned; the positions and lines must live as long as the value. The lines before are best first; a position
// with one legal move has no second line. Finished positions are known without an engine (score::finished_score()).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "chess/position.h"
#include "score/line.h"

namespace pm::verdict {

using score::Centipawns;
using score::Line;
using score::Loss;
using score::Mate;
using score::MoverScore;
using score::WhiteScore;
using score::WinRate;

struct JudgedMove {
  const chess::Position& before;
  chess::Move move;
  const chess::Position& after;
  std::span<const Line> lines_before;  // at least one
  std::span<const Line> lines_after;   // at least one
  bool better_than_thought = false;    // the engine saw how good it was only after it was played

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

// What the opening books say of the position after a move (docs/rules.md 6).
struct BookKnowledge {
  bool known = false;             // it is theory
  std::string_view opening = {};  // NOLINT(readability-redundant-member-init): designated initialisers want it
  bool on_the_way = false;        // the name is that of a position the game came to later
};

}  // namespace pm::verdict
