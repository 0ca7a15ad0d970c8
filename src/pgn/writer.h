// Writes games in PGN export format: the seven tag roster first, then the other tags, then movetext in lines of at most
// 79 characters. Reading the text back gives the same tree.
//
//   std::string text = write_game(game);     // ends with an empty line, ready for the next game
#pragma once

#include <string>

#include "pgn/game.h"

namespace pm::pgn {

// Roster tags the game lacks are written as "?" ("????.??.??" for the date); the result comes from game.result; SetUp
// and FEN are added when the start is not the usual one. A closing brace in a comment, where none can be, becomes
// a bracket.
std::string write_game(const Game& game);

}  // namespace pm::pgn
