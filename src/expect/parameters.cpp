#include "expect/parameters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pm::expect {
namespace {

constexpr int shallowest = 8;         // of the quick round
constexpr double full_from = 0.05;    // probability
constexpr double shallow_to = 0.005;  // probability
constexpr int most_depth = 60;

}  // namespace

void make_literal(Parameters& parameters) {
  parameters.map = WinRateMap::logistic;
  parameters.pruning = Pruning::player;
  parameters.uncovered = Uncovered::root;
}

Expected<void> check(const Parameters& p) {
  const bool threshold_fits = p.threshold > 0 && p.threshold <= 1;
  if (!threshold_fits) {
    return fail(ErrorCode::bad_input,
                fmt::format("threshold: expected a probability above 0 and up to 1, found {}", p.threshold));
  }
  if (p.depth < 1 || p.depth > most_depth) {
    return fail(ErrorCode::bad_input, fmt::format("depth: expected 1 to {}, found {}", most_depth, p.depth));
  }
  if (p.loss > 0) {
    return fail(ErrorCode::bad_input,
                fmt::format("loss: expected 0 or a negative number such as -0.1, found {}, which is positive", p.loss));
  }
  if (!(p.loss >= -1)) return fail(ErrorCode::bad_input, fmt::format("loss: expected -1 to 0, found {}", p.loss));
  if (p.max_ply < 1) return fail(ErrorCode::bad_input, fmt::format("max_ply: expected 1 or more, found {}", p.max_ply));
  if (p.max_nodes < 1) return fail(ErrorCode::bad_input, "max_nodes: expected 1 or more, found 0");
  if (p.searches && *p.searches < 1) return fail(ErrorCode::bad_input, "searches: expected 1 or more, found 0");
  if (p.seconds && !(*p.seconds > 0)) {
    return fail(ErrorCode::bad_input, fmt::format("seconds: expected more than 0, found {}", *p.seconds));
  }
  if ((p.searches || p.seconds) && p.effort != Effort::settled) {
    return fail(ErrorCode::bad_input,
                fmt::format("a limit of searches or seconds goes with effort settled, not {}", word_of(p.effort)));
  }
  if (p.effort == Effort::settled && p.uncovered != Uncovered::local) {
    // The value of a tree that is only partly followed would drift towards that of the other position.
    return fail(ErrorCode::bad_input,
                fmt::format("effort settled goes with uncovered local, not {}", word_of(p.uncovered)));
  }
  return {};
}

int fast_depth(int depth, double cumulative_probability) {
  return cumulative_probability >= full_from ? depth : glance_depth(depth, cumulative_probability);
}

int glance_depth(int depth, double cumulative_probability) {
  if (depth <= shallowest) return depth;
  const double part = std::log(cumulative_probability / shallow_to) / std::log(full_from / shallow_to);
  return shallowest + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (depth - shallowest) / 3));
}

const char* word_of(Uncovered uncovered) {
  switch (uncovered) {
    case Uncovered::local: return "local";
    case Uncovered::candidate: return "candidate";
    default: return "root";
  }
}

const char* word_of(Pruning pruning) { return pruning == Pruning::player ? "player" : "none"; }

const char* word_of(Effort effort) {
  switch (effort) {
    case Effort::settled: return "settled";
    case Effort::fast: return "fast";
    default: return "exact";
  }
}

const char* word_of(WinRateMap map) {
  switch (map) {
    case WinRateMap::people: return "people";
    case WinRateMap::logistic: return "logistic";
    default: return "wdl";
  }
}

}  // namespace pm::expect
