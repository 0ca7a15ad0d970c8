// How a line wins what it wins: the motif that does it, and the words for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/claim.h"

#include "motif/line.h"

namespace pm::explain {

struct Tactic {
  std::string_view motif;
  std::size_t step = 0;  // of the line: the move that does it
  std::string doing;     // "forking king and queen"
  std::string does;      // "Forks king and queen"
  std::vector<Target> targets;
  bool names_prize = false;  // the words say what is won
};

// A motif that the line cashes in; nothing when it is plain taking.
std::optional<Tactic> find_tactic(const motif::Line& line);

// "the knight on f3"; for kings "the king".
std::string named(const Target& target);

}  // namespace pm::explain
