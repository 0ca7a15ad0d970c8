// What the clocks in a file tell: how long each move took, and who was in time trouble when.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pgn/game.h"
#include "review/evidence.h"
#include "verdict/phase.h"

namespace pm::review {

struct TimeControl {
  std::chrono::milliseconds base{0};
  std::chrono::milliseconds increment{0};
};
// From the tag: "300+3", "600", of several periods the first one. Nothing when there is none or it is not known.
std::optional<TimeControl> time_control(const pgn::Game& game);

struct MoveTime {
  std::optional<std::chrono::milliseconds> left;   // when the opponent had moved
  std::optional<std::chrono::milliseconds> spent;  // on the move
  bool trouble = false;                            // less than 30 seconds or a tenth of the base time was left
};
// One for every ply; a player's first move has none, since servers start the clocks after it.
std::vector<MoveTime> move_times(const pgn::Game& game, const Evidence& evidence);

// How one player used the time.
struct TimeFigures {
  struct Phase {
    int moves = 0;
    std::chrono::milliseconds spent{0};
    std::optional<double> seconds_per_move() const;
  };
  std::array<Phase, verdict::phase_names.size()> phases;
  int moves_in_trouble = 0;
  int errors_in_trouble = 0;

  Phase game() const;  // all phases
};

// "Played in 2 seconds." of an error that was made in no time, or with no time left; empty where the clocks say
// nothing.
std::string time_sentence(const MoveTime& time, const std::optional<TimeControl>& control);

}  // namespace pm::review
