// A start and the moves since: how a position is told from the parser to the engine. What lies behind a position
// matters: repetitions, and what people play next.
//
//   GameState state{Position::start(), {e2e4, e7e5}};
//   state.current();                                   // the position after 1. e4 e5
#pragma once

#include <vector>

#include "chess/move.h"
#include "chess/position.h"

namespace pm::chess {

struct GameState {
  Position start = Position::start();
  std::vector<Move> moves;  // legal, each in the position before it; a null move passes the turn

  Position current() const {
    Position position = start;
    for (const Move m : moves) position.play(m);
    return position;
  }
  friend bool operator==(const GameState&, const GameState&) = default;
};

}  // namespace pm::chess
