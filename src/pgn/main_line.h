// The fast way through many games: tags and main line only, every move legal, variations skipped unread.
//
//   MainLineReader reader(source);
//   while (const MainLine* game = reader.next()) use(game->moves);
//
// The same MainLine is filled again for every game, so a run over millions of games allocates next to nothing. It is
// valid until the next call. One thread; the source must outlive the reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/game_state.h"
#include "pgn/game.h"
#include "pgn/parser.h"

namespace pm::pgn {

struct MainLine : chess::GameState {
  std::vector<Tag> tags;
  Result result = Result::unknown;
  std::vector<Problem> problems;
};

class MainLineReader {
 public:
  explicit MainLineReader(ByteSource& source) : parser_(source) {}
  // The next game, or nullptr at the end of the input (then ask error()).
  const MainLine* next();
  std::uint64_t bytes() const { return parser_.bytes(); }
  const std::optional<Error>& error() const { return parser_.error(); }

 private:
  GameParser parser_;
  MainLine line_;
};

}  // namespace pm::pgn
