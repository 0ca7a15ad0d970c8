#include "expect/growth.h"

#include <algorithm>
#include <ranges>
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

Ending ending_of(const PositionHistory& history, Colour player) {
  const chess::Position& position = history.newest();
  const int occurrences = history.occurrences();
  if (const auto end = chess::game_end(position, occurrences)) {
    if (*end != chess::GameEnd::checkmate) return {WinRate(0.5), false};
    return {WinRate(position.side_to_move() == player ? 0.0 : 1.0), false};
  }
  if (chess::draw_claim(position, occurrences)) return {WinRate(0.5), false};
  return {std::nullopt, occurrences > 1};
}

human::Query query_of(const PositionHistory& history, Colour player, const Parameters& parameters) {
  const bool own = history.newest().side_to_move() == player;
  return {history, own ? parameters.rating : parameters.opponent_rating,
          own ? parameters.opponent_rating : parameters.rating};
}

void Growth::clear() {
  roots_.clear();
  growing_.clear();
  next_.clear();
  grown_ = asked_ = 0;
}

void Growth::add_root(PositionHistory after) {
  const Place place{roots_.size(), 0};
  roots_.push_back(std::move(after));
  if (node_at(place).open) growing_.push_back(place);
}

PositionHistory Growth::history_at(Place place) const {
  const std::vector<Node>& nodes = analysis_.candidates[place.candidate].tree.nodes;
  std::vector<chess::Move> moves;
  for (std::uint32_t at = place.node; at != 0; at = nodes[at].parent) moves.push_back(nodes[at].move);
  PositionHistory history = roots_[place.candidate];
  for (const chess::Move move : std::ranges::reverse_view(moves)) history.play(move);
  return history;
}

human::Query Growth::query_at(Place place) const { return query_of(history_at(place), player_, analysis_.parameters); }

void Growth::sort_level() {
  std::sort(growing_.begin(), growing_.end(), [&](Place a, Place b) {
    return std::tuple(-node_at(a).cumulative_probability, a) < std::tuple(-node_at(b).cumulative_probability, b);
  });
}

std::vector<human::Query> Growth::queries() {
  if (grown_ == 0) sort_level();
  asked_ = std::min(queries_at_once, growing_.size() - grown_);
  std::vector<human::Query> queries;
  queries.reserve(asked_);
  for (std::size_t i = 0; i < asked_; ++i) queries.push_back(query_at(growing_[grown_ + i]));
  return queries;
}

void Growth::take(std::vector<human::Prediction>& predictions, std::set<std::size_t>& changed) {
  for (std::size_t i = 0; i < asked_; ++i) {
    const Place place = growing_[grown_ + i];
    attach(place, children_of(place, predictions[i]));
    const Node& grown = node_at(place);
    for (std::uint32_t child = 0; child < grown.child_count; ++child) {
      const Place below{place.candidate, grown.first_child + child};
      if (node_at(below).open) next_.push_back(below);
    }
    changed.insert(place.candidate);
  }
  grown_ += std::exchange(asked_, 0);
  if (grown_ == growing_.size()) {
    growing_ = std::exchange(next_, {});
    grown_ = 0;
  }
}

std::vector<Node> Growth::children_of(Place place, human::Prediction& policy) {
  const Parameters& parameters = analysis_.parameters;
  const Node& from = node_at(place);
  std::erase_if(policy.moves, [&](const MoveProbability& m) {
    return from.cumulative_probability * m.probability < parameters.threshold - probability_slack;
  });
  std::vector<Node> children;
  if (policy.moves.empty()) return children;
  const int ply = from.ply + 1;
  if (ply > parameters.max_ply || analysis_.nodes + policy.moves.size() > parameters.max_nodes) {
    analysis_.truncated = true;
    return children;
  }
  std::sort(policy.moves.begin(), policy.moves.end(), [](const MoveProbability& a, const MoveProbability& b) {
    return std::tuple(-a.probability, a.move.bits()) < std::tuple(-b.probability, b.move.bits());
  });
  analysis_.nodes += policy.moves.size();
  const PositionHistory before = history_at(place);
  for (const auto& [move, probability] : policy.moves) {
    PositionHistory history = before;
    history.play(move);
    Node node;
    node.move = move;
    node.san = chess::format_san(before.newest(), move);
    node.position = history.newest();
    node.parent = place.node;
    node.ply = ply;
    node.probability = probability;
    node.cumulative_probability = from.cumulative_probability * probability;
    const Ending ending = ending_of(history, player_);
    if (ending.known) {
      node.kind = NodeKind::terminal;
      node.win_rate = ending.known;
    } else if (ending.repeated) {
      node.kind = NodeKind::repetition;
    } else {
      node.open = true;
    }
    children.push_back(std::move(node));
  }
  return children;
}

void Growth::attach(Place place, std::vector<Node> children) {
  std::vector<Node>& nodes = analysis_.candidates[place.candidate].tree.nodes;
  nodes[place.node].open = false;
  if (children.empty()) return;
  nodes[place.node].kind = NodeKind::inner;
  nodes[place.node].first_child = static_cast<std::uint32_t>(nodes.size());
  nodes[place.node].child_count = static_cast<std::uint32_t>(children.size());
  for (Node& child : children) nodes.push_back(std::move(child));
}

}  // namespace pm::expect
