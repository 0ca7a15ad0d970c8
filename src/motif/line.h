// A line played out: each move with the positions before and after it. Where it comes from (a puzzle, an engine, a
// game) makes no difference.
//
//   const Line line(position, moves, error);         // moves[0] is the solver's, moves[1] the opponent's reply, ...
//   for (std::size_t i = 0; i < line.size(); i += 2) line[i].captured ...
//
// The side that moves first is the solver, the other one the opponent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "chess/position.h"

namespace pm::motif {

struct Step {
  Step(const chess::Position& position, chess::Move legal);

  bool is_capture() const { return captured.has_value(); }
  bool gives_check() const { return after.in_check(); }
  bool is_promotion() const { return move.kind() == chess::MoveKind::promotion; }

  chess::Move move;
  chess::Square from;
  chess::Square to;                          // when castling, where the king lands
  chess::PieceKind piece;                    // what stands on `to` afterwards: a promoted pawn is what it became
  std::optional<chess::PieceKind> captured;  // en passant included
  chess::Position before;
  chess::Position after;
};

class Line {
 public:
  // The moves must be legal one after the other. `error`: the opponent's move that led to the position, where it is
  // known, with the position before it.
  Line(const chess::Position& start, std::span<const chess::Move> moves,
       const std::optional<Step>& error = std::nullopt);

  chess::Colour solver() const { return start_.side_to_move(); }
  chess::Colour opponent() const { return !solver(); }
  const chess::Position& start() const { return start_; }
  const Step* error() const { return error_ ? &*error_ : nullptr; }

  bool empty() const { return steps_.empty(); }
  std::size_t size() const { return steps_.size(); }
  const Step& operator[](std::size_t i) const { return steps_[i]; }
  // The last move by the solver; the line must not be empty.
  std::size_t last_of_solver() const { return (size() - 1) & ~std::size_t{1}; }
  const chess::Position& end() const { return empty() ? start_ : steps_.back().after; }
  bool ends_in_mate() const;

  // Its first moves.
  Line first(std::size_t moves) const;

 private:
  chess::Position start_;
  std::optional<Step> error_;
  std::vector<Step> steps_;
};

}  // namespace pm::motif
