// How a position came about, as far as human models look back: its last eight boards and whether each had been on the
// board before. What people play depends on the moves before.
//
//   PositionHistory history(Position::start());
//   history.play(move);                 // after every move of the game, and of a line followed from it
//   model.predict({{history, 1500}});
//
// A value of about a kilobyte, however long the game is: copy it to follow several lines from one position.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chess/game_state.h"

namespace pm::chess {

class PositionHistory {
 public:
  static constexpr std::size_t boards = 8;
  // So far back a repetition is seen: further than a game can go without a pawn move or capture (75 moves). What is
  // played on after that must not make every history longer.
  static constexpr std::size_t most_remembered = 200;

  // Starts a game, or a position of which nothing else is known.
  explicit PositionHistory(const Position& start) { push(start); }
  explicit PositionHistory(const GameState& state) : PositionHistory(state.start) {
    for (const Move m : state.moves) play(m);
  }
  // The last of these positions of a game, each a move after the one before; there must be one. Looks back only as far
  // as it must, so that it costs the same at the end of a long game as at its beginning.
  static PositionHistory at_end_of(std::span<const Position> game);

  // The move must be legal.
  void play(Move m) { push(newest().after(m)); }

  const Position& newest() const { return board(0); }
  // How many boards are known, 1 to 8.
  std::size_t size() const { return size_; }
  // Board i plies ago, 0 being the newest; i < size().
  const Position& board(std::size_t i) const {
    assert(i < size_);
    return recent_[(head_ + boards - i) % boards].position;
  }
  // Whether that board had been there before.
  bool repeated(std::size_t i) const {
    assert(i < size_);
    return recent_[(head_ + boards - i) % boards].repeated;
  }
  // How often the newest position has occurred, itself included.
  int occurrences() const;

  // Whether a model sees all it would have seen in the real game: eight boards, or all boards from the standard start.
  bool is_complete() const;

  // Equal for histories a model cannot tell apart (but for the ratings), different for all others but with the chance
  // of a 128-bit hash.
  struct Key {
    std::uint64_t high;
    std::uint64_t low;
    friend bool operator==(const Key&, const Key&) = default;
  };
  Key key() const;

 private:
  struct Board {
    Position position = Position::start();
    bool repeated = false;
  };
  void push(const Position& position);

  std::array<Board, boards> recent_;
  std::size_t head_ = boards - 1;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> earlier_;  // repetition keys since the last pawn move or capture, the newest last
};

}  // namespace pm::chess
