// Why a move is good or bad, in chess terms: from the engine's line after it, the engine's line instead of it, and the
// position. Pure.
//
//   Explanation e = explain({before, move, line_after, line_before, ...});
//   e.text;                        // "Allows Ne7+, forking king and queen. Refuted by 11. Ne7+ Kh8 12. Nxc8 (-6.2)."
#pragma once

#include <optional>
#include <span>

#include "chess/position.h"
#include "explain/claim.h"
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
};

Explanation explain(const ExplainedMove& move);

}  // namespace pm::explain
