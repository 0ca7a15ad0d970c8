#include "expect/worth.h"

#include <cmath>

namespace pm::expect {
namespace {

// Log-odds of the player's score: fitted by bench/outcomes to the results of games between people rated 1000 to 2199
// (docs/expected-winrate.md 7), depth 10, Stockfish 15.1.
constexpr double people_per_centipawn = 0.00617;
constexpr double people_per_rating_point = 0.00375;

// Stockfish scales its scores so that half of the games at one pawn are won and hardly any lost: log-odds of three to
// one.
constexpr double own_per_centipawn = 0.011;

}  // namespace

score::WinRate Worth::operator()(const engine::Valuation& valuation) const {
  const score::MoverScore score = valuation.score.seen_by(player_);
  if (score.centipawns() == nullptr) return score::win_rate(score, score::lichess_slope);
  if (map_ == WinRateMap::people) {
    const double log_odds = people_per_centipawn * score.centipawns()->value + people_per_rating_point * lead_;
    return score::WinRate(1 / (1 + std::exp(-log_odds)));
  }
  if (map_ == WinRateMap::wdl && valuation.results) {
    const double white = (valuation.results->wins + valuation.results->draws / 2.0) / 1000;
    return score::WinRate(player_ == chess::Colour::white ? white : 1 - white);
  }
  return score::win_rate(score, score::lichess_slope);
}

double steepness(WinRateMap map) {
  switch (map) {
    case WinRateMap::people: return people_per_centipawn / score::lichess_slope.per_centipawn;
    case WinRateMap::wdl: return own_per_centipawn / score::lichess_slope.per_centipawn;
    default: return 1;
  }
}

}  // namespace pm::expect
