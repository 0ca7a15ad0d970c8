// The `lichess` and `acpl` schemes: figures that can be compared with the site's (spec/classification.md 3 and 5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "chess/types.h"
#include "verdict/reason.h"
#include "verdict/score.h"

namespace pm::verdict {

enum class Judgement : std::uint8_t { inaccuracy, mistake, blunder };
std::string_view name_of(Judgement judgement);

// Centipawn loss, 0..2000: mates and scores beyond +-1000 count as +-1000.
int centipawn_loss(const MoverScore& before, const MoverScore& after);
// 50, 100 and 200 centipawns.
std::optional<Judgement> judge_centipawn_loss(int loss);

// Lichess's judgement of a move; its engine's first choice is never judged, which is for the caller to know.
std::optional<Judgement> judge_lichess(const MoverScore& before, const MoverScore& after);

// 0..100, from win percentages of clamped scores.
double lichess_move_accuracy(const MoverScore& before, const MoverScore& after);

// What Lichess takes as the score of the start position.
inline constexpr Centipawns start_score{15};

// A ply of a game: who moved, and how it stands since.
struct PlyScore {
  chess::Colour mover;
  WhiteScore after;
};

// Accuracy of one side over a whole game, 0..100; nothing when the side made no move.
std::optional<double> lichess_game_accuracy(std::span<const PlyScore> plies, chess::Colour side);

// Average centipawn loss of one side, exact; nothing when the side made no move.
std::optional<double> average_centipawn_loss(std::span<const PlyScore> plies, chess::Colour side);

}  // namespace pm::verdict
