// What people are likely to lose after a move: the reply in its tree that costs them most, weighted by how many play
// it, and what the tree's own lines show it to lose. Pure.
#pragma once

#include <optional>
#include <string>

#include "expect/tree.h"
#include "explain/claim.h"

namespace pm::expect {

struct LikelyBlunder {
  std::uint32_t node = 0;  // the reply
  explain::Claim claim;    // what it allows; its line begins after the reply
  std::string text;        // "45% answer Qxd4, which allows Nxc2+, forking king and queen."
};

// Nothing when no likely reply is a clear error whose cost can be shown.
std::optional<LikelyBlunder> likely_blunder(const Tree& tree);

}  // namespace pm::expect
