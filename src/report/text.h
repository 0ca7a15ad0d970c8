// A reviewed game for people at a terminal: who played, the summary, then every move with its verdict and the reason.
#pragma once

#include <string>

#include "report/scheme.h"
#include "review/game_review.h"

namespace pm::report {

struct TextOptions {
  Scheme scheme = Scheme::points;
  bool colour = false;      // ANSI colours, for a terminal
  bool unicode = false;     // blocks for the winning chances, for a terminal
  std::size_t width = 100;  // of a line, in characters
};

std::string review_text(const review::GameReview& review, const TextOptions& options);

}  // namespace pm::report
