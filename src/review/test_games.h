// Games as the tests of this folder write them.
#pragma once

#include <string_view>

#include "pgn/reader.h"

namespace pm::review {

inline pgn::Game read_game(std::string_view text) {
  pgn::MemorySource source(text);
  return pgn::GameReader(source).next().value().game;
}

inline pgn::Game game_of(const chess::GameState& moves) {
  pgn::Game game;
  game.start = moves.start;
  pgn::NodeId at = pgn::Game::root;
  for (const chess::Move move : moves.moves) at = game.add_move(at, move);
  return game;
}

inline const pgn::Game& long_game() {
  static const pgn::Game game = read_game(
      "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 "
      "11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 *");
  return game;
}

}  // namespace pm::review
