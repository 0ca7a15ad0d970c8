#include "verdict/explain.h"

#include <fmt/format.h>

#include "chess/san.h"
#include "motif/placement.h"
#include "score/score_text.h"

namespace pm::verdict {
namespace {

// What remains of a mate that was let go.
Rule let_go_rule(Centipawns after) {
  constexpr int winning = 200;
  constexpr int better = 50;
  if (after.value >= winning) return Rule::mate_let_go_winning;
  if (after.value >= better) return Rule::mate_let_go_better;
  if (after.value > -better) return Rule::mate_let_go_equal;
  return after.value > -winning ? Rule::mate_let_go_worse : Rule::mate_let_go_losing;
}

}  // namespace

std::vector<Reason::Fact> score_facts(const MoverScore& before, const MoverScore& after) {
  return {{"score_before", score::score_in_words(before)}, {"score_after", score::score_in_words(after)}};
}

Rule mate_rule(const MoverScore& before, const MoverScore& after) {
  if (after.is_winning_mate() && after.mate()->moves == 0) return Rule::checkmate;
  if (before.is_winning_mate()) {
    if (after.is_winning_mate()) return Rule::mate_kept;
    return after.is_losing_mate() ? Rule::mate_turned : let_go_rule(*after.centipawns());
  }
  if (after.is_winning_mate()) return Rule::mate_found;
  if (before.is_losing_mate()) return after.is_losing_mate() ? Rule::mate_unavoidable : Rule::mate_escaped;
  return Rule::mate_allowed;
}

Rule book_rule(const BookKnowledge& book) {
  if (book.opening.empty()) return Rule::book_unnamed;
  return book.on_the_way ? Rule::book_on_the_way : Rule::book;
}

std::vector<Reason::Fact> book_facts(const BookKnowledge& book) {
  if (book.opening.empty()) return {};
  return {{"opening", std::string(book.opening)}};
}

chess::Square piece_at_stake(const JudgedMove& judged, chess::Bitboard pieces) {
  const auto reply = best_reply(judged);
  chess::Square found = pieces.first();
  for (const chess::Square s : pieces) {
    if (reply && reply->to() == s) return s;
    const auto worth = [&](chess::Square at) { return motif::value_of(kind_of(judged.after.piece_on(at))); };
    if (worth(s) > worth(found)) found = s;
  }
  return found;
}

std::string piece_text(const chess::Position& position, chess::Square s) {
  return fmt::format("{} on {}", name_of(kind_of(position.piece_on(s))), chess::format_square(s));
}

Rule first_choice_rule(const JudgedMove& judged) {
  return judged.better_than_thought ? Rule::found_by_playing : Rule::engine_choice;
}

std::optional<chess::Move> best_reply(const JudgedMove& judged) {
  if (judged.lines_after.front().pv.empty()) return std::nullopt;
  return judged.lines_after.front().pv.front();
}

void say_best_move(Reason& reason, const JudgedMove& judged, Rule sentence) {
  if (!judged.best_move() || judged.is_best()) return;
  reason.say(sentence, {"best", chess::format_san(judged.before, *judged.best_move())});
}

}  // namespace pm::verdict
