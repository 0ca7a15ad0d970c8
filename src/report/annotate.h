// A reviewed game as annotated PGN: the game with NAGs, [%eval] commands, short verdicts with their reasons, and for
// errors the better line as a variation. What an earlier annotation of ours has put in is replaced, and so are scores,
// by those of the engine that judged; all else that the game carries is kept. Annotating twice gives the same file.
//
//   std::string text = pgn::write_game(annotated(review, Scheme::points));
#pragma once

#include "report/earlier_annotation.h"
#include "report/scheme.h"
#include "review/game_review.h"

namespace pm::report {

// `evals`: what becomes of scores in the file when an engine has judged; those that are kept are not its own.
pgn::Game annotated(const review::GameReview& review, Scheme scheme, Evals evals = Evals::replaced);

}  // namespace pm::report
