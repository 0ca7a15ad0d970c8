// Takes out of a game what an earlier annotation of ours has put in, so that a new one replaces it: verdicts with their
// NAGs, sentences about people, better lines and refutations; with `Evals::replaced` also every score of the main line,
// whoever wrote it. Everything else stays.
#pragma once

#include <cstdint>
#include <string>

#include "pgn/game.h"
#include "report/scheme.h"

namespace pm::report {

enum class Evals : std::uint8_t { kept, replaced };

// Better lines of ours; kept where no engine is there to give new ones.
enum class BetterLines : std::uint8_t { kept, removed };

pgn::Game without_annotation(const pgn::Game& game, Evals evals, BetterLines lines);

// The comment in which an earlier annotation gave this move the same class; empty: there is none.
std::string earlier_verdict(const pgn::Game& game, pgn::NodeId move, const Look& look);

}  // namespace pm::report
