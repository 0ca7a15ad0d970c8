#include "verdict/reason.h"

#include <array>
#include <cassert>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace pm::verdict {
namespace {

struct Sentence {
  Rule rule;
  std::string_view name;
  std::string_view text;
};

// In the order of Rule. Scores are the mover's: + is good for the one who moved.
constexpr std::array sentences{
    Sentence{Rule::forced, "forced", "The only legal move."},
    Sentence{Rule::book, "book", "A known opening position: {opening}."},
    Sentence{Rule::book_unnamed, "book", "A position of the opening book."},
    Sentence{Rule::book_on_the_way, "book", "A known opening move, on the way to {opening}."},
    Sentence{Rule::checkmate, "checkmate", "Checkmate."},
    Sentence{Rule::engine_choice, "engine_choice", "The engine's first choice."},
    Sentence{Rule::found_by_playing, "found_by_playing",
             "As good as any: the engine saw how good it was only after it was played."},
    Sentence{Rule::loss, "loss", "Loses {loss} winning chances, from {win_before} to {win_after}."},
    Sentence{Rule::no_loss, "no_loss", "Keeps the winning chances: {win_before} before, {win_after} after."},
    Sentence{Rule::gain, "gain", "Gains winning chances: {win_before} before, {win_after} after."},
    Sentence{Rule::mate_found, "mate_found", "Finds a forced mate: {score_before} before, {score_after} now."},
    Sentence{Rule::mate_kept, "mate_kept", "Keeps a forced mate: {score_before} before, {score_after} now."},
    Sentence{Rule::mate_escaped, "mate_escaped", "Escapes a forced mate: {score_before} before, {score_after} now."},
    Sentence{Rule::mate_let_go_winning, "mate_let_go",
             "Lets a forced mate go ({score_before}); still winning, {score_after}."},
    Sentence{Rule::mate_let_go_better, "mate_let_go",
             "Lets a forced mate go ({score_before}); only somewhat better now, {score_after}."},
    Sentence{Rule::mate_let_go_equal, "mate_let_go",
             "Lets a forced mate go ({score_before}); equal now, {score_after}."},
    Sentence{Rule::mate_let_go_worse, "mate_let_go",
             "Lets a forced mate go ({score_before}); worse now, {score_after}."},
    Sentence{Rule::mate_let_go_losing, "mate_let_go",
             "Lets a forced mate go ({score_before}); losing now, {score_after}."},
    Sentence{Rule::mate_allowed, "mate_allowed", "Allows a forced mate: {score_before} before, {score_after} now."},
    Sentence{Rule::mate_turned, "mate_turned",
             "Had a forced mate and is mated now: {score_before} before, {score_after} now."},
    Sentence{Rule::mate_unavoidable, "mate_unavoidable",
             "Was being mated already: {score_before} before, {score_after} now."},
    Sentence{Rule::critical, "critical",
             "The only good move: the second best{second} would have cost {second_loss} winning chances."},
    Sentence{Rule::critical_found, "critical",
             "The only good move, and {share} find it: the second best{second} would have cost {second_loss} winning "
             "chances."},
    Sentence{
        Rule::critical_obvious, "critical",
        "The only move, and {share} find it; the second best{second} would have cost {second_loss} winning chances."},
    Sentence{Rule::sacrifice, "sacrifice",
             "Offers the {piece}; the best reply, taking it or not, leaves {score_after}."},
    Sentence{Rule::sacrifice_mates, "sacrifice", "Offers the {piece}; taking it does not help: {score_after} follows."},
    Sentence{Rule::sacrifice_taken, "sacrifice",
             "Offers the {piece}; {reply} takes it, the best reply, and leaves {score_after}."},
    Sentence{Rule::sacrifice_declined, "sacrifice",
             "Offers the {piece}; the best reply, {reply}, does not take it and leaves {score_after}."},
    Sentence{Rule::risky, "risky",
             "Objectively worse, but better in practice: against {rating}s it scores {expected_played}, {best} "
             "{expected_best}."},
    Sentence{Rule::annotated, "annotated", "{said}"},
    Sentence{Rule::missed_win, "missed_win", "Missed a win: {score_before} before, {score_after} now."},
    Sentence{Rule::lost_win, "lost_win", "Lost a won game: {score_before} before, {score_after} now."},
    Sentence{Rule::missed_draw, "missed_draw", "Missed the draw: {score_before} before, {score_after} now."},
    Sentence{Rule::deep_resource, "deep_resource",
             "The engine itself needed depth to see this: {shallow} at first sight, {score_after} after the move."},
    Sentence{Rule::better_than_thought, "better_than_thought",
             "Better than the engine thought before the move: {score_before} then, {score_after} now."},
    Sentence{Rule::two_scales, "two_scales",
             "Gives away {centipawns} centipawns and {loss} winning chances; the {dual} scale counts."},
    Sentence{Rule::one_scale, "one_scale",
             "Gives away {loss} winning chances: {score_before} before, {score_after} now."},
    Sentence{Rule::centipawns, "centipawns", "Loses {loss} centipawns, from {score_before} to {score_after}."},
    Sentence{Rule::no_centipawns, "no_centipawns", "Loses no centipawns: {score_before} before, {score_after} after."},
    Sentence{Rule::chances, "chances", "Loses {loss} winning chances, from {win_before} to {win_after}."},
    Sentence{Rule::no_chances, "no_chances", "Loses no winning chances: {win_before} before, {win_after} after."},
    Sentence{Rule::book_costs, "book_costs", "It costs {loss} winning chances, though."},
    Sentence{Rule::risky_reply, "risky_reply", "{share} answer {reply}."},
    Sentence{Rule::risky_line, "risky_line", "{share} answer {reply}, and then comes {answer}."},
    Sentence{Rule::counts_to_ten, "counts_to_ten", "Scores count up to 10.00 here, and mates as that."},
    Sentence{Rule::severity, "severity", "By its loss alone: {severity}."},
    Sentence{Rule::best_was, "best_was", "{best} was best."},
    Sentence{Rule::best_kept, "best_kept", "{best} kept {score_before}."},

};

constexpr bool in_order() {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (static_cast<std::size_t>(sentences[i].rule) != i) return false;
  }
  return true;
}
static_assert(in_order() && sentences.size() == static_cast<std::size_t>(Rule::best_kept) + 1);

