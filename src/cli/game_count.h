// How much there is to review, before it begins: a first pass over the files that looks at tags and main lines only
// (pgn/main_line.h), some hundred times as fast as a review.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/game_selection.h"
#include "cli/review_meter.h"

namespace pm::cli {

// The games of the files that are meant, and their plies. Nothing when a file can be read only once, such as standard
// input, or when somebody asks to stop. What cannot be read counts as far as it can: the review itself says why.
std::optional<ReviewTotals> count_games(const std::vector<std::string>& files, GameSelection selection,
                                        const std::stop_token& stop);

}  // namespace pm::cli
