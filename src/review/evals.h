// Scores that a PGN file carries in its [%eval] comments, in place of an engine.
//
// They are White's, of the position after each move; the start position counts as +15 centipawns, unless a score stands
// before the first move. There is no best move
// and no second line, so verdicts come from the loss alone: nothing is CRITICAL or BRILLIANT, and BEST is what loses
// nothing. (Forced moves, book moves and checkmates need no engine and are still seen.)
#pragma once

#include "review/game_review.h"

namespace pm::review {

GameEvals evals_of_comments(const pgn::Game& game);

// The options with the rules that need an engine turned off.
ReviewOptions without_engine(ReviewOptions options);

// Believes the verdicts an earlier review wrote into comments, "BRILLIANT: Offers the knight ...": it had an engine and
// knew more than the scores tell.
void believe_comments(GameReview& review);

// The whole way: scores, verdicts and earlier verdicts of the file.
GameReview review_comments(const pgn::Game& game, const ReviewOptions& options);

}  // namespace pm::review
