// Verdicts and reviews as JSON, for programs (docs/formats.md describes every field).
#pragma once

#include <span>
#include <stop_token>
#include <string>

#include "pgn/problem.h"
#include "report/json_writer.h"
#include "review/game_review.h"

namespace pm::report {

// {"points": {...}, "labels": {...}, "acpl": {...}, "lichess": {...}}
void write_verdicts(JsonWriter& json, const verdict::Verdicts& verdicts);

// Lines beside a game that somebody has played on its board, each from the start position.
using TriedLines = std::vector<std::vector<chess::Move>>;

// One game on one line, postmortem.review/1. `problems` are those of reading it.
// Asked to stop it ends soon, and the text is not whole.
std::string review_json(const review::GameReview& review, std::span<const pgn::Problem> problems,
                        const TriedLines& tried = {}, const std::stop_token& stop = {});

// {"white_chances": 0.5, "lines": [...]}: lines of an engine as they stand in a review, by themselves.
std::string lines_json(const std::vector<score::Line>& lines, const chess::Position& position);

// One ply as it stands in a review.
std::string ply_json(const review::GameReview& review, std::size_t ply);

}  // namespace pm::report
