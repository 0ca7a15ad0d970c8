#include "verdict/acpl.h"

#include <algorithm>
#include <array>

#include "verdict/explain.h"

namespace pm::verdict {
namespace {

struct CentipawnStep {
  int at_least;  // centipawns
  Judgement judgement;
};
constexpr std::array<CentipawnStep, 3> centipawn_steps{
    {{200, Judgement::blunder}, {100, Judgement::mistake}, {50, Judgement::inaccuracy}}};

}  // namespace

std::string_view name_of(Judgement judgement) {
  constexpr std::array<std::string_view, judgement_kinds> names{"inaccuracy", "mistake", "blunder"};
  return names[static_cast<std::size_t>(judgement)];
}

int centipawn_loss(const MoverScore& before, const MoverScore& after) {
  return std::max(0, clamped(before).value - clamped(after).value);
}

std::optional<Judgement> judge_centipawn_loss(int loss) {
  for (const CentipawnStep& step : centipawn_steps) {
    if (loss >= step.at_least) return step.judgement;
  }
  return std::nullopt;
}

AcplVerdict judge_acpl(const JudgedMove& judged) {
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  const int loss = centipawn_loss(before, after);
  if (judged.is_best()) {
    return {loss, std::nullopt, {first_choice_rule(judged), {count("loss", loss)}, score_facts(before, after)}};
  }
  Reason reason(loss > 0 ? Rule::centipawns : Rule::no_centipawns, {count("loss", loss)}, score_facts(before, after));
  for (const CentipawnStep& step : centipawn_steps) {
    if (loss < step.at_least) continue;
    reason.add_number(count("threshold_low", step.at_least));
    break;
  }
  const auto beyond = [](const MoverScore& s) { return s.mate() != nullptr || *s.centipawns() != clamped(s); };
  if (beyond(before) || beyond(after)) reason.say(Rule::counts_to_ten);
  const auto error = judge_centipawn_loss(loss);
  if (error) say_best_move(reason, judged);
  return {loss, error, std::move(reason)};
}

}  // namespace pm::verdict
