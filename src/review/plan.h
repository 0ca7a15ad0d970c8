// What an engine must be asked to review a game: a plain list of segments (engine/segment.h), made before anything
// runs. Positions where the game is over are left out.
//
//   const GamePlan plan(game);
//   plan.segments(limit);                  // all: those of the opening one by one, later ones twelve at a time
//   plan.segments({4, 5, 9}, limit);       // these again: 4 and 5 together, 9 by itself
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/segment.h"
#include "pgn/game.h"

namespace pm::review {

// Long enough that starting afresh costs little, short enough to share out one game.
inline constexpr std::size_t segment_length = 12;

// So many positions from the start of a game are searched one by one, each as if nothing had come before it: openings
// are played again and again, and what was found out about a position in one game serves all others.
inline constexpr std::size_t shared_positions = 16;

// A line that has become so long starts anew at the next pawn move or capture, before which nothing can be repeated:
// else every segment of a long game would be told all moves before it. Real games are shorter; none is cut elsewhere
// for it.
inline constexpr std::size_t longest_line = 600;

// Of the moves that are reviewed (review/evidence.h, most_plies).
class GamePlan {
 public:
  explicit GamePlan(const pgn::Game& game);

  std::size_t positions() const { return places_.size(); }
  // The game is over there.
  bool is_over(std::size_t position) const { return places_[position].score.has_value(); }
  const std::optional<score::WhiteScore>& score_at_end(std::size_t position) const { return places_[position].score; }
  std::size_t finished() const;  // positions where the game is over

  // All positions of the main line. `first`: the length of the first segment; another one than usual cuts the game
  // elsewhere and shares nothing, so that the answers are independent of those to the usual one.
  std::vector<engine::Segment> segments(const engine::Limit& limit, std::size_t first = segment_length) const;
  // Some of them, ascending; neighbours are searched together.
  std::vector<engine::Segment> segments(std::span<const std::size_t> wanted, const engine::Limit& limit) const;

 private:
  // A line as an engine can be told it: after a null move, which UCI does not know, it starts anew; so it does when it
  // is too long.
  struct Place {
    std::size_t line;                        // index into lines_
    std::size_t moves;                       // played in it
    std::optional<score::WhiteScore> score;  // where the game is over
  };
  // Split where a line ends.
  void add_segments(std::span<const std::size_t> wanted, const engine::Limit& limit,
                    std::vector<engine::Segment>& into) const;

  // Those of the opening, each by itself; returns the others.
  std::span<const std::size_t> add_shared(std::span<const std::size_t> wanted, const engine::Limit& limit,
                                          std::vector<engine::Segment>& into) const;

  std::vector<chess::GameState> lines_;
  std::vector<Place> places_;
};

}  // namespace pm::review
