// What a good move does: what it wins or forces by itself, what a sacrifice gets, and what the only good move prevents.
#pragma once

#include <optional>

#include "explain/claim.h"
#include "explain/explained_move.h"

namespace pm::explain {

// Of BEST, CRITICAL and BRILLIANT moves; nothing when there is nothing to show.
std::optional<Claim> praise_claim(const ExplainedMove& move, const motif::Step& played);

}  // namespace pm::explain
