// Evidence as text, for saved reviews (docs/formats.md): everything that cannot be found out again without an engine or
// a model. Lines of words; unknown or damaged text is refused, with the line it lies in.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "review/evidence.h"

namespace pm::review {

std::string format_evidence(const Evidence& evidence);

// Of this game: book names and clocks come from it.
Expected<Evidence> parse_evidence(std::string_view text, const pgn::Game& game);

}  // namespace pm::review
