// A reviewed game for people at a terminal: who played, the story and its turning points, the summary, then every move
// with its verdict and, where there is something to say, the reason.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "report/scheme.h"
#include "review/game_review.h"

namespace pm::report {

// Which moves are listed.
enum class Moves : std::uint8_t { all, errors, none };

struct TextOptions {
  Scheme scheme = Scheme::points;
  bool colour = false;      // ANSI colours, for a terminal
  bool unicode = false;     // blocks for the winning chances, for a terminal
  std::size_t width = 100;  // of a line, in characters
  Moves moves = Moves::all;
  bool verbose = false;  // a sentence for every move, and the bounds of its class
};

// Asked to stop it ends soon, and the text is not whole.
std::string review_text(const review::GameReview& review, const TextOptions& options, const std::stop_token& stop = {});

}  // namespace pm::report
