// Takes out of a game what an earlier annotation of ours has put in, so that a new one replaces it: verdicts with their
// NAGs, sentences about people and better lines; with `Evals::replaced` also every score of the main line, whoever
// wrote it. Everything else stays.
#pragma once

#include <cstdint>

#include "pgn/game.h"

namespace pm::report {

enum class Evals : std::uint8_t { kept, replaced };

pgn::Game without_annotation(const pgn::Game& game, Evals evals);

}  // namespace pm::report
