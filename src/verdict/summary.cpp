#include "verdict/summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pm::verdict {
namespace {

// Adds up one group of moves: a player's game, or one phase of it.
class Adder {
 public:
  void add(const SummedPly& ply, double weight) {
    const Verdicts& v = ply.verdicts;
    ++sum_.moves;
    points_ += v.points.accuracy;
    ++sum_.classes[static_cast<std::size_t>(v.points.cls)];
    ++sum_.labels[static_cast<std::size_t>(v.labels.label)];
    centipawns_ += v.acpl.loss;
    sum_.acpl_errors.add(v.acpl.error);
    if (!ply.on_lichess) return;
    accuracies_.push_back({v.lichess.accuracy, weight});
    lichess_centipawns_ +=
        centipawn_loss(ply.score.before.seen_by(ply.score.mover), ply.score.after.seen_by(ply.score.mover));
    sum_.lichess_errors.add(v.lichess.judgement);
  }

  Summary total() const {
    Summary sum = sum_;
    if (sum.moves == 0) return sum;
    sum.points_accuracy = points_ / sum.moves;
    sum.acpl = static_cast<double>(centipawns_) / sum.moves;
    sum.lichess_accuracy = lichess_accuracy(accuracies_);
    if (!accuracies_.empty())
      sum.lichess_acpl = static_cast<double>(lichess_centipawns_) / static_cast<double>(accuracies_.size());
    return sum;
  }

 private:
  Summary sum_;
  double points_ = 0;
  int centipawns_ = 0;
  int lichess_centipawns_ = 0;
  std::vector<WeighedAccuracy> accuracies_;
};

// One per ply; those Lichess does not count weigh nothing.
std::vector<double> weights_of(std::span<const SummedPly> plies) {
  std::vector<PlyScore> counted;
  for (const SummedPly& p : plies) {
    if (p.on_lichess) counted.push_back(p.score);
  }
  const std::vector<double> weights = lichess_weights(counted);
  std::vector<double> result;
  auto next = weights.begin();
  for (const SummedPly& p : plies) result.push_back(p.on_lichess ? *next++ : 0);
  return result;
}

}  // namespace

PlayerSummary summarise(std::span<const SummedPly> plies, chess::Colour side) {
  const std::vector<double> weights = weights_of(plies);
  Adder game;
  std::array<Adder, phase_names.size()> phases;
  for (std::size_t i = 0; i < plies.size(); ++i) {
    if (plies[i].score.mover != side) continue;
    game.add(plies[i], weights[i]);
    phases[static_cast<std::size_t>(plies[i].phase)].add(plies[i], weights[i]);
  }
  PlayerSummary summary{game.total(), {}};
  std::transform(phases.begin(), phases.end(), summary.phases.begin(), [](const Adder& a) { return a.total(); });
  return summary;
}

FigureInterval accuracy_interval(const Summary& summary) {
  const double reach = accuracy_reach(summary.moves);
  const double shown = std::clamp(*summary.points_accuracy, 0.0, 100.0);
  return {std::max(0.0, shown - reach), std::min(100.0, shown + reach)};
}

FigureInterval acpl_interval(const Summary& summary) {
  const double reach = acpl_reach(summary.moves);
  return {std::max(0.0, *summary.acpl - reach), *summary.acpl + reach};
}

int rounded_acpl(double exact) { return static_cast<int>(std::floor(exact + .5)); }

}  // namespace pm::verdict
