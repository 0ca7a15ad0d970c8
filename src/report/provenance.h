// Who a review's numbers come from, in a few words for people and in full for programs: no number without its engine
// and limit, or its model.
#pragma once

#include <string>

#include "review/game_review.h"

namespace pm::report {

// "Stockfish 15.1, depth 18"
std::string engine_text(const review::EngineUsed& engine);
// As human::model_text has it.
std::string model_text(const review::HumanUsed& human);

// "Postmortem 0.1.0"
std::string program_text();
// "Stockfish 15.1, sha256 af67..., Hash=64, depth 18, effort full"
std::string full_engine_text(const review::EngineUsed& engine);
// "Postmortem-2, sha256 03e5..., people quick"
std::string full_model_text(const review::HumanUsed& human);
// "Reviewed up to ply 10000; the 50000 plies after it are left out." Of a game that was reviewed whole: empty.
std::string left_out_text(const review::GameReview& review);
// All of them, as far as they had a part in it.
std::string provenance_text(const review::Evidence& evidence);

}  // namespace pm::report
