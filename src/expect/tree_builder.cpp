#include "expect/tree_builder.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "chess/draws.h"
#include "chess/san.h"

namespace pm::expect {
namespace {

using chess::Colour;
using chess::PositionHistory;
using human::MoveProbability;

constexpr std::size_t queries_at_once = 256;

}  // namespace

Ending ending_of(const chess::PositionHistory& history, Colour player) {
  const chess::Position& position = history.newest();
  const int occurrences = history.occurrences();
  if (const auto end = chess::game_end(position, occurrences)) {
    if (*end != chess::GameEnd::checkmate) return {WinRate(0.5), false};
    return {WinRate(position.side_to_move() == player ? 0.0 : 1.0), false};
  }
  if (chess::draw_claim(position, occurrences)) return {WinRate(0.5), false};
  return {std::nullopt, occurrences > 1};
}

human::Query query_of(const chess::PositionHistory& history, Colour player, const Parameters& parameters) {
  const bool own = history.newest().side_to_move() == player;
  return {history, own ? parameters.rating : parameters.opponent_rating,
          own ? parameters.opponent_rating : parameters.rating};
}

void TreeBuilder::sort_level() {
  const auto probability = [&](const Growing& g) {
    return analysis_.candidates[g.candidate].tree.nodes[g.node].cumulative_probability;
  };
  std::sort(growing_.begin(), growing_.end(), [&](const Growing& a, const Growing& b) {
    return std::tuple(-probability(a), a.candidate, a.node) < std::tuple(-probability(b), b.candidate, b.node);
  });
}

Expected<void> TreeBuilder::step(std::set<std::size_t>& changed) {
  if (grown_ == 0) sort_level();
  const auto some = std::span(growing_).subspan(grown_, std::min(queries_at_once, growing_.size() - grown_));
  std::vector<human::Query> queries;
  queries.reserve(some.size());
  for (const Growing& each : some) queries.push_back(query_of(each.history, player_, analysis_.parameters));
  auto policies = model_.predict(queries, human::Want::moves);
  if (!policies) return tl::make_unexpected(policies.error());
  for (std::size_t i = 0; i < some.size(); ++i) {
    add_children(some[i], (*policies)[i]);
    changed.insert(some[i].candidate);
  }
  grown_ += some.size();
  if (grown_ == growing_.size()) {
    growing_ = std::exchange(next_, {});
    grown_ = 0;
  }
  return {};
}

void TreeBuilder::add_children(const Growing& from, human::Prediction& policy) {
  const Parameters& parameters = analysis_.parameters;
  Tree& tree = analysis_.candidates[from.candidate].tree;
  const double reached = tree.nodes[from.node].cumulative_probability;
  std::erase_if(policy.moves, [&](const MoveProbability& m) {
    return reached * m.probability < parameters.threshold - probability_slack;
  });
  if (policy.moves.empty()) return;
  const int ply = tree.nodes[from.node].ply + 1;
  if (ply > parameters.max_ply || analysis_.nodes + policy.moves.size() > parameters.max_nodes) {
    analysis_.truncated = true;
    return;
  }
  std::sort(policy.moves.begin(), policy.moves.end(), [](const MoveProbability& a, const MoveProbability& b) {
    return std::tuple(-a.probability, a.move.bits()) < std::tuple(-b.probability, b.move.bits());
  });
  tree.nodes[from.node].kind = NodeKind::inner;
  tree.nodes[from.node].first_child = static_cast<std::uint32_t>(tree.nodes.size());
  tree.nodes[from.node].child_count = static_cast<std::uint32_t>(policy.moves.size());
  analysis_.nodes += policy.moves.size();
  for (const auto& [move, probability] : policy.moves) {
    chess::PositionHistory history = from.history;
    history.play(move);
    Node node;
    node.move = move;
    node.san = chess::format_san(from.history.newest(), move);
    node.position = history.newest();
    node.parent = from.node;
    node.ply = ply;
    node.probability = probability;
    node.cumulative_probability = reached * probability;
    const Ending ending = ending_of(history, player_);
    const auto at = static_cast<std::uint32_t>(tree.nodes.size());
    if (ending.known) {
      node.kind = NodeKind::terminal;
      node.win_rate = ending.known;
    } else if (ending.repeated) {
      node.kind = NodeKind::repetition;
    } else {
      next_.push_back({from.candidate, at, std::move(history)});
    }
    tree.nodes.push_back(std::move(node));
  }
}

}  // namespace pm::expect
