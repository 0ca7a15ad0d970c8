// How sure a verdict is: the probability that its severity (no error, INACCURACY, MISTAKE, BLUNDER) stands in an
// independent, deeper search. From a small table that bench/effort measures (docs/rules.md 8).
//
//   Confidence c = confidence_of({.distance = .015, .error = true, .depth = 18});
//   word_of(c);                                                        // "open"
#pragma once

#include <cstdint>
#include <string_view>

namespace pm::verdict {

struct Confidence {
  double probability = 1;
};

// firm: 97% and more; likely: 80 to 97%; open: less.
enum class Sureness : std::uint8_t { firm, likely, open };
Sureness sureness_of(Confidence confidence);
std::string_view word_of(Confidence confidence);

inline constexpr int deep_from = 13;  // plies: an error is looked at deeply from here on

// What the probability depends on.
struct Grounds {
  double distance = 1;        // of the loss from the nearest line between two severities, in winning chances
  bool error = false;         // the severity is one
  int depth = 0;              // plies: the lesser of the two searches
  bool first_choice = false;  // of the engine
  bool by_mate = false;       // the number of moves to a mate made it worse than its loss alone would
};
Confidence confidence_of(const Grounds& grounds);

// How far a figure summed over so many moves may be off: it lies in the interval nine times out of ten.
double accuracy_reach(int moves);
double acpl_reach(int moves);

}  // namespace pm::verdict
