// Scores as text: for programs, for people, and in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "score/score.h"

namespace pm::score {

// "31" centipawns or "#-3", a mate in three against White; of a mate on the board "#0" and "#-0".
std::string format_score(const WhiteScore& white);
// The same back; a mate on the board is not read, since the position says so itself.
std::optional<WhiteScore> parse_score(std::string_view text);

// "+0.31", "0.00", "#-3": as players write it; of a mate on the board "mate".
std::string pawns_text(const Score& score);

// From the mover's view: "+1.20", "mate in 3", "being mated in 2", "checkmate".
std::string score_in_words(const MoverScore& score);

}  // namespace pm::score
