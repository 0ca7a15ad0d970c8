#include "expect/likely_blunder.h"

#include <vector>

#include <fmt/format.h>

#include "explain/idea.h"
#include "explain/outcome.h"
#include "explain/trap.h"

namespace pm::expect {
namespace {

constexpr double likely = .1;

// The child the line goes on with: of the analysing player's moves the best, of the others the likeliest.
const Node* next_of(const Tree& tree, const Node& node) {
  const Node* found = nullptr;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    const Node& child = tree.nodes[node.first_child + i];
    if (!child.win_rate || child.kind == NodeKind::pruned) continue;
    if (!is_own_move(child)) return &child;  // they stand in that order
    if (found == nullptr || child.win_rate->value() > found->win_rate->value()) found = &child;
  }
  return found;
}

// The reply that costs people most.
const Node* costliest_reply(const Tree& tree) {
  const Node& root = tree.candidate();
  if (!root.win_rate) return nullptr;
  const Node* found = nullptr;
  double most = 0;
  for (std::uint32_t i = 0; i < root.child_count; ++i) {
    const Node& reply = tree.nodes[root.first_child + i];
    if (!reply.win_rate || reply.probability < likely) continue;
    const double cost = reply.win_rate->value() - root.win_rate->value();
    if (cost < explain::clear_error || cost * reply.probability <= most) continue;
    most = cost * reply.probability;
    found = &reply;
  }
  return found;
}

std::optional<explain::Idea> idea_after(const motif::Line& line, const motif::Step& reply) {
  if (line.ends_in_mate() && line.size() % 2 == 1) {
    return explain::mate_idea(line, static_cast<int>(line.size() + 1) / 2);
  }
  return explain::material_idea(line, explain::outcome_of(line, {}, &reply));
}

}  // namespace

std::optional<LikelyBlunder> likely_blunder(const Tree& tree) {
  const Node* reply = costliest_reply(tree);
  if (reply == nullptr) return std::nullopt;
  std::vector<chess::Move> moves;
  for (const Node* node = next_of(tree, *reply); node != nullptr; node = next_of(tree, *node)) {
    moves.push_back(node->move);
  }
  if (moves.empty()) return std::nullopt;
  const motif::Step step(tree.candidate().position, reply->move);
  auto idea = idea_after(motif::Line(reply->position, moves, step), step);
  if (!idea) return std::nullopt;
  explain::Claim claim = explain::claim_of(explain::ClaimKind::allows, std::move(*idea));
  std::string text = fmt::format("{:.0f}% answer {}, which {}", 100 * reply->probability, reply->san, clause_of(claim));
  return LikelyBlunder{static_cast<std::uint32_t>(reply - tree.nodes.data()), std::move(claim), std::move(text)};
}

}  // namespace pm::expect
