// What an analysis of expected win rates is asked for (docs/expected-winrate.md 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/error.h"

namespace pm::expect {

// How the replies too unlikely to follow are valued: by the position they would be played in, by the candidate, or by
// the best move of the position asked about.
enum class Uncovered : std::uint8_t { local, candidate, root };

// How far the work goes: until the ranking is settled, each search where it tells most (settle.h); the whole trees,
// unlikely lines at a glance only; or all of them at the full depth.
enum class Effort : std::uint8_t { settled, fast, exact };

// Whether the analysing player's own errors end a line, as nobody means to make them, or are followed like the
// opponent's.
enum class Pruning : std::uint8_t { player, none };

// How a score becomes a win rate (worth.h): a curve fitted on results of people that knows their ratings, Lichess's
// curve, or the engine's own win-draw-loss figures.
enum class WinRateMap : std::uint8_t { people, logistic, wdl };

// The defaults are what forecasts best (docs/expected-winrate.md 7).
struct Parameters {
  double threshold = 0.1;  // a line is followed while its probability is at least this, (0, 1]
  int depth = 15;          // of the engine, 1..60
  double loss = -0.1;      // how far below the best a candidate may be, [-1, 0]
  int rating = 1500;       // of the player who is to move at the root
  int opponent_rating = 1500;
  std::optional<int> lead;  // in rating, by the players' own where these two are a model's levels; nothing: by the two
  Uncovered uncovered = Uncovered::local;
  Pruning pruning = Pruning::none;
  Effort effort = Effort::settled;
  std::optional<std::size_t> searches;  // of the engine, after which a `settled` run stops; nothing: no limit
  std::optional<double> seconds;        // the same; what is known then depends on the machine
  WinRateMap map = WinRateMap::people;
  int max_ply = 40;                // of a line, the candidate being ply 1
  std::size_t max_nodes = 20'000;  // of all trees together
};

// The effort where nobody says: `settled` values unlikely replies by the position they would be played in, so that
// other ways need whole trees.
inline Effort usual_effort(Uncovered uncovered) {
  return uncovered == Uncovered::local ? Effort::settled : Effort::exact;
}

// The design as it was first written down; its usual effort is `exact`.
void make_literal(Parameters& parameters);

// An error (bad_input) that names the parameter and what is accepted. Ratings are the model's to check.
Expected<void> check(const Parameters& parameters);

// The depth of the quick round for a line of this probability: the full one from 5%. Below that a glance: a third of
// the way from 8 to the full depth at 5%, falling with the logarithm to 8 at 0.5%.
int fast_depth(int depth, double cumulative_probability);
// The depth of the glance by itself, which from 5% on does not grow.
int glance_depth(int depth, double cumulative_probability);

const char* word_of(Uncovered uncovered);
const char* word_of(Pruning pruning);
const char* word_of(Effort effort);
const char* word_of(WinRateMap map);

}  // namespace pm::expect
