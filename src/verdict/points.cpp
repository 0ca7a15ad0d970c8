#include "verdict/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chess/movegen.h"
#include "chess/san.h"
#include "verdict/tactics.h"

namespace pm::verdict {
namespace {

using chess::MoveKind;
using chess::PieceKind;

// 2.3: the loss below which each class ends, strict and unrounded.
struct LossStep {
  PointsClass cls;
  double below;
};
constexpr std::array<LossStep, 5> loss_steps{{{PointsClass::best, .01},
                                              {PointsClass::excellent, .045},
                                              {PointsClass::okay, .08},
                                              {PointsClass::inaccuracy, .12},
                                              {PointsClass::mistake, .22}}};
constexpr Loss critical_loss{.10};       // 2.5
constexpr Centipawns won_anyway{700};    // 2.4
constexpr Centipawns risky_floor{-200};  // 2.7
constexpr double risky_gain = .02;       // 2.7

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

// 2.4: what CRITICAL and BRILLIANT both ask.
bool passes_gate(const JudgedMove& judged) {
  const MoverScore rival = judged.second_score().value_or(judged.score_after());
  if (rival.at_least(won_anyway)) return false;
  if (!judged.score_after().at_least(Centipawns{0})) return false;
  if (judged.move.kind() == MoveKind::promotion && judged.move.promoted() == PieceKind::queen) return false;
  return !judged.before.in_check();
}

// 2.5: the captured piece, if any, could have been taken for nothing.
bool captures_free_piece(const JudgedMove& judged) {
  if (judged.before.captured_by(judged.move) == chess::Piece::none) return false;
  const bool in_passing = judged.move.kind() == MoveKind::en_passant;
  const chess::Square victim =
      in_passing ? chess::offset(judged.move.to(), -chess::forward(judged.mover())) : judged.move.to();
  return !is_safe(judged.before, victim);
}

std::optional<Loss> critical_margin(const JudgedMove& judged) {
  const auto second = judged.second_score();
  if (!second || !judged.is_best() || judged.score_after().is_winning_mate()) return std::nullopt;
  const Loss margin = points_loss(judged.best_score(), *second);
  if (margin < critical_loss || captures_free_piece(judged)) return std::nullopt;
  return margin;
}

bool is_risky(const JudgedMove& judged, PointsClass cls, const PointsKnowledge& knowledge) {
  if (!knowledge.expected_played || !knowledge.expected_best) return false;
  if (cls != PointsClass::excellent && cls != PointsClass::okay && cls != PointsClass::inaccuracy) return false;
  if (!judged.score_after().at_least(Centipawns{risky_floor.value + 1})) return false;
  return knowledge.expected_played->value() - knowledge.expected_best->value() >= risky_gain;
}

const char* name_of(PieceKind kind) {
  constexpr std::array<const char*, chess::piece_kinds> names{"pawn", "knight", "bishop", "rook", "queen", "king"};
  return names[static_cast<std::size_t>(kind)];
}

std::string piece_on(const chess::Position& position, chess::Square s) {
  return fmt::format("{} on {}", name_of(kind_of(position.piece_on(s))), chess::format_square(s));
}

std::string score_text(const MoverScore& score) {
  if (const Mate* mate = score.mate()) {
    if (mate->moves == 0) return mate->wins ? "checkmate" : "being mated";
    return fmt::format("{} in {}", mate->wins ? "mate" : "being mated", mate->moves);
  }
  return fmt::format("{:+.2f}", score.centipawns()->value / 100.0);
}

void add_win_rates(Reason& reason, const JudgedMove& judged, Loss loss) {
  reason.numbers = {{"win_before", win_rate(judged.best_score(), points_slope).value()},
                    {"win_after", win_rate(judged.score_after(), points_slope).value()},
                    {"loss", loss.value()}};
}

std::string better_move(const JudgedMove& judged) {
  if (!judged.best_move() || judged.is_best()) return "";
  return fmt::format(" {} was best.", chess::format_san(judged.before, *judged.best_move()));
}

// The piece that can be taken now and could not before, if there is one.
std::string left_hanging(const JudgedMove& judged) {
  const chess::Piece victim = judged.before.captured_by(judged.move);
  const JustCaptured captured{victim == chess::Piece::none ? 0 : piece_value(kind_of(victim))};
  const chess::Bitboard after = unsafe_pieces(judged.after, judged.mover(), captured);
  const chess::Bitboard fresh = after & ~unsafe_pieces(judged.before, judged.mover());
  if (fresh.empty()) return "";
  return fmt::format(" The {} is left hanging.", piece_on(judged.after, fresh.first()));
}

Reason reason_by_loss(const JudgedMove& judged, PointsClass cls, Loss loss) {
  Reason reason;
  add_win_rates(reason, judged, loss);
  const MoverScore before = judged.best_score();
  const MoverScore after = judged.score_after();
  if (before.mate() != nullptr || after.mate() != nullptr) {
    reason.rule = "mate";
    reason.text = fmt::format("From {} to {}.", score_text(before), score_text(after));
  } else {
    reason.rule = "loss";
    const double win_before = win_rate(before, points_slope).percent();
    const double win_after = win_rate(after, points_slope).percent();
    reason.text = loss.value() < loss_steps.front().below
                      ? fmt::format("Keeps the winning chances, {:.1f}% to {:.1f}%.", win_before, win_after)
                      : fmt::format("Loses {:.1f}% winning chances, from {:.1f}% to {:.1f}%.", loss.percent(),
                                    win_before, win_after);
    double low = 0;
    for (const LossStep& step : loss_steps) {
      if (step.cls == cls) break;
      low = step.below;
    }
    reason.numbers.push_back({"threshold_low", low});
  }
  if (info(cls).value <= info(PointsClass::inaccuracy).value) reason.text += left_hanging(judged);
  if (info(cls).value < info(PointsClass::best).value) reason.text += better_move(judged);
  return reason;
}

Reason plain_reason(std::string_view rule, std::string text, const JudgedMove& judged, Loss loss) {
  Reason reason;
  add_win_rates(reason, judged, loss);
  reason.rule = rule;
  reason.text = std::move(text);
  return reason;
}

Reason critical_reason(const JudgedMove& judged, Loss loss, Loss margin) {
  Reason reason = plain_reason(
      "critical",
      fmt::format("The only good move: the second best would have cost {:.1f}% winning chances.", margin.percent()),
      judged, loss);
  reason.numbers.push_back({"second_loss", margin.value()});
  reason.numbers.push_back({"threshold_low", critical_loss.value()});
  return reason;
}

Reason sacrifice_reason(const JudgedMove& judged, Loss loss, const Sacrifice& sacrifice) {
  return plain_reason("sacrifice",
                      fmt::format("Offers the {}; even if it is taken the mover stands at {}.",
                                  piece_on(judged.after, sacrifice.offered), score_text(judged.score_after())),
                      judged, loss);
}

}  // namespace

Loss points_loss(const MoverScore& before, const MoverScore& after) {
  return loss_between(win_rate(before, points_slope), win_rate(after, points_slope));
}

double points_accuracy(Loss loss) { return (103.16 * std::exp(-4 * loss.value())) - 3.17; }

PointsClass class_by_loss(const MoverScore& before, const MoverScore& after, bool soften_lost) {
  if (before.mate() != nullptr && after.mate() != nullptr) return class_of_mates(*before.mate(), *after.mate());
  if (before.mate() != nullptr) {
    return before.is_losing_mate() ? PointsClass::best : class_of_mate_let_go(*after.centipawns());
  }
  if (after.mate() != nullptr) {
    return after.is_winning_mate() ? PointsClass::best
                                   : class_of_mate_allowed(*before.centipawns(), *after.mate(), soften_lost);
  }
  return class_of_loss(points_loss(before, after));
}

PointsVerdict judge_points(const JudgedMove& judged, const PointsOptions& options, const PointsKnowledge& knowledge) {
  const Loss loss = points_loss(judged.best_score(), judged.score_after());
  const auto verdict = [&](PointsClass cls, Reason reason) {
    return PointsVerdict{cls, loss, points_accuracy(loss), std::move(reason)};
  };
  const auto plain = [&](PointsClass cls, std::string_view rule, const char* text) {
    return verdict(cls, plain_reason(rule, text, judged, loss));
  };
  if (chess::count_legal_moves(judged.before) <= 1) return plain(PointsClass::forced, "forced", "The only legal move.");
  if (knowledge.in_book) return plain(PointsClass::theory, "book", "A known opening move.");
  const bool mates = judged.after.in_check() && chess::count_legal_moves(judged.after) == 0;
  if (mates) return plain(PointsClass::best, "checkmate", "Checkmate.");

  const PointsClass by_loss = class_by_loss(judged.best_score(), judged.score_after(), options.soften_lost);
  const PointsClass cls = judged.is_best() ? PointsClass::best : by_loss;
  if (info(cls).value == info(PointsClass::best).value && passes_gate(judged)) {
    const auto margin = options.critical ? critical_margin(judged) : std::nullopt;
    const bool try_sacrifice = options.brilliant && (!margin || options.precedence == Precedence::brilliant);
    if (try_sacrifice) {
      if (const auto sacrifice = find_sacrifice(judged.before, judged.move)) {
        return verdict(PointsClass::brilliant, sacrifice_reason(judged, loss, *sacrifice));
      }
    }
    if (margin) return verdict(PointsClass::critical, critical_reason(judged, loss, *margin));
  }
  if (judged.is_best()) return plain(PointsClass::best, "engine_choice", "The engine's first choice.");
  if (is_risky(judged, cls, knowledge)) {
    Reason reason =
        plain_reason("risky",
                     fmt::format("Objectively worse, but against people it scores {:.1f}%, the engine's move {:.1f}%.",
                                 knowledge.expected_played->percent(), knowledge.expected_best->percent()),
                     judged, loss);
    reason.numbers.push_back({"expected_played", knowledge.expected_played->value()});
    reason.numbers.push_back({"expected_best", knowledge.expected_best->value()});
    return verdict(PointsClass::risky, std::move(reason));
  }
  return verdict(cls, reason_by_loss(judged, cls, loss));
}

}  // namespace pm::verdict
