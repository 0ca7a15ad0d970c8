#include "verdict/labels.h"

#include <algorithm>
#include <utility>

#include "score/score_text.h"
#include "verdict/explain.h"

namespace pm::verdict {
namespace {

// The table of docs/rules.md 4: each label ends below these losses.
struct LabelStep {
  Label label;
  int centipawns;
  double probability;
};
constexpr std::array<LabelStep, 5> label_steps{{{Label::best, 10, .02},
                                                {Label::excellent, 25, .05},
                                                {Label::good, 50, .10},
                                                {Label::inaccuracy, 100, .20},
                                                {Label::mistake, 300, .35}}};
constexpr int last_book_move = 20;

constexpr Centipawns pawns(double n) { return {static_cast<int>(n * 100)}; }

// A mate is worth no number of centipawns: with one in play only the probability counts.
struct Losses {
  std::optional<int> centipawns;
  Loss probability;
};

Losses losses(const MoverScore& before, const MoverScore& after) {
  const Loss probability =
      score::loss_between(win_rate(before, score::labels_slope), win_rate(after, score::labels_slope));
  if (before.mate() != nullptr || after.mate() != nullptr) return {std::nullopt, probability};
  return {std::max(0, before.centipawns()->value - after.centipawns()->value), probability};
}

bool below(const MoverScore& score, Centipawns bound) { return !score.at_least(bound); }

std::optional<Rule> missed(const MoverScore& before, const MoverScore& after, Label table) {
  if (before.at_least(pawns(9)) && below(after, pawns(3))) {
    return below(after, pawns(-1.5)) ? Rule::lost_win : Rule::missed_win;
  }
  const bool drawish = below(before, pawns(.5)) && before.at_least(Centipawns{pawns(-3).value + 1});
  if (drawish && below(after, pawns(-2)) && table >= Label::mistake) return Rule::missed_draw;
  return std::nullopt;
}

bool is_brilliant(const JudgedMove& judged, const MoverScore& shallow) {
  const MoverScore after = judged.score_after();
  const Losses loss = losses(judged.best_score(), after);
  const bool cheap = loss.centipawns ? *loss.centipawns < 25 : loss.probability.value() < .05;
  const bool rescued = below(shallow, pawns(-1.5)) && after.at_least(pawns(-.5)) && cheap;
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
  for (const LabelStep& step : label_steps) {  // the mildest that fits
    if (loss.centipawns && *loss.centipawns < step.centipawns) by_centipawns = std::min(by_centipawns, step.label);
    if (loss.probability.value() < step.probability) by_probability = std::min(by_probability, step.label);
  }
  if (!loss.centipawns) return by_probability;
  return dual == Dual::lenient ? std::min(by_centipawns, by_probability) : std::max(by_centipawns, by_probability);
}

LabelsVerdict judge_labels(const JudgedMove& judged, const LabelsOptions& options, const LabelsKnowledge& knowledge) {
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  const Losses loss = losses(before, after);
  const Label table = judged.is_best() ? Label::best : label_by_loss(before, after, options.dual);
  std::vector<Reason::Number> numbers{percent("loss", loss.probability.value())};
  if (loss.centipawns) numbers.push_back(count("centipawns", *loss.centipawns));
  for (const LabelStep& step : label_steps) {
    if (step.label != table) continue;
    numbers.push_back(percent("loss_below", step.probability));
    numbers.push_back(count("centipawns_below", step.centipawns));
  }
  const auto verdict = [&](Label label, Rule rule, std::vector<Reason::Fact> facts) {
    return LabelsVerdict{label, table, {rule, std::move(numbers), std::move(facts)}};
  };
  if (knowledge.book.known && judged.before.move_number() <= last_book_move) {
    return verdict(Label::book, book_rule(knowledge.book), book_facts(knowledge.book));
  }
  if (const auto what = judged.is_best() ? std::nullopt : missed(before, after, table)) {
    LabelsVerdict miss = verdict(Label::miss, *what, score_facts(before, after));
    say_best_move(miss.reason, judged, Rule::best_kept);
    miss.reason.say(Rule::severity, {"severity", std::string(name_of(table))});
    return miss;
  }
  const MoverScore shallow =
      knowledge.shallow_before.value_or(judged.lines_before.front().score).seen_by(judged.mover());
  if (options.brilliant && is_brilliant(judged, shallow)) {
    auto facts = score_facts(before, after);
    facts.push_back({"shallow", score::score_in_words(shallow)});
    return verdict(Label::brilliant, knowledge.shallow_before ? Rule::deep_resource : Rule::better_than_thought,
                   std::move(facts));
  }
  if (judged.is_best()) return verdict(Label::best, first_choice_rule(judged), {});
  auto facts = score_facts(before, after);
  facts.push_back({"dual", options.dual == Dual::lenient ? "milder" : "harsher"});
  LabelsVerdict by_table = verdict(table, loss.centipawns ? Rule::two_scales : Rule::one_scale, std::move(facts));
  if (table != Label::best) say_best_move(by_table.reason, judged);
  return by_table;
}

}  // namespace pm::verdict
