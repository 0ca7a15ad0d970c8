// A name for a game that is the same in every file and every run: for joining tables, and for finding a game again.
//
//   game_id(game)  ->  "5f0c1d6be0a9317c"
//
// The first 64 bits of a SHA-256 of what makes a game itself: Site, Date, Round, White and Black, the start position
// and the moves of the main line. Comments, variations, glyphs, results and other tags do not count, nor whether an
// unknown tag is "?" or left out: reviewing a game and writing it again does not change its id. Pure.
#pragma once

#include <string>

#include "pgn/game.h"

namespace pm::report {

std::string game_id(const pgn::Game& game);

}  // namespace pm::report
