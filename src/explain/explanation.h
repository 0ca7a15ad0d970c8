// Why a move is good or bad, in chess terms: from the engine's line after it, the engine's line instead of it, and the
// position. Pure.
//
//   Explanation e = explain({before, move, line_after, line_before, ...});
//   e.text;                        // "Allows Ne7+, forking king and queen. Refuted by 11. Ne7+ Kh8 12. Nxc8 (-6.2)."
#pragma once

#include "explain/claim.h"
#include "explain/explained_move.h"

namespace pm::explain {

Explanation explain(const ExplainedMove& move);

}  // namespace pm::explain
