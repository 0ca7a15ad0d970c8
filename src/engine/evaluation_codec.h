// Evaluations as text, for the store and for saved reviews: what the engine thought at half the depth, then a line per
// engine line, "score depth nodes moves", then an empty line. What does not read back (another version, a damaged
// entry) counts as not stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/segment.h"

namespace pm::engine {

std::string format_evaluation(const Evaluation& evaluation);
// Takes one evaluation of the position off the text; without its limit, which the text does not have.
std::optional<Evaluation> take_evaluation(std::string_view& text, const chess::Position& position);

// Of all positions of a segment.
std::string format_evaluations(const std::vector<Evaluation>& evaluations);
std::optional<std::vector<Evaluation>> parse_evaluations(std::string_view text, const Segment& segment);

}  // namespace pm::engine
