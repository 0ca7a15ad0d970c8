#include "expect/tree.h"

#include <algorithm>
#include <cassert>

namespace pm::expect {
namespace {

constexpr double blunder_fall = 0.02;  // docs/expected-winrate.md 2, step 4
constexpr double high_confidence = 0.8;
constexpr double medium_confidence = 0.6;
constexpr int answered_ply = 3;  // candidate, reply, answer

bool counts_as_leaf(const Node& node) { return node.kind != NodeKind::inner; }

// The node itself, or the nearest one above it whose evaluation did not fail; nothing when that is still to come, or
// when all failed.
const Node* valued_at(const Tree& tree, std::uint32_t at) {
  const Node* node = &tree.nodes[at];
  while (node->unevaluated && node->parent != at) {
    at = node->parent;
    node = &tree.nodes[at];
  }
  return node->win_rate ? node : nullptr;
}

// A path is followed to its end when it reaches the answer to the reply, or ends before by itself.
bool is_followed(const Node& node) {
  if (node.ply == answered_ply) return true;
  return node.ply < answered_ply && (node.kind == NodeKind::terminal || node.kind == NodeKind::repetition);
}

}  // namespace

const char* word_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::inner: return "inner";
    case NodeKind::leaf: return "leaf";
    case NodeKind::terminal: return "terminal";
    case NodeKind::repetition: return "repetition";
    default: return "pruned";
  }
}

const char* word_of(PruneReason reason) {
  switch (reason) {
    case PruneReason::analyzing_player_blunder: return "analyzing_player_blunder";
    case PruneReason::below_threshold: return "below_threshold";
    default: return "";
  }
}

void set_win_rate(Tree& tree, std::uint32_t at, WinRate win_rate, WinRate least) {
  Node& node = tree.nodes[at];
  node.win_rate = win_rate;
  node.unevaluated = false;
  if (node.kind == NodeKind::terminal || node.kind == NodeKind::repetition) return;
  const bool prune = at != 0 && is_own_move(node) && win_rate.value() < least.value() - win_rate_slack;
  if (!prune) {
    node.kind = node.child_count > 0 ? NodeKind::inner : NodeKind::leaf;
    node.reason = PruneReason::none;
    return;
  }
  const std::optional<WinRate>& before = tree.nodes[node.parent].win_rate;
  const bool fell = before && before->value() - win_rate.value() > blunder_fall;
  node.kind = NodeKind::pruned;
  node.reason = fell ? PruneReason::analyzing_player_blunder : PruneReason::below_threshold;
}

void decide_again(Tree& tree, WinRate least) {
  for (std::uint32_t at = 0; at < tree.nodes.size(); ++at) {
    if (const auto win_rate = tree.nodes[at].win_rate) set_win_rate(tree, at, *win_rate, least);
  }
}

void hide_below_pruned(Tree& tree) {
  std::vector<bool> hidden(tree.nodes.size());
  for (std::uint32_t at = 1; at < tree.nodes.size(); ++at) {  // parents before children
    Node& node = tree.nodes[at];
    hidden[at] = hidden[node.parent] || tree.nodes[node.parent].kind == NodeKind::pruned;
    if (!hidden[at] || node.kind == NodeKind::terminal) continue;
    node.win_rate.reset();
    node.unevaluated = false;
    if (node.kind == NodeKind::pruned) node.kind = node.child_count > 0 ? NodeKind::inner : NodeKind::leaf;
    node.reason = PruneReason::none;
  }
}

std::vector<std::uint32_t> counted_nodes(const Tree& tree) {
  std::vector<std::uint32_t> counted{0};
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const Node& node = tree.nodes[counted[i]];
    if (counts_as_leaf(node)) continue;
    for (std::uint32_t child = 0; child < node.child_count; ++child) counted.push_back(node.first_child + child);
  }
  return counted;
}

double valued_mass(const Tree& tree, std::uint32_t at) {
  const Node& node = tree.nodes[at];
  if (counts_as_leaf(node)) return node.cumulative_probability;
  double kept = 0;
  for (std::uint32_t child = 0; child < node.child_count; ++child) {
    kept += tree.nodes[node.first_child + child].probability;
  }
  return node.cumulative_probability * std::max(0.0, 1 - kept);
}

TreeSummary summarise(const Tree& tree, Uncovered uncovered, WinRate base) {
  TreeSummary summary;
  summary.pending_mass = 0;
  summary.tree_depth = 0;
  double local = 0;
  double pending_leaves = 0;
  for (const std::uint32_t at : counted_nodes(tree)) {
    const Node& node = tree.nodes[at];
    const double mass = valued_mass(tree, at);
    const Node* valued = valued_at(tree, at);
    if (valued == nullptr) {
      summary.pending_mass += mass;
    } else {
      local += mass * valued->win_rate->value();
      if (valued != &node) summary.unevaluated_mass += mass;
    }
    if (counts_as_leaf(node)) {
      summary.leaf_mass += mass;
      ++summary.branches;
      if (valued == nullptr) {
        pending_leaves += mass;
      } else {
        summary.raw += mass * valued->win_rate->value();
      }
    }
    summary.tree_depth += mass * node.ply;
    summary.max_depth = std::max(summary.max_depth, node.ply);
    if (is_followed(node)) summary.confidence += node.cumulative_probability;
  }
  if (uncovered == Uncovered::local) {
    summary.lower = local;
    summary.upper = local + summary.pending_mass;
  } else {
    const std::optional<WinRate> rest = uncovered == Uncovered::root ? base : tree.candidate().win_rate;
    const double dropped = std::max(0.0, 1 - summary.leaf_mass);
    summary.lower = summary.raw + (rest ? dropped * rest->value() : 0);
    summary.upper = summary.raw + pending_leaves + (rest ? dropped * rest->value() : dropped);
  }
  summary.confidence = std::min(summary.confidence, 1.0);  // of rounding
  summary.lower = std::clamp(summary.lower, 0.0, 1.0);
  summary.upper = std::clamp(summary.upper, 0.0, 1.0);
  summary.expected = summary.pending_mass > probability_slack ? (summary.lower + summary.upper) / 2 : summary.lower;
  return summary;
}

const char* confidence_label(double confidence) {
  if (confidence > high_confidence) return "High";
  return confidence >= medium_confidence ? "Medium" : "Low";
}

}  // namespace pm::expect
