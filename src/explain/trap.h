// A trap: a move after which most people reply with an error that the engine's line punishes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/claim.h"
#include "motif/line.h"
#include "score/line.h"

namespace pm::explain {

inline constexpr double clear_error = .12;  // winning chances: what a reply must lose to count as one

// What is known of it.
struct Trap {
  chess::Move move;        // that sets it
  chess::Move reply;       // that falls into it
  double probability = 0;  // how many reply so
  score::Line line;        // the engine's, after the reply
};

// "Sets a trap: 98% of 1700s answer Qxd4, which allows Nxc2+, forking king and queen."; nothing when the line does not
// show what is lost. `setting` is the move that sets it, `rating` that of the people, `lines` are the engine's after
// the move. `beginning` is how the sentence begins.
std::optional<Claim> trap_claim(const Trap& trap, const motif::Step& setting, const std::vector<score::Line>& lines,
                                int rating, const std::string& beginning);

}  // namespace pm::explain
