// A position as the commands `human` and `expect` take it: a FEN, UCI's "startpos moves e2e4" or "fen ... moves ...",
// or a ply of a game in a PGN file. What is known of how it came about comes along.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "chess/game_state.h"
#include "human/ratings.h"

namespace pm::cli {

struct PositionArgument {
  std::vector<std::string> words;  // of the command line
  std::optional<int> ply;          // of a game: the position after so many plies
  std::optional<int> game;         // of a file: which game, from 1; nothing: the first
};

struct GivenPosition {
  chess::GameState state;
  std::string game;  // "Morphy - Duke Karl, after 9...b5"; empty when it is of no game
  human::TaggedRatings ratings;
  std::vector<std::string> problems;  // and notes of the PGN, "file:line:column: what"
};

Expected<GivenPosition> read_position(const PositionArgument& argument);

// UCI's form, or a bare FEN.
Expected<GivenPosition> parse_position(std::string_view text);

}  // namespace pm::cli
