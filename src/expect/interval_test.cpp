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
  candidate.win_rate = WinRate(.5);
  candidate.first_child = 1;
  candidate.child_count = static_cast<std::uint32_t>(replies.size());
  for (std::size_t i = 0; i < replies.size(); ++i) {
    Node& reply = tree.nodes[i + 1];
    reply.ply = 2;
    reply.depth = depth;
    reply.win_rate = WinRate(.5);
    reply.probability = reply.cumulative_probability = replies[i];
  }
  return tree;
}

double width(const Tree& tree) { return Uncertainty(tree, {16, true}).around(.5).width(); }

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
  EXPECT_EQ(Uncertainty(tree, {16, true}).around(.99).high, WinRate(1));
  EXPECT_EQ(Uncertainty(tree, {16, true}).around(.01).low, WinRate(0));
}

// Forty replies at depth 8 do not make up for the depth: part of what shallow searches do not see is the same in all.
TEST(Interval, keeps_what_is_common_to_all_positions) {
  const Target full{15, false};
  const Tree few = tree_of(std::vector<double>(10, .1), 8);
  const Tree many = tree_of(std::vector<double>(1000, .001), 8);
  const double one = value_error(8, 15, .5);
  EXPECT_LT(Uncertainty(many, full).around(.5).width(), Uncertainty(few, full).around(.5).width());
  EXPECT_GT(Uncertainty(many, full).around(.5).width(), .4 * 2 * ninety_percent * one);
  EXPECT_NEAR(Uncertainty(tree_of({1}, 8), full).around(.5).width(), 2 * ninety_percent * one, 1e-12);
}

// A move of the player's own near the border, and what is below it.
Tree tree_with_own_move(double win_rate, int depth) {
  Tree tree = tree_of({1}, 15);
  tree.nodes.resize(4);
  tree.nodes[0].win_rate = tree.nodes[1].win_rate = WinRate(.6);
  tree.nodes[1].kind = tree.nodes[2].kind = NodeKind::inner;
  tree.nodes[1].first_child = 2;
  tree.nodes[1].child_count = 1;
  tree.nodes[2].parent = 1;
  tree.nodes[2].ply = 3;
  tree.nodes[2].first_child = 3;
  tree.nodes[2].child_count = 1;
  tree.nodes[2].depth = depth;
  tree.nodes[2].win_rate = WinRate(win_rate);
  tree.nodes[3].parent = 2;
  tree.nodes[3].ply = 4;
  tree.nodes[3].depth = 15;
  tree.nodes[3].win_rate = WinRate(.8);
  return tree;
}

TEST(Interval, allows_for_moves_that_may_yet_be_pruned) {
  const Target full{15, false, 1, 1, WinRate(.5)};
  const auto width_of = [&](const Tree& tree) { return Uncertainty(tree, full).around(.5).width(); };
  EXPECT_GT(width_of(tree_with_own_move(.51, 8)), .1) << "pruned, it is worth .5; followed, .8";
  EXPECT_LT(width_of(tree_with_own_move(.7, 8)), .01);
  EXPECT_EQ(width_of(tree_with_own_move(.51, 15)), 0) << "it is decided";
  EXPECT_EQ(Uncertainty(tree_with_own_move(.51, 8), {15, false}).around(.5).width(), 0) << "nothing is pruned";
  const Tree near = tree_with_own_move(.51, 8);
  EXPECT_GT(Uncertainty(near, full).gone_by_searching(2, 15), 0);
  Tree pruned = tree_with_own_move(.49, 8);
  pruned.nodes[2].kind = NodeKind::pruned;
  EXPECT_GT(width_of(pruned), .1) << "it may yet be followed";
}

TEST(Interval, is_wider_by_a_steeper_map_and_of_another_engine) {
  Tree tree = tree_of({}, 8);
  tree.nodes.front().win_rate = WinRate(.5);
  const auto width_of = [&](const Target& target) { return Uncertainty(tree, target).around(.5).width(); };
  const double plain = width_of({15, false});
  EXPECT_NEAR(width_of({15, false, 1.5}), 1.5 * plain, 1e-12);
  EXPECT_NEAR(width_of({15, false, 1, 2}), 2 * plain, 1e-12);
  tree.nodes.front().win_rate = WinRate(1);
  EXPECT_EQ(width_of({15, false, 1, 2}), 0) << "a mate is a mate";
}

// Where half of the replies turned out better than they had seemed, so will the others.
TEST(Interval, learns_from_what_deeper_searches_have_changed) {
  const Target full{15, false};
  Tree tree = tree_of(std::vector<double>(20, .05), 8);
  const Uncertainty before(tree, full);
  EXPECT_EQ(before.drift(), 0);
  for (std::uint32_t at = 1; at <= 10; ++at) {
    tree.nodes[at].before.emplace(8, WinRate(.5));
    tree.nodes[at].win_rate = WinRate(.54);
    tree.nodes[at].depth = 15;
  }
  const Uncertainty after(tree, full);
  EXPECT_GT(after.drift(), .01) << "of .02, were it certain";
  EXPECT_LT(after.drift(), .02);
  EXPECT_LT(after.around(.5).width(), before.around(.5).width());
  EXPECT_GT(after.gone_by_searching(11, 15), 0);
  EXPECT_NEAR(Uncertainty(tree, {15, true}).drift(), 0, 0) << "the whole truth is not about this depth";
  tree.nodes[1].win_rate = WinRate(1);
  EXPECT_LT(Uncertainty(tree, full).drift(), .02) << "one mate does not say much of the others";
}

TEST(Interval, of_a_finished_game_is_a_point) {
  Tree tree = tree_of({}, 0);
  tree.nodes.front().kind = NodeKind::terminal;
  EXPECT_EQ(width(tree), 0);
}

}  // namespace
}  // namespace pm::expect
