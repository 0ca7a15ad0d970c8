// The rounds of an inquiry: whole trees, and then all their positions, again and again to greater depth
// (docs/expected-winrate.md 2, steps 2 to 4).
#include <algorithm>
#include <tuple>
#include <utility>

#include "expect/inquiry.h"

namespace pm::expect {

void Inquiry::grow_level() {
  queries_ = growth_.queries();
  take_predictions_ = [this](std::vector<human::Prediction>& predictions) {
    growth_.take(predictions, changed_);
    if (analysis_.phase == Phase::trees) analysis_.counts = {analysis_.nodes, analysis_.nodes, false};
  };
}

void Inquiry::grow_all() {
  if (!growth_.done()) return grow_level();
  then_ = &Inquiry::evaluate;
}

int Inquiry::depth_of(const Node& node, Round round) const {
  switch (round) {
    case Round::glance: return glance_depth(parameters_.depth, node.cumulative_probability);
    case Round::quick: return fast_depth(parameters_.depth, node.cumulative_probability);
    default: return parameters_.depth;
  }
}

// A glance at all lines says which of them will be pruned; after that there is little to wait for, and all engines are
// busy. The likely lines at the full depth complete the quick round, the others the exact one.
void Inquiry::evaluate() {
  rounds_ = {Round::glance, Round::quick};
  if (parameters_.effort == Effort::exact) rounds_.push_back(Round::exact);
  std::size_t total = 0;
  for (const Round round : rounds_) searches_to_.push_back(total += searches_of(round));
  enter(Phase::evaluation, total, true);
  then_ = &Inquiry::begin_round;
}

std::size_t Inquiry::searches_of(Round round) const {
  std::size_t searches = 0;
  for (const Candidate& each : analysis_.candidates) {
    for (const Node& node : each.tree.nodes) {
      const int before = round == Round::glance  ? 0
                         : round == Round::quick ? depth_of(node, Round::glance)
                                                 : depth_of(node, Round::quick);
      if (depth_of(node, round) > before) ++searches;
    }
  }
  return searches;
}

// The nodes that count and still lack an answer of this round, line by line. What is below a node of which nothing is
// known yet has to wait.
std::vector<std::uint32_t> Inquiry::due_of(const Tree& tree, Round round) const {
  std::vector<std::uint32_t> due;
  std::vector<std::uint32_t> reached{0};
  while (!reached.empty()) {
    const std::uint32_t at = reached.back();
    reached.pop_back();
    const Node& node = tree.nodes[at];
    const bool known = at == 0 || node.kind == NodeKind::terminal;  // the candidate's is from the filter
    if (!known && node.asked < depth_of(node, round)) due.push_back(at);
    if (node.kind != NodeKind::inner || (!known && node.asked == 0)) continue;
    for (std::uint32_t child = node.child_count; child > 0; --child) reached.push_back(node.first_child + child - 1);
  }
  return due;
}

std::vector<Place> Inquiry::all_due(Round round) {
  std::vector<Place> due;
  for (std::size_t c = 0; c < analysis_.candidates.size(); ++c) {
    for (const std::uint32_t node : due_of(analysis_.candidates[c].tree, round)) due.push_back({c, node});
  }
  // The likeliest first at a glance. Later a line stays together: its positions have much in common, and the rounds
  // themselves see to it that what is likely comes first.
  if (round == Round::glance) {
    std::sort(due.begin(), due.end(), [&](Place a, Place b) {
      return std::tuple(-node_at(a).cumulative_probability, a) < std::tuple(-node_at(b).cumulative_probability, b);
    });
  }
  return due;
}

void Inquiry::begin_round() {
  if (round_ == rounds_.size()) {
    return end(Phase::complete, parameters_.effort == Effort::exact ? Stopped::exact : Stopped::none);
  }
  if (searches_to_[round_] == searches_to_.back()) last_round_ = rounds_[round_];
  then_ = &Inquiry::value_due;
}

void Inquiry::value_due() {
  for (Candidate& each : analysis_.candidates) decide_again(each.tree, followed_from());
  const std::vector<Place> due = all_due(rounds_[round_]);
  if (due.empty()) return end_round();
  std::vector<engine::Question> questions;
  questions.reserve(due.size());
  for (const Place place : due) {
    questions.push_back({node_at(place).position, depth_of(node_at(place), rounds_[round_])});
  }
  ask(
      questions, [this, due](std::size_t i, const engine::Answer& answer) { count(due[i].candidate, answer); },
      [this, due, questions](std::size_t i, const std::optional<engine::Valuation>& valuation) {
        set_value(due[i], questions[i].depth, valuation);
      });
}

void Inquiry::end_round() {
  analysis_.counts.done = std::max(analysis_.counts.done, searches_to_[round_]);
  for (std::size_t c = 0; c < analysis_.candidates.size(); ++c) changed_.insert(c);
  ++round_;
  then_ = &Inquiry::begin_round;
}

void Inquiry::set_value(Place place, int depth, const std::optional<engine::Valuation>& valuation) {
  Node& node = node_at(place);
  node.asked = depth;
  changed_.insert(place.candidate);
  if (valuation) {
    if (settles() && node.win_rate) node.before.emplace(node.depth, *node.win_rate);
    node.depth = depth;
    set_win_rate(analysis_.candidates[place.candidate].tree, place.node, worth_(*valuation), followed_from());
  } else if (node.win_rate) {
    shallow_only_ = true;
  } else {
    node.unevaluated = true;
  }
}

}  // namespace pm::expect
