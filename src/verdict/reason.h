// Why a move got its verdict: the rule that fired, the numbers and facts it used, and a sentence made of nothing else.
//
//   Reason reason(Rule::loss, {percent("loss", loss.value()), ...}, {{"best", "Rd1"}});
//   reason.say(Rule::best_was);         // adds a second sentence from the same numbers and facts
//
// All sentences stand in one table (reason.cpp); words in braces there are names of numbers and facts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pm::verdict {

enum class Rule : std::uint8_t {
  // any scheme
  forced,
  book,
  book_unnamed,
  book_on_the_way,
  checkmate,
  engine_choice,
  found_by_playing,
  // points
  loss,
  no_loss,
  gain,
  mate_found,
  mate_kept,
  mate_escaped,
  mate_let_go_winning,
  mate_let_go_better,
  mate_let_go_equal,
  mate_let_go_worse,
  mate_let_go_losing,
  mate_allowed,
  mate_turned,
  mate_unavoidable,
  critical,
  critical_found,
  critical_obvious,
  sacrifice,
  sacrifice_mates,
  sacrifice_taken,
  sacrifice_declined,
  risky,
  annotated,
  // labels
  missed_win,
  lost_win,
  missed_draw,
  deep_resource,
  better_than_thought,
  two_scales,
  one_scale,
  // acpl
  centipawns,
  no_centipawns,
  // lichess
  chances,
  no_chances,
  // further sentences
  book_costs,
  risky_reply,
  risky_line,
  counts_to_ten,
  severity,
  best_was,
  best_kept,
};

class Reason {
 public:
  enum class Unit : std::uint8_t { percent, count, chances };
  struct Number {
    std::string_view name;  // "win_before", "loss", "threshold_low", ...
    double value = 0;       // a percentage is kept as 0..1
    Unit unit = Unit::count;
  };
  struct Fact {
    std::string_view name;  // "best", "piece", "score_after", ...
    std::string text;
  };

  Reason(Rule rule, std::vector<Number> numbers, std::vector<Fact> facts = {});
  void add_number(Number number) { numbers_.push_back(number); }
  void add_fact(Fact fact) { facts_.push_back(std::move(fact)); }
  // Adds a further sentence, perhaps with the fact it needs.
  void say(Rule sentence);
  void say(Rule sentence, Fact fact);

  Rule rule() const { return rule_; }
  std::string_view rule_name() const;  // short and stable, for programs
  const std::vector<Number>& numbers() const { return numbers_; }
  const std::vector<Fact>& facts() const { return facts_; }
  const std::string& text() const { return text_; }
  const Number* find(std::string_view name) const;

 private:
  void append(std::string_view name);

  Rule rule_;
  std::vector<Number> numbers_;
  std::vector<Fact> facts_;
  std::string text_;
};

inline Reason::Number percent(std::string_view name, double value) { return {name, value, Reason::Unit::percent}; }
inline Reason::Number count(std::string_view name, double value) { return {name, value, Reason::Unit::count}; }
inline Reason::Number chances(std::string_view name, double value) { return {name, value, Reason::Unit::chances}; }

}  // namespace pm::verdict
