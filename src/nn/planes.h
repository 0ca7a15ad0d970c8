// What Maia-1 and our own networks see of a position: 112 planes of 64 squares, everything from the side to move's
// point of view. Ranks are flipped for Black, files never; own pieces come first.
//
//   0..103    for each of the last eight boards, newest first, 13 planes: own P N B R Q K, their P N B R Q K, and one
//             that is all ones when that board had been there before
//   104..107  own O-O-O, own O-O, their O-O-O, their O-O
//   108       all ones when Black is to move
//   109       the halfmove clock, as it is
//   110, 111  all zeros; all ones
//
// Source: the input format CLASSICAL_112 of Leela networks. When fewer than eight boards are known, the missing ones
// are empty after the standard start; otherwise the oldest known one is repeated, a pawn that has just gone two squares
// standing back where it came from.
//
// Our own networks see the ratings of both in planes 110 and 111, in thousands, and what a small network would need
// many layers to find out:
//
//   112..123  squares attacked by own P N B R Q K, by their P N B R Q K
//   124..129  squares from where an own N, B, R would give check; from where theirs would
//   130, 131  own men that are pinned to their king; theirs
#pragma once

#include <array>
#include <cstdint>

#include "chess/position_history.h"

namespace pm::nn {

inline constexpr std::size_t leela_planes = 112;
inline constexpr std::size_t own_planes = 132;
inline constexpr std::size_t planes_per_board = 13;

// The squares of the mask (bit 0 = a1 of the side to move) have the value, all others 0.
struct Plane {
  std::uint64_t mask = 0;
  float value = 1;
};

inline constexpr std::uint64_t everywhere = ~std::uint64_t{0};  // a mask of all squares

using Planes = std::array<Plane, own_planes>;  // those that a network does not know are empty

Planes encode_planes(const chess::PositionHistory& history);
// For our own networks.
Planes encode_planes(const chess::PositionHistory& history, int rating, int opponent_rating);

}  // namespace pm::nn
