// What the verdicts of a game come to, per player and per phase.
//
//   PlayerSummary white = summarise(plies, Colour::white);
//   white.game.points.accuracy;                              // nothing when White made no judged move
//   white.phases[static_cast<std::size_t>(Phase::endgame)];
#pragma once

#include <array>
#include <optional>
#include <span>

#include "verdict/phase.h"
#include "verdict/verdicts.h"

namespace pm::verdict {

// A judged ply of a game. The verdicts must outlive it.
struct SummedPly {
  Phase phase;
  const Verdicts& verdicts;
  PlyScore score;          // before the first move of a game: start_score
  bool on_lichess = true;  // false for a move that ends the game: the site does not count it
};

struct ErrorCounts {
  std::array<int, judgement_kinds> by_judgement{};
  void add(std::optional<Judgement> judgement) {
    if (judgement) ++by_judgement[static_cast<std::size_t>(*judgement)];
  }
  int of(Judgement judgement) const { return by_judgement[static_cast<std::size_t>(judgement)]; }
};

struct Summary {
  int moves = 0;                          // that were judged
  std::optional<double> points_accuracy;  // arithmetic mean; a mean of blunders can lie a little below 0
  std::array<int, points_classes.size()> classes{};
  std::array<int, label_count> labels{};
  std::optional<double> acpl;  // exact, in centipawns
  ErrorCounts acpl_errors;
  std::optional<double> lichess_accuracy;  // 0..100
  std::optional<double> lichess_acpl;      // exact
  ErrorCounts lichess_errors;
};

// Where a figure lies nine times out of ten in an independent, deeper run; of figures that have a value.
struct FigureInterval {
  double low;
  double high;
};
FigureInterval accuracy_interval(const Summary& summary);  // 0..100
FigureInterval acpl_interval(const Summary& summary);      // centipawns

struct PlayerSummary {
  Summary game;
  std::array<Summary, phase_names.size()> phases;
};

PlayerSummary summarise(std::span<const SummedPly> plies, chess::Colour side);

// As shown to people: rounded half up.
int rounded_acpl(double exact);

}  // namespace pm::verdict
