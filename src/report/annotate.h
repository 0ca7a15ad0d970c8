// A reviewed game as annotated PGN: the game with NAGs, [%eval] commands, short verdicts with their reasons, and for
// errors the better line as a variation. What the game already carries is kept; annotating twice adds nothing.
//
//   std::string text = pgn::write_game(annotated(review, Scheme::points));
#pragma once

#include "report/scheme.h"
#include "review/game_review.h"

namespace pm::report {

pgn::Game annotated(const review::GameReview& review, Scheme scheme);

}  // namespace pm::report
