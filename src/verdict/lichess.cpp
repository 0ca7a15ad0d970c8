#include "verdict/lichess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pm::verdict {
namespace {

using chess::Colour;

struct Step {
  double at_least;
  Judgement judgement;
};
constexpr std::array<Step, 3> chance_steps{
    {{.3, Judgement::blunder}, {.2, Judgement::mistake}, {.1, Judgement::inaccuracy}}};

// -1..1, from centipawns that are not clamped.
double winning_chances(Centipawns cp) { return (2 * win_rate(cp, lichess_slope).value()) - 1; }

double win_percent(const MoverScore& score) { return win_rate(clamped(score), lichess_slope).percent(); }

Judgement by_size(int size) {
  if (size > 999) return Judgement::inaccuracy;
  return size > 700 ? Judgement::mistake : Judgement::blunder;
}

// The score before a ply: the one after the ply before it, or the start's.
WhiteScore score_before(std::span<const PlyScore> plies, std::size_t ply) {
  return ply == 0 ? WhiteScore(start_score) : plies[ply - 1].after;
}

double standard_deviation(std::span<const double> values) {
  double mean = 0;
  for (const double v : values) mean += v;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// One weight per ply, of which there must be one: how much the game swung around it.
std::vector<double> weights(std::span<const PlyScore> plies) {
  std::vector<double> percents{win_rate(start_score, lichess_slope).percent()};
  for (const PlyScore& p : plies) percents.push_back(win_percent(p.after.seen_by(Colour::white)));
  const std::size_t width = std::clamp<std::size_t>(plies.size() / 10, 2, 8);
  const std::size_t first_windows = std::min(width, percents.size()) - 2;  // one window per ply in all
  std::vector<double> result;
  const auto add = [&](std::size_t from) {
    const std::size_t length = std::min(width, percents.size() - from);
    result.push_back(std::clamp(standard_deviation(std::span(percents).subspan(from, length)), .5, 12.0));
  };
  for (std::size_t i = 0; i < first_windows; ++i) add(0);
  for (std::size_t from = 0; from + width <= percents.size(); ++from) add(from);
  return result;
}

}  // namespace

std::string_view name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::inaccuracy: return "inaccuracy";
    case Judgement::mistake: return "mistake";
    default: return "blunder";
  }
}

int centipawn_loss(const MoverScore& before, const MoverScore& after) {
  return std::max(0, clamped(before).value - clamped(after).value);
}

std::optional<Judgement> judge_centipawn_loss(int loss) {
  if (loss >= 200) return Judgement::blunder;
  if (loss >= 100) return Judgement::mistake;
  if (loss >= 50) return Judgement::inaccuracy;
  return std::nullopt;
}

std::optional<Judgement> judge_lichess(const MoverScore& before, const MoverScore& after) {
  if (before.centipawns() != nullptr && after.centipawns() != nullptr) {
    const double drop = winning_chances(*before.centipawns()) - winning_chances(*after.centipawns());
    for (const Step& step : chance_steps) {
      if (drop >= step.at_least) return step.judgement;
    }
    return std::nullopt;
  }
  if (before.centipawns() != nullptr && after.is_losing_mate()) return by_size(-before.centipawns()->value);
  if (before.is_winning_mate() && !after.is_winning_mate()) {
    return after.mate() != nullptr ? Judgement::blunder : by_size(after.centipawns()->value);
  }
  return std::nullopt;
}

double lichess_move_accuracy(const MoverScore& before, const MoverScore& after) {
  const double drop = win_percent(before) - win_percent(after);
  if (drop <= 0) return 100;
  const double raw = (103.1668100711649 * std::exp(-0.04354415386753951 * drop)) - 3.166924740191411 + 1;
  return std::clamp(raw, 0.0, 100.0);
}

std::optional<double> lichess_game_accuracy(std::span<const PlyScore> plies, Colour side) {
  if (plies.empty()) return std::nullopt;
  const std::vector<double> weight = weights(plies);
  double weighted = 0;
  double weight_sum = 0;
  double inverse = 0;
  std::size_t moves = 0;
  for (std::size_t ply = 0; ply < plies.size(); ++ply) {
    if (plies[ply].mover != side) continue;
    const double accuracy =
        lichess_move_accuracy(score_before(plies, ply).seen_by(side), plies[ply].after.seen_by(side));
    weighted += accuracy * weight[ply];
    weight_sum += weight[ply];
    inverse += 1 / std::max(1.0, accuracy);
    ++moves;
  }
  if (moves == 0) return std::nullopt;
  return ((weighted / weight_sum) + (static_cast<double>(moves) / inverse)) / 2;
}

std::optional<double> average_centipawn_loss(std::span<const PlyScore> plies, Colour side) {
  int total = 0;
  int moves = 0;
  for (std::size_t ply = 0; ply < plies.size(); ++ply) {
    if (plies[ply].mover != side) continue;
    total += centipawn_loss(score_before(plies, ply).seen_by(side), plies[ply].after.seen_by(side));
    ++moves;
  }
  if (moves == 0) return std::nullopt;
  return static_cast<double>(total) / moves;
}

}  // namespace pm::verdict
