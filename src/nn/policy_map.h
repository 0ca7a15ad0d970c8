// Where a network's policy output keeps the logit of a move: one of 73 planes by how the piece moves, and the square it
// comes from, both seen from the side to move.
//
//   0..55   queen moves: N, NE, E, SE, S, SW, W, NW, each one to seven squares far; knight promotions are among them,
//           and castling, which is the king taking its rook
//   56..63  knight moves (file, rank): (1,2) (2,1) (2,-1) (1,-2) (-1,-2) (-2,-1) (-2,1) (-1,2)
//   64..72  promotions towards the a-file, straight, towards the h-file, each to rook, bishop, queen
//
// Source: the convolutional policy head of Leela networks.
#pragma once

#include "chess/move.h"
#include "chess/types.h"

namespace pm::nn {

inline constexpr int policy_planes = 73;

struct PolicySlot {
  int plane;
  int from;  // a square's index from the side to move's point of view
  int to;    // another; of castling the rook's
  friend bool operator==(const PolicySlot&, const PolicySlot&) = default;
};

// The move must be legal for the side in some position.
PolicySlot policy_slot(chess::Move m, chess::Colour mover);

}  // namespace pm::nn
