// The `points` scheme: eleven classes from the expected points a move gives away (docs/rules.md 2).
//
//   PointsVerdict v = judge_points(judged, options);     // v.reason.text says why
//
// Pure: the same input gives the same verdict. The opening book is asked by the caller, who passes what it said.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "verdict/confidence.h"
#include "verdict/judged_move.h"
#include "verdict/reason.h"

namespace pm::verdict {

enum class PointsClass : std::uint8_t {
  brilliant,
  critical,
  best,
  excellent,
  okay,
  inaccuracy,
  mistake,
  blunder,
  risky,
  forced,
  theory,
};

// Everything fixed about a class, in one table.
struct PointsClassInfo {
  PointsClass id;
  std::string_view name;
  int value;  // 0 (blunder) .. 5
  int nag;    // 0: none
};
inline constexpr std::array<PointsClassInfo, 11> points_classes{{
    {PointsClass::brilliant, "BRILLIANT", 5, 3},
    {PointsClass::critical, "CRITICAL", 5, 1},
    {PointsClass::best, "BEST", 5, 0},
    {PointsClass::excellent, "EXCELLENT", 4, 0},
    {PointsClass::okay, "OKAY", 3, 0},
    {PointsClass::inaccuracy, "INACCURACY", 2, 6},
    {PointsClass::mistake, "MISTAKE", 1, 2},
    {PointsClass::blunder, "BLUNDER", 0, 4},
    {PointsClass::risky, "RISKY", 2, 5},
    {PointsClass::forced, "FORCED", 5, 0},
    {PointsClass::theory, "THEORY", 5, 0},
}};
constexpr const PointsClassInfo& info(PointsClass c) { return points_classes[static_cast<std::size_t>(c)]; }

// INACCURACY and worse; RISKY is worth as little.
constexpr bool is_error(PointsClass c) { return info(c).value <= info(PointsClass::inaccuracy).value; }
// One that nothing excuses.
constexpr bool is_plain_error(PointsClass c) { return is_error(c) && c != PointsClass::risky; }

inline constexpr double first_error = .08;  // docs/rules.md 2.3: losses from here on are errors
inline constexpr Loss critical_loss{.10};   // docs/rules.md 2.5: what the second line loses, and more
inline constexpr double risky_gain = .05;   // docs/rules.md 2.7: so much more than the engine's move against people

enum class Precedence : std::uint8_t { brilliant, critical };

// How classes come about where a mate is on either side of the move (docs/rules.md 2.3): the worse of what the distance
// to mate and what the loss of winning chances say, or the distance alone.
enum class Mates : std::uint8_t { worst, distance };

struct PointsOptions {
  bool critical = true;
  bool brilliant = true;
  Precedence precedence = Precedence::brilliant;
  Mates mates = Mates::worst;
  bool soften_lost = false;  // being mated costs less when the game was lost already
};

// What a move scores against people (docs/expected-winrate.md), as far as that is known.
struct PracticalScore {
  WinRate expected;
  WinRate low = WinRate(0);  // the interval that holds the exact value nine times out of ten
  WinRate high = WinRate(1);
  double confidence = 0;  // 0..1: the probability that was followed
};

// The move beside the engine's first choice, against people of the opponent's rating.
struct Practice {
  PracticalScore played;
  PracticalScore best;
  int opponent_rating;
  // The reply that makes the difference and what comes after it; both may be empty.
  std::string_view reply = {};  // NOLINT(readability-redundant-member-init): designated initialisers want it
  double reply_probability = 0;
  std::string_view answer = {};  // NOLINT(readability-redundant-member-init)
};

// How many people of the mover's rating play the move.
struct Finders {
  double probability;
  int rating;
};

// What a book, and a human model, say of the move; all optional.
struct PointsKnowledge {
  BookKnowledge book = {};
  std::optional<Practice> practice = std::nullopt;
  std::optional<Finders> finders = std::nullopt;
};

struct PointsVerdict {
  PointsClass cls;
  Loss loss;
  double accuracy;        // 103.16 exp(-4 loss) - 3.17, not clamped; shown between 0 and 100
  Confidence confidence;  // that its severity stands
  Reason reason;
};

PointsVerdict judge_points(const JudgedMove& judged, const PointsOptions& options = {},
                           const PointsKnowledge& knowledge = {});

// docs/rules.md 2.7, all but what people say: a class by loss, or RISKY itself, and scores that allow it.
bool may_be_risky(const JudgedMove& judged, PointsClass cls);

// docs/rules.md 2.3 alone: the class by what the scores say, without books, best moves and sacrifices.
PointsClass class_by_loss(const MoverScore& before, const MoverScore& after, const PointsOptions& options = {});

// How near a loss is to a line between two severities: no error, INACCURACY, MISTAKE and BLUNDER.
double distance_to_line(Loss loss);

Loss points_loss(const MoverScore& before, const MoverScore& after);
double points_accuracy(Loss loss);

}  // namespace pm::verdict
