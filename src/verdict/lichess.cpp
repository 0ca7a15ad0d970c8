#include "verdict/lichess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "verdict/explain.h"

namespace pm::verdict {
namespace {

using chess::Colour;

struct ChanceStep {
  double at_least;
  Judgement judgement;
};
constexpr std::array<ChanceStep, 3> chance_steps{
    {{.3, Judgement::blunder}, {.2, Judgement::mistake}, {.1, Judgement::inaccuracy}}};

// -1..1, from centipawns that are not clamped.
double winning_chances(Centipawns cp) { return (2 * win_rate(cp, score::lichess_slope).value()) - 1; }

double win_percent(const MoverScore& score) { return win_rate(clamped(score), score::lichess_slope).percent(); }

Judgement by_size(int size) {
  if (size > 999) return Judgement::inaccuracy;
  return size > 700 ? Judgement::mistake : Judgement::blunder;
}

const ChanceStep* step_of(double drop) {
  for (const ChanceStep& step : chance_steps) {
    if (drop >= step.at_least) return &step;
  }
  return nullptr;
}

Reason reason_of(const MoverScore& before, const MoverScore& after) {
  if (before.mate() == nullptr && after.mate() == nullptr) {
    const double had = winning_chances(*before.centipawns());
    const double has = winning_chances(*after.centipawns());
    const double drop = std::max(0.0, had - has);
    Reason reason(drop > 0 ? Rule::chances : Rule::no_chances,
                  {percent("win_before", (had + 1) / 2), percent("win_after", (has + 1) / 2), percent("loss", drop / 2),
                   chances("drop", drop)});
    if (const ChanceStep* step = step_of(had - has)) reason.add_number(chances("threshold_low", step->at_least));
    return reason;
  }
  return {mate_rule(before, after), {}, score_facts(before, after)};
}

double standard_deviation(std::span<const double> values) {
  double mean = 0;
  for (const double v : values) mean += v;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

std::optional<Judgement> lichess_judgement(const MoverScore& before, const MoverScore& after) {
  if (before.centipawns() != nullptr && after.centipawns() != nullptr) {
    const double drop = winning_chances(*before.centipawns()) - winning_chances(*after.centipawns());
    const ChanceStep* step = step_of(drop);
    return step != nullptr ? std::optional(step->judgement) : std::nullopt;
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

LichessVerdict judge_lichess(const JudgedMove& judged, const MoverScore& before) {
  const MoverScore after = judged.score_after();
  const double accuracy = lichess_move_accuracy(before, after);
  if (judged.is_best()) return {std::nullopt, accuracy, Reason(first_choice_rule(judged), {})};
  LichessVerdict verdict{lichess_judgement(before, after), accuracy, reason_of(before, after)};
  if (verdict.judgement) say_best_move(verdict.reason, judged);
  return verdict;
}

std::vector<double> lichess_weights(std::span<const PlyScore> plies) {
  if (plies.empty()) return {};
  std::vector<double> percents{win_percent(plies.front().before.seen_by(Colour::white))};
  for (const PlyScore& p : plies) percents.push_back(win_percent(p.after.seen_by(Colour::white)));
  const std::size_t width = std::clamp<std::size_t>(plies.size() / 10, 2, 8);
  const std::size_t first_windows = std::min(width, percents.size()) - 2;  // so that there is one window per ply
  std::vector<double> result;
  const auto add = [&](std::size_t from) {
    const std::size_t length = std::min(width, percents.size() - from);
    result.push_back(std::clamp(standard_deviation(std::span(percents).subspan(from, length)), .5, 12.0));
  };
  for (std::size_t i = 0; i < first_windows; ++i) add(0);
  for (std::size_t from = 0; from + width <= percents.size(); ++from) add(from);
  return result;
}

std::optional<double> lichess_accuracy(std::span<const WeighedAccuracy> moves) {
  if (moves.empty()) return std::nullopt;
  double weighted = 0;
  double weight_sum = 0;
  double inverse = 0;
  for (const WeighedAccuracy& m : moves) {
    weighted += m.accuracy * m.weight;
    weight_sum += m.weight;
    inverse += 1 / std::max(1.0, m.accuracy);
  }
  return ((weighted / weight_sum) + (static_cast<double>(moves.size()) / inverse)) / 2;
}

}  // namespace pm::verdict
