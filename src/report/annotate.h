// A reviewed game as annotated PGN: the game with NAGs, [%eval] commands, short verdicts with their reasons, and for
// errors the better line as a variation. What an earlier annotation of ours has put in is replaced, and so are scores,
// by those of the engine that judged; all else that the game carries is kept. Annotating twice gives the same file.
//
//   std::string text = pgn::write_game(annotated(review, Scheme::points));
#pragma once

#include <stop_token>

#include "report/earlier_annotation.h"
#include "report/scheme.h"
#include "review/game_review.h"

namespace pm::report {

// `evals`: what becomes of scores in the file when an engine has judged; those that are kept are not its own. Asked to
// stop it ends soon, and verdicts are missing.
pgn::Game annotated(const review::GameReview& review, Scheme scheme, Evals evals = Evals::replaced,
                    const std::stop_token& stop = {});

}  // namespace pm::report
