// Something wrong in a PGN file. Never fatal: the game is kept up to there and reading goes on with the next one.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace pm::pgn {

struct Problem {
  Place place;
  std::size_t game = 0;  // counted from 1
  std::string message;   // what was found and what was expected; fit for a terminal (base/printable.h)
  bool note = false;     // worth knowing, but nothing is wrong
  friend bool operator==(const Problem&, const Problem&) = default;
};

}  // namespace pm::pgn
