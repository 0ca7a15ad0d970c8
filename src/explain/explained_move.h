// A move to be explained, with what is known of it.
#pragma once

#include <optional>
#include <span>

#include "chess/position.h"
#include "explain/trap.h"
#include "motif/line.h"
#include "score/line.h"
#include "verdict/points.h"

namespace pm::explain {

// Nothing is owned.
struct ExplainedMove {
  const chess::Position& before;
  chess::Move move;
  const std::optional<motif::Step>& previous;  // the opponent's move before it, where it is known
  std::span<const motif::Step> recent;         // the last moves before it, in order; six are enough
  std::span<const score::Line> lines_before;   // best first; may be empty
  std::span<const score::Line> lines_after;
  verdict::PointsClass cls;
  const Trap* trap = nullptr;  // that it sets, or that the engine's move would have set
  int opponent_rating = 0;     // of those who fall into it

  chess::Colour mover() const { return before.side_to_move(); }
  // There must be lines.
  score::MoverScore seen_before() const { return lines_before.front().score.seen_by(mover()); }
  score::MoverScore seen_after() const { return lines_after.front().score.seen_by(mover()); }
};

}  // namespace pm::explain
