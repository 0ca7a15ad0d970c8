#include "verdict/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chess/movegen.h"
#include "chess/san.h"
#include "verdict/explain.h"
#include "verdict/tactics.h"

namespace pm::verdict {
namespace {

using chess::MoveKind;
using chess::PieceKind;

// docs/rules.md 2.3: the loss below which each class ends, strict and unrounded.
struct LossStep {
  PointsClass cls;
  double below;
};
constexpr std::array<LossStep, 5> loss_steps{{{PointsClass::best, .01},
                                              {PointsClass::excellent, .045},
                                              {PointsClass::okay, .08},
                                              {PointsClass::inaccuracy, .12},
                                              {PointsClass::mistake, .22}}};
constexpr Centipawns won_anyway{700};    // docs/rules.md 2.4
constexpr Centipawns risky_above{-200};  // docs/rules.md 2.7
constexpr Centipawns risky_below{500};   // docs/rules.md 2.7
constexpr double risky_confidence = .6;  // docs/rules.md 2.7
constexpr double obvious = .8;           // so many find it: the only move is no feat
constexpr double rare = .2;              // so few, that it is one

PointsClass class_of_loss(Loss loss) {
  for (const LossStep& step : loss_steps) {
    if (loss.value() < step.below) return step.cls;
  }
  return PointsClass::blunder;
}

PointsClass class_of_mates(const Mate& before, const Mate& after) {
  if (before.wins && !after.wins) return after.moves <= 3 ? PointsClass::blunder : PointsClass::mistake;
  if (!before.wins && after.wins) return PointsClass::best;
  // The winner is expected to shorten by one; for the loser a longer mate is progress.
  const int change = before.wins ? after.moves - before.moves : before.moves - after.moves;
  if (change < 0 || (change == 0 && !before.wins)) return PointsClass::best;
  if (change < 2) return PointsClass::excellent;
  return change < 7 ? PointsClass::okay : PointsClass::inaccuracy;
}

PointsClass class_of_mate_let_go(Centipawns after) {
  if (after.value >= 800) return PointsClass::excellent;
  if (after.value >= 400) return PointsClass::okay;
  if (after.value >= 200) return PointsClass::inaccuracy;
  return after.value >= 0 ? PointsClass::mistake : PointsClass::blunder;
}

PointsClass class_of_mate_allowed(Centipawns before, const Mate& after, bool soften_lost) {
  PointsClass cls = PointsClass::inaccuracy;
  if (after.moves <= 2) {
    cls = PointsClass::blunder;
  } else if (after.moves <= 5) {
    cls = PointsClass::mistake;
  }
  if (soften_lost && before.value < -999) return std::min(cls, PointsClass::inaccuracy);
  if (soften_lost && before.value < -700) return std::min(cls, PointsClass::mistake);
  return cls;
}

// One of the scores is a mate.
PointsClass class_by_distance(const MoverScore& before, const MoverScore& after, bool soften_lost) {
  if (before.mate() != nullptr && after.mate() != nullptr) return class_of_mates(*before.mate(), *after.mate());
  if (before.mate() != nullptr) {
    return before.is_losing_mate() ? PointsClass::best : class_of_mate_let_go(*after.centipawns());
  }
  return after.is_winning_mate() ? PointsClass::best
                                 : class_of_mate_allowed(*before.centipawns(), *after.mate(), soften_lost);
}

// docs/rules.md 2.4: what CRITICAL and BRILLIANT both ask.
bool passes_gate(const JudgedMove& judged) {
  const MoverScore rival = judged.second_score().value_or(judged.score_after());
  if (rival.at_least(won_anyway)) return false;
  if (!judged.score_after().at_least(Centipawns{0})) return false;
  if (judged.move.kind() == MoveKind::promotion && judged.move.promoted() == PieceKind::queen) return false;
  return !judged.before.in_check();
}

// docs/rules.md 2.5: the captured piece, if any, could have been taken for nothing.
bool captures_free_piece(const JudgedMove& judged) {
  if (judged.before.captured_by(judged.move) == chess::Piece::none) return false;
  const bool en_passant = judged.move.kind() == MoveKind::en_passant;
  const chess::Square victim =
      en_passant ? chess::offset(judged.move.to(), -chess::forward(judged.mover())) : judged.move.to();
  return !is_safe(judged.before, victim);
}

std::optional<Loss> critical_margin(const JudgedMove& judged) {
  const auto second = judged.second_score();
  if (!second || !judged.is_best() || judged.score_after().is_winning_mate()) return std::nullopt;
  if (judged.better_than_thought) return std::nullopt;  // the second line was not looked at as deeply
  const Loss margin = points_loss(judged.best_score(), *second);
  if (margin < critical_loss || captures_free_piece(judged)) return std::nullopt;
  return margin;
}

bool is_risky(const Practice& practice) {
  const PracticalScore& played = practice.played;
  const PracticalScore& best = practice.best;
  if (std::min(played.confidence, best.confidence) < risky_confidence) return false;
  return played.expected.value() - best.expected.value() >= risky_gain && played.low > best.high;
}

std::vector<Reason::Number> win_rates(const JudgedMove& judged, Loss loss) {
  return {percent("win_before", win_rate(judged.best_score(), score::points_slope).value()),
          percent("win_after", win_rate(judged.score_after(), score::points_slope).value()),
          percent("loss", loss.value())};
}

// The losses between which the class lies, as numbers and in words: "a mistake is 12% to 22%".
void add_thresholds(std::vector<Reason::Number>& numbers, std::vector<Reason::Fact>& facts, PointsClass cls) {
  double low = 0;
  for (const LossStep& step : loss_steps) {
    if (step.cls == cls) {
      numbers.push_back(percent("threshold_low", low));
      numbers.push_back(percent("threshold_high", step.below));
      facts.push_back({"range", fmt::format("{} is {:.3g}% to {:.3g}%", info(cls).name, 100 * low, 100 * step.below)});
      return;
    }
    low = step.below;
  }
  numbers.push_back(percent("threshold_low", low));
  facts.push_back({"range", fmt::format("{} is {:.3g}% and more", info(cls).name, 100 * low)});
}

Confidence confidence_in(const JudgedMove& judged, Loss loss, PointsClass by_loss) {
  Grounds grounds;
  grounds.distance = distance_to_line(loss);
  grounds.error = is_error(by_loss);
  grounds.depth = std::min(judged.lines_before.front().depth, judged.lines_after.front().depth);
  grounds.first_choice = judged.is_best();
  grounds.by_mate = grounds.error && by_loss != class_of_loss(loss);
  return confidence_of(grounds);
}

Reason reason_by_loss(const JudgedMove& judged, PointsClass cls, Loss loss) {
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  const bool mate = before.mate() != nullptr || after.mate() != nullptr;
  auto numbers = win_rates(judged, loss);
  auto facts = score_facts(before, after);
  if (!mate) add_thresholds(numbers, facts, cls);
  Rule rule = mate ? mate_rule(before, after) : Rule::loss;
  if (!mate && cls == PointsClass::best) {
    const double gain = numbers[1].value - numbers[0].value;
    rule = gain >= loss_steps.front().below ? Rule::gain : Rule::no_loss;
  }
  Reason reason(rule, std::move(numbers), std::move(facts));

  if (info(cls).value < info(PointsClass::best).value) say_best_move(reason, judged);
  return reason;
}

Reason plain_reason(Rule rule, const JudgedMove& judged, Loss loss) { return {rule, win_rates(judged, loss)}; }

// The second best, and whether people find the move.
Reason critical_reason(const JudgedMove& judged, Loss loss, Loss margin, const std::optional<Finders>& finders) {
  auto numbers = win_rates(judged, loss);
  numbers.push_back(percent("second_loss", margin.value()));
  numbers.push_back(percent("threshold_low", critical_loss.value()));
  std::vector<Reason::Fact> facts;
  const auto& pv = judged.lines_before[1].pv;
  facts.push_back({"second", pv.empty() ? "" : fmt::format(", {},", chess::format_san(judged.before, pv.front()))});
  if (!finders) return {Rule::critical, std::move(numbers), std::move(facts)};
  numbers.push_back(percent("finders", finders->probability));
  numbers.push_back(count("rating", finders->rating));
  facts.push_back({"share", fmt::format("{}{:.0f}% of {}s", finders->probability < rare ? "only " : "",
                                        100 * finders->probability, finders->rating)});
  return {finders->probability >= obvious ? Rule::critical_obvious : Rule::critical_found, std::move(numbers),
          std::move(facts)};
}

Reason sacrifice_reason(const JudgedMove& judged, Loss loss, const Sacrifice& sacrifice) {
  std::vector<Reason::Fact> facts = score_facts(judged.best_score(), judged.score_after());
  const chess::Square offered = piece_at_stake(judged, sacrifice.offered);
  facts.push_back({"piece", piece_text(judged.after, offered)});
  const auto reply = best_reply(judged);
  if (reply) facts.push_back({"reply", chess::format_san(judged.after, *reply)});
  Rule rule = Rule::sacrifice;
  if (judged.score_after().is_winning_mate()) {
    rule = Rule::sacrifice_mates;
  } else if (reply) {
    rule = reply->to() == offered ? Rule::sacrifice_taken : Rule::sacrifice_declined;
  }
  return {rule, win_rates(judged, loss), std::move(facts)};
}

// Both numbers, and the likeliest line that makes the difference.
Reason risky_reason(const JudgedMove& judged, Loss loss, const Practice& practice) {
  auto numbers = win_rates(judged, loss);
  numbers.push_back(percent("expected_played", practice.played.expected.value()));
  numbers.push_back(percent("expected_best", practice.best.expected.value()));
  numbers.push_back(percent("threshold_low", risky_gain));
  numbers.push_back(count("rating", practice.opponent_rating));
  const auto best = judged.best_move();
  Reason reason(Rule::risky, std::move(numbers),
                {{"best", best ? chess::format_san(judged.before, *best) : "the engine's move"}});
  if (practice.reply.empty()) return reason;
  reason.add_number(percent("reply_share", practice.reply_probability));
  reason.add_fact({"share", fmt::format("{:.0f}%", 100 * practice.reply_probability)});
  reason.add_fact({"reply", std::string(practice.reply)});
  if (practice.answer.empty()) {
    reason.say(Rule::risky_reply);
  } else {
    reason.say(Rule::risky_line, {"answer", std::string(practice.answer)});
  }
  return reason;
}

Reason book_reason(const JudgedMove& judged, Loss loss, const BookKnowledge& book) {
  Reason reason(book_rule(book), win_rates(judged, loss), book_facts(book));
  if (loss.value() >= first_error && !judged.is_best()) {
    reason.say(Rule::book_costs);
    say_best_move(reason, judged);
  }
  return reason;
}

}  // namespace

double distance_to_line(Loss loss) {
  double nearest = 1;
  for (const LossStep& step : loss_steps) {
    if (step.below >= first_error) nearest = std::min(nearest, std::abs(loss.value() - step.below));
  }
  return nearest;
}

Loss points_loss(const MoverScore& before, const MoverScore& after) {
  return score::loss_between(win_rate(before, score::points_slope), win_rate(after, score::points_slope));
}

double points_accuracy(Loss loss) { return (103.16 * std::exp(-4 * loss.value())) - 3.17; }

bool may_be_risky(const JudgedMove& judged, PointsClass cls) {
  const bool by_loss = cls == PointsClass::excellent || cls == PointsClass::okay || cls == PointsClass::inaccuracy;
  if (!by_loss && cls != PointsClass::risky) return false;
  const MoverScore score = judged.score_after();
  const Centipawns* after = score.centipawns();
  if (after == nullptr || judged.best_score().mate() != nullptr) return false;
  return after->value > risky_above.value && after->value < risky_below.value;
}

PointsClass class_by_loss(const MoverScore& before, const MoverScore& after, const PointsOptions& options) {
  const PointsClass by_loss = class_of_loss(points_loss(before, after));
  if (before.mate() == nullptr && after.mate() == nullptr) return by_loss;
  const PointsClass by_distance = class_by_distance(before, after, options.soften_lost);
  return options.mates == Mates::worst ? std::max(by_distance, by_loss) : by_distance;
}

PointsVerdict judge_points(const JudgedMove& judged, const PointsOptions& options, const PointsKnowledge& knowledge) {
  const Loss loss = points_loss(judged.best_score(), judged.score_after());
  Confidence confidence;  // what the rules of the game and the book say needs no engine
  const auto verdict = [&](PointsClass cls, Reason reason) {
    return PointsVerdict{cls, loss, points_accuracy(loss), confidence, std::move(reason)};
  };
  const auto plain = [&](PointsClass cls, Rule rule) { return verdict(cls, plain_reason(rule, judged, loss)); };
  if (chess::count_legal_moves(judged.before) <= 1) return plain(PointsClass::forced, Rule::forced);
  if (knowledge.book.known) return verdict(PointsClass::theory, book_reason(judged, loss, knowledge.book));
  const bool mates = judged.after.in_check() && chess::count_legal_moves(judged.after) == 0;
  if (mates) return plain(PointsClass::best, Rule::checkmate);

  const PointsClass by_loss = class_by_loss(judged.best_score(), judged.score_after(), options);
  const PointsClass cls = judged.is_best() ? PointsClass::best : by_loss;
  confidence = confidence_in(judged, loss, by_loss);
  if (info(cls).value == info(PointsClass::best).value && passes_gate(judged)) {
    const auto margin = options.critical ? critical_margin(judged) : std::nullopt;
    const bool try_sacrifice = options.brilliant && (!margin || options.precedence == Precedence::brilliant);
    if (try_sacrifice) {
      if (const auto sacrifice = find_sacrifice(judged.before, judged.move)) {
        return verdict(PointsClass::brilliant, sacrifice_reason(judged, loss, *sacrifice));
      }
    }
    if (margin) return verdict(PointsClass::critical, critical_reason(judged, loss, *margin, knowledge.finders));
  }
  if (judged.is_best()) return plain(PointsClass::best, first_choice_rule(judged));
  if (knowledge.practice && may_be_risky(judged, cls) && is_risky(*knowledge.practice)) {
    return verdict(PointsClass::risky, risky_reason(judged, loss, *knowledge.practice));
  }
  return verdict(cls, reason_by_loss(judged, cls, loss));
}

}  // namespace pm::verdict
