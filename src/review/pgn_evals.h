// Scores that a PGN file carries in its [%eval] comments, in place of an engine.
//
// They are White's, of the position after each move; the start position counts as +15 centipawns, unless a score stands
// before the first move. There is no best move and no second line, so verdicts come from the loss alone: nothing is
// CRITICAL or BRILLIANT, and BEST is what loses nothing. (Forced moves, book moves and checkmates need no engine and
// are still seen.) Verdicts an earlier review wrote into comments, "BRILLIANT: Offers the knight ...", are taken along.
#pragma once

#include "review/evidence.h"

namespace pm::review {

Evidence evidence_of_comments(const pgn::Game& game, const book::PolyglotBook* extra = nullptr);

}  // namespace pm::review
