// Reads games as trees, one at a time.
//
//   auto source = open_source("games.pgn");
//   GameReader reader(**source);
//   while (std::optional<ReadGame> read = reader.next()) use(read->game, read->problems);
//   if (reader.error()) ...        // the input broke off
//
// Memory is that of the largest single game, bounded by limits.h. One thread; the source must outlive the reader.
#pragma once

#include <optional>
#include <vector>

#include "pgn/game.h"
#include "pgn/parser.h"
#include "pgn/problem.h"
#include "pgn/source.h"

namespace pm::pgn {

struct ReadGame {
  Game game;                      // up to the first problem that broke it off
  std::vector<Problem> problems;  // the first max_problems (limits.h)
};

class GameReader {
 public:
  explicit GameReader(ByteSource& source) : parser_(source) {}
  std::optional<ReadGame> next();
  std::uint64_t bytes() const { return parser_.bytes(); }
  const std::optional<Error>& error() const { return parser_.error(); }

 private:
  GameParser parser_;
};

}  // namespace pm::pgn
