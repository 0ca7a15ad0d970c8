// Why a move is an error: mates and material first, then what the lines force, then what the position gives up or the
// better move would have done for it.
#pragma once

#include <vector>

#include "explain/claim.h"
#include "explain/explained_move.h"

namespace pm::explain {

inline constexpr std::size_t most_claims = 3;

// The most telling first; none when nothing can be shown. `played` is the move itself.
std::vector<Claim> error_claims(const ExplainedMove& move, const motif::Step& played);

}  // namespace pm::explain
