// Who a review's numbers come from, in a few words: no number without its engine and limit, or its model.
#pragma once

#include <string>

#include "review/game_review.h"

namespace pm::report {

// "Stockfish 15.1, depth 18"
std::string engine_text(const review::EngineUsed& engine);
// As human::model_text has it.
std::string model_text(const review::HumanUsed& human);

}  // namespace pm::report
