// The `lichess` scheme: figures that can be compared with the site's (docs/rules.md 5).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "chess/types.h"
#include "verdict/acpl.h"
#include "verdict/judged_move.h"
#include "verdict/reason.h"

namespace pm::verdict {

// What Lichess takes as the score of the start position.
inline constexpr Centipawns start_score{15};

// Lichess's judgement by the scores alone; its engine's first choice is never judged, which judge_lichess() knows.
std::optional<Judgement> lichess_judgement(const MoverScore& before, const MoverScore& after);

// 0..100, from win percentages of clamped scores.
double lichess_move_accuracy(const MoverScore& before, const MoverScore& after);

struct LichessVerdict {
  std::optional<Judgement> judgement;
  double accuracy;  // 0..100
  Reason reason;
};
// `before` is passed apart: of a game's first move Lichess takes start_score, not what an engine says.
LichessVerdict judge_lichess(const JudgedMove& judged, const MoverScore& before);
inline LichessVerdict judge_lichess(const JudgedMove& judged) { return judge_lichess(judged, judged.best_score()); }

// A ply of a game: who moved, and how it stood before and since.
struct PlyScore {
  chess::Colour mover;
  WhiteScore before;
  WhiteScore after;
};

// How much the game swung around each ply; accuracies of a game are weighted with it. One per ply.
std::vector<double> lichess_weights(std::span<const PlyScore> plies);

// Accuracy over some moves of one player, 0..100; nothing for no moves.
struct WeighedAccuracy {
  double accuracy;
  double weight;
};
std::optional<double> lichess_accuracy(std::span<const WeighedAccuracy> moves);

}  // namespace pm::verdict
