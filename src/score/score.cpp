#include "score/score.h"

#include <algorithm>
#include <cmath>

namespace pm::score {

WinRate win_rate(Centipawns cp, Slope slope) { return WinRate(1 / (1 + std::exp(-slope.per_centipawn * cp.value))); }

WinRate win_rate(const MoverScore& score, Slope slope) {
  if (const Mate* mate = score.mate()) return WinRate(mate->wins ? 1 : 0);
  return win_rate(*score.centipawns(), slope);
}

Centipawns clamped(const MoverScore& score) {
  constexpr int most = 1'000;
  if (const Mate* mate = score.mate()) return {mate->wins ? most : -most};
  return {std::clamp(score.centipawns()->value, -most, most)};
}

}  // namespace pm::score
