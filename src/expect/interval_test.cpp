#include "expect/interval.h"

#include <gtest/gtest.h>

namespace pm::expect {
namespace {

// A candidate and replies of these probabilities, searched to this depth.
Tree tree_of(const std::vector<double>& replies, int depth) {
  Tree tree;
  tree.nodes.resize(1 + replies.size());
  Node& candidate = tree.nodes.front();
  candidate.kind = replies.empty() ? NodeKind::leaf : NodeKind::inner;
  candidate.depth = depth;
  candidate.first_child = 1;
  candidate.child_count = static_cast<std::uint32_t>(replies.size());
  for (std::size_t i = 0; i < replies.size(); ++i) {
    Node& reply = tree.nodes[i + 1];
    reply.ply = 2;
    reply.depth = depth;
    reply.probability = reply.cumulative_probability = replies[i];
  }
  return tree;
}

double width(const Tree& tree) {
  const Interval interval = interval_of(tree, .5, {16, true});
  return interval.width();
}

TEST(Interval, is_as_wide_as_the_error_of_a_single_value) {
  EXPECT_NEAR(width(tree_of({}, 10)), 2 * 1.645 * value_error(10), 1e-12);
}

TEST(Interval, narrows_with_depth_and_with_the_number_of_replies) {
  EXPECT_LT(width(tree_of({1}, 14)), width(tree_of({1}, 6)));
  EXPECT_LT(width(tree_of({.25, .25, .25, .25}, 10)), width(tree_of({1}, 10)));
  for (int depth = 1; depth < 30; ++depth) EXPECT_LE(value_error(depth + 1), value_error(depth)) << depth;
}

TEST(Interval, widens_with_what_is_not_followed) { EXPECT_GT(width(tree_of({.5}, 10)), width(tree_of({.5, .5}, 10))); }

TEST(Interval, stays_between_lost_and_won) {
  const Tree tree = tree_of({}, 4);
  EXPECT_EQ(interval_of(tree, .99, {16, true}).high, WinRate(1));
  EXPECT_EQ(interval_of(tree, .01, {16, true}).low, WinRate(0));
}

TEST(Interval, of_a_finished_game_is_a_point) {
  Tree tree = tree_of({}, 0);
  tree.nodes.front().kind = NodeKind::terminal;
  EXPECT_EQ(width(tree), 0);
}

}  // namespace
}  // namespace pm::expect
