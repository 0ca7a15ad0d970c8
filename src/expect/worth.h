// What a position is worth to one of the players: an engine's score as a win rate, by one of three maps
// (docs/expected-winrate.md 1). Mates are exactly 1 or 0 by all of them. Pure.
//
//   Worth worth(WinRateMap::people, Colour::white, -200);
//   WinRate w = worth(valuation);
#pragma once

#include "engine/evaluator.h"
#include "expect/parameters.h"
#include "score/score.h"

namespace pm::expect {

class Worth {
 public:
  // Only `people` looks at the lead in rating: of the player, over the opponent.
  Worth(WinRateMap map, chess::Colour player, int lead = 0) : map_(map), player_(player), lead_(lead) {}
  // Of the player who is to move at the root.
  Worth(const Parameters& parameters, chess::Colour player)
      : Worth(parameters.map, player, parameters.lead.value_or(parameters.rating - parameters.opponent_rating)) {}

  // With `wdl` and an engine without such figures, by `logistic`.
  score::WinRate operator()(const engine::Valuation& valuation) const;

 private:
  WinRateMap map_;
  chess::Colour player_;
  int lead_;
};

// How much more a centipawn is worth than by `logistic`, near equality.
double steepness(WinRateMap map);

}  // namespace pm::expect
