#include "nn/policy_map.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>

namespace pm::nn {
namespace {

using chess::Colour;
using chess::Move;
using chess::MoveKind;
using chess::PieceKind;
using chess::Square;

constexpr int first_knight_plane = 56;
constexpr int first_promotion_plane = 64;
constexpr int longest_move = 7;

// The order of directions, by the signs of the steps along file and rank.
constexpr std::array<std::array<int, 3>, 3> direction_by_signs = {{
    // rank: down, level, up
    {5, 6, 7},   // file: towards a
    {4, -1, 0},  // along the file
    {3, 2, 1},   // towards h
}};

struct Step {
  int files;
  int ranks;
  friend bool operator==(const Step&, const Step&) = default;
};
constexpr std::array<Step, 8> knight_steps = {{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

int sign(int n) { return static_cast<int>(n > 0) - static_cast<int>(n < 0); }

int plane_of(Step step, Move m) {
  if (m.kind() == MoveKind::promotion && m.promoted() != PieceKind::knight) {
    const int piece = m.promoted() == PieceKind::rook ? 0 : m.promoted() == PieceKind::bishop ? 1 : 2;
    return first_promotion_plane + 3 * (step.files + 1) + piece;
  }
  const auto* knight = std::find(knight_steps.begin(), knight_steps.end(), step);
  if (knight != knight_steps.end()) return first_knight_plane + static_cast<int>(knight - knight_steps.begin());
  const int direction = direction_by_signs.at(1 + sign(step.files)).at(1 + sign(step.ranks));
  const int distance = std::max(std::abs(step.files), std::abs(step.ranks));
  assert(direction >= 0 && distance >= 1);
  return longest_move * direction + distance - 1;
}

}  // namespace

PolicySlot policy_slot(Move m, Colour mover) {
  const Square from = m.from();
  const Square to = m.to();
  const int up = mover == Colour::white ? 1 : -1;
  const Step step{chess::file_of(to) - chess::file_of(from), up * (chess::rank_of(to) - chess::rank_of(from))};
  return {plane_of(step, m), 8 * chess::relative_rank(mover, from) + chess::file_of(from),
          8 * chess::relative_rank(mover, to) + chess::file_of(to)};
}

}  // namespace pm::nn
