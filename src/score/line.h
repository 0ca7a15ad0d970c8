// What an engine says of a position: scored lines, best first. And what needs no engine: positions where the game is
// over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"
#include "score/score.h"

namespace pm::score {

// How a thousand games would end, by an engine's own count, White's view.
struct WhiteResults {
  int wins = 0;
  int draws = 0;
  int losses = 0;
  friend bool operator==(const WhiteResults&, const WhiteResults&) = default;
};

struct Line {
  WhiteScore score;
  int depth = 0;                // plies
  std::vector<chess::Move> pv;  // legal moves from the searched position; empty when the game is over there
  std::uint64_t nodes = 0;      // searched for it; 0 when not known
  std::optional<WhiteResults> results = std::nullopt;
};

// The score of a position where the game is over: mate for the side that moved last, or 0 for a draw that needs no
// claim. Nothing when the game goes on. `repetitions`: how often the position has occurred in the game.
std::optional<WhiteScore> finished_score(const chess::Position& position, int repetitions = 1);

}  // namespace pm::score