const Sentence& sentence_of(Rule rule) { return sentences[static_cast<std::size_t>(rule)]; }

}  // namespace

Reason::Reason(Rule rule, std::vector<Number> numbers, std::vector<Fact> facts)
    : rule_(rule), numbers_(std::move(numbers)), facts_(std::move(facts)) {
  say(rule);
}

std::string_view Reason::rule_name() const { return sentence_of(rule_).name; }

const Reason::Number* Reason::find(std::string_view name) const {
  for (const Number& n : numbers_) {
    if (n.name == name) return &n;
  }
  return nullptr;
}

void Reason::say(Rule sentence, Fact fact) {
  facts_.push_back(std::move(fact));
  say(sentence);
}

void Reason::say(Rule sentence) {
  if (!text_.empty()) text_ += ' ';
  std::string_view rest = sentence_of(sentence).text;
  for (;;) {
    const std::size_t open = rest.find('{');
    text_ += rest.substr(0, open);
    if (open == std::string_view::npos) return;
    const std::size_t close = rest.find('}', open);
    append(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
  }
}

// Puts the number or fact of that name into the text.
void Reason::append(std::string_view name) {
  for (const Fact& f : facts_) {
    if (f.name == name) {
      text_ += f.text;
      return;
    }
  }
  const Number* n = find(name);
  assert(n != nullptr);
  switch (n->unit) {
    case Unit::percent: fmt::format_to(std::back_inserter(text_), "{:.1f}%", 100 * n->value); break;
    case Unit::count: fmt::format_to(std::back_inserter(text_), "{:.0f}", n->value); break;
    case Unit::chances: fmt::format_to(std::back_inserter(text_), "{:.2f}", n->value); break;
  }
}

}  // namespace pm::verdict
