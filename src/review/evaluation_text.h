// Evaluations as text, for the store: a line per engine line, "score depth nodes moves", positions between empty lines.
// What does not read back (another version, a damaged entry) counts as not stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "review/game_review.h"
#include "review/plan.h"

namespace pm::review {

// "31" centipawns or "#-3", a mate in three against White.
std::string format_score(const verdict::WhiteScore& white);
std::optional<verdict::WhiteScore> parse_score(std::string_view text);

std::string format_evaluations(const std::vector<PositionEval>& evals);
std::optional<std::vector<PositionEval>> parse_evaluations(std::string_view text, const Segment& segment);

}  // namespace pm::review
