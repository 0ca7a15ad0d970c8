// Positions of one game that an engine searches one after the other. It forgets everything at the start of a segment
// and keeps what it learns through it, so that answers do not depend on which process gets which segment, nor on what
// was already known, and yet the hash table is of use.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace pm::engine {

struct Segment {
  chess::GameState state;           // up to the last position
  std::vector<std::size_t> plies;   // after how many of the moves each position stands, ascending
  std::vector<std::size_t> wanted;  // which positions of the game these are
  Limit limit;
};

// Everything the answers depend on besides the engine.
std::string key_of(const Segment& segment);

}  // namespace pm::engine
