// How a game can be over without anybody resigning: mate, stalemate, dead positions, move counts and repetition.
//
//   History history(start);
//   history.push(position);                 // after every move
//   if (auto end = game_end(position, history)) ...
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "chess/position.h"

namespace pm::chess {

enum class GameEnd : std::uint8_t {
  checkmate,
  stalemate,
  insufficient_material,
  seventy_five_moves,
  fivefold_repetition,
};

enum class DrawClaim : std::uint8_t { fifty_moves, threefold_repetition };

// Neither side can mate by any series of legal moves: bare kings, a lone minor piece, or bishops all on one colour.
bool is_insufficient_material(const Position& position);

// The positions of a game so far. Remembers only what can still be repeated: pawn moves and captures cannot be taken
// back, so the keys before them are dropped.
class History {
 public:
  explicit History(const Position& start) { push(start); }
  void push(const Position& position);
  // How often the newest position has occurred, itself included.
  int repetitions() const;

 private:
  std::unordered_map<std::uint64_t, int> counts_;  // by repetition key
  std::uint64_t newest_ = 0;
};

// Ends that need no claim. `repetitions` counts the position itself (History::repetitions()).
std::optional<GameEnd> game_end(const Position& position, int repetitions);
inline std::optional<GameEnd> game_end(const Position& position, const History& history) {
  return game_end(position, history.repetitions());
}

// Draws a player may claim.
std::optional<DrawClaim> draw_claim(const Position& position, int repetitions);

}  // namespace pm::chess
