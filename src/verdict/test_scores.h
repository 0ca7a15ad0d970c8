// Scores as the tests of this folder write them.
#pragma once

#include <cstdlib>

#include "verdict/judged_move.h"

namespace pm::verdict {

inline MoverScore cp(int value) { return MoverScore(Centipawns{value}); }
// Positive: the mover mates.
inline MoverScore mate(int moves) { return MoverScore(Mate{std::abs(moves), moves > 0}); }

}  // namespace pm::verdict
