#include "verdict/labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace pm::verdict {
namespace {

// The table of section 4: each label ends below these losses.
struct LabelStep {
  Label label;
  int centipawns;
  double probability;
};
constexpr std::array<LabelStep, 5> steps{{{Label::best, 10, .02},
                                          {Label::excellent, 25, .05},
                                          {Label::good, 50, .10},
                                          {Label::inaccuracy, 100, .20},
                                          {Label::mistake, 300, .35}}};
constexpr int last_book_move = 20;

constexpr Centipawns pawns(double n) { return {static_cast<int>(n * 100)}; }

struct Losses {
  int centipawns;
  Loss probability;
};

Losses losses(const MoverScore& before, const MoverScore& after) {
  return {std::max(0, clamped(before).value - clamped(after).value),
          loss_between(win_rate(before, labels_slope), win_rate(after, labels_slope))};
}

bool below(const MoverScore& score, Centipawns bound) { return !score.at_least(bound); }

std::optional<const char*> missed(const JudgedMove& judged, Label table) {
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  if (before.at_least(pawns(9)) && below(after, pawns(3))) {
    if (after.is_losing_mate() || below(after, pawns(-3))) return "Lost a won game";
    return "Missed a win";
  }
  const bool drawish = below(before, pawns(.5)) && before.at_least(Centipawns{pawns(-3).value + 1});
  if (drawish && below(after, pawns(-2)) && table >= Label::mistake) return "Missed the draw";
  return std::nullopt;
}

bool is_brilliant(const JudgedMove& judged, const MoverScore& shallow) {
  const MoverScore after = judged.score_after();
  const bool rescued =
      below(shallow, pawns(-1.5)) && after.at_least(pawns(-.5)) && losses(judged.best_score(), after).centipawns < 25;
  const bool found = judged.is_best() && below(shallow, pawns(-2)) && after.at_least(pawns(0));
  return rescued || found;
}

}  // namespace

std::string_view name_of(Label label) {
  constexpr std::array<std::string_view, 9> names{"Book", "Miss",       "Brilliant", "Best",   "Excellent",
                                                  "Good", "Inaccuracy", "Mistake",   "Blunder"};
  return names[static_cast<std::size_t>(label)];
}

Label label_by_loss(const MoverScore& before, const MoverScore& after, Dual dual) {
  const Losses loss = losses(before, after);
  Label by_centipawns = Label::blunder;
  Label by_probability = Label::blunder;
  for (const LabelStep& step : steps) {  // the mildest that fits
    if (loss.centipawns < step.centipawns) by_centipawns = std::min(by_centipawns, step.label);
    if (loss.probability.value() < step.probability) by_probability = std::min(by_probability, step.label);
  }
  return dual == Dual::lenient ? std::min(by_centipawns, by_probability) : std::max(by_centipawns, by_probability);
}

LabelsVerdict judge_labels(const JudgedMove& judged, Dual dual, bool in_book,
                           std::optional<WhiteScore> shallow_before) {
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  const Losses loss = losses(before, after);
  const Label table = label_by_loss(before, after, dual);
  const auto verdict = [&](Label label, std::string_view rule, std::string text) {
    Reason reason{rule, {{"centipawns", static_cast<double>(loss.centipawns)}, {"loss", loss.probability.value()}}, {}};
    reason.text = std::move(text);
    return LabelsVerdict{label, table, std::move(reason)};
  };
  if (in_book && judged.before.move_number() <= last_book_move)
    return verdict(Label::book, "book", "A known opening move.");
  if (const auto what = missed(judged, table)) {
    return verdict(Label::miss, "miss",
                   fmt::format("{}: gives away {:.1f}% winning chances.", *what, loss.probability.percent()));
  }
  if (shallow_before && is_brilliant(judged, shallow_before->seen_by(judged.mover()))) {
    return verdict(Label::brilliant, "brilliant", "Holds what the engine, searching less deeply, took for lost.");
  }
  if (judged.is_best()) return verdict(Label::best, "engine_choice", "The engine's first choice.");
  return verdict(table, "loss",
                 fmt::format("Gives away {} centipawns and {:.1f}% winning chances.", loss.centipawns,
                             loss.probability.percent()));
}

}  // namespace pm::verdict
