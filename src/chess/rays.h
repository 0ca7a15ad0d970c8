// Sliding attacks the slow way, square by square: what the tables of attacks.h are filled from and tested against.
#pragma once

#include <array>

#include "chess/bitboard.h"

namespace pm::chess {

struct Direction {
  int files;
  int ranks;
};

inline constexpr std::array<Direction, 4> rook_directions{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
inline constexpr std::array<Direction, 4> bishop_directions{{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};

// The squares from s outward, up to and including the first occupied one.
constexpr Bitboard ray(Square s, Direction d, Bitboard occupied) {
  Bitboard reached;
  int file = file_of(s) + d.files;
  int rank = rank_of(s) + d.ranks;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += d.files, rank += d.ranks) {
    const Square to = make_square(file, rank);
    reached |= Bitboard(to);
    if (occupied.has(to)) break;
  }
  return reached;
}

constexpr Bitboard rays(Square s, const std::array<Direction, 4>& directions, Bitboard occupied) {
  Bitboard reached;
  for (const Direction& d : directions) reached |= ray(s, d, occupied);
  return reached;
}

// The squares whose occupancy can change the attacks from s: the rays without their last squares.
constexpr Bitboard blocker_mask(Square s, const std::array<Direction, 4>& directions) {
  const Bitboard edges = ((file_a | file_h) & ~file_bits(file_of(s))) | (back_ranks & ~rank_bits(rank_of(s)));
  return rays(s, directions, {}) & ~edges;
}

// The next subset of `mask` after `subset`; enumerates all of them from the empty set back to the empty set.
constexpr Bitboard next_subset(Bitboard subset, Bitboard mask) {
  return Bitboard((subset.bits() - mask.bits()) & mask.bits());
}

}  // namespace pm::chess
