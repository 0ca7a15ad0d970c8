// A position as the commands `human` and `expect` take it: a FEN, UCI's "startpos moves e2e4" or "fen ... moves ...",
// or a ply of a game in a PGN file. What is known of how it came about comes along.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "chess/position.h"
#include "human/trail.h"

namespace pm::cli {

struct PositionArgument {
  std::vector<std::string> words;  // of the command line
  std::optional<int> ply;          // of a game: the position after so many plies
  std::optional<int> game;         // of a file: which game, from 1; nothing: the first
};

struct GivenPosition {
  chess::Position start = chess::Position::start();
  std::vector<chess::Move> moves;  // from start to the position
  std::string game;                // "Morphy - Duke Karl, after 9...b5"; empty when it is of no game
  std::optional<int> white_rating;
  std::optional<int> black_rating;
  std::vector<std::string> problems;  // of the PGN, "file:line:column: what"

  human::Trail trail() const;
};

Expected<GivenPosition> read_position(const PositionArgument& argument);

// UCI's form, or a bare FEN.
Expected<GivenPosition> parse_position(std::string_view text);

}  // namespace pm::cli
