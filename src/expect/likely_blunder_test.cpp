#include "expect/likely_blunder.h"

#include <gtest/gtest.h>

#include "chess/san.h"

namespace pm::expect {
namespace {

// 1. e4 e5 2. Qh5, and trees below it written by hand: each node with one child.
class EarlyQueenTree {
 public:
  EarlyQueenTree() {
    chess::Position position = chess::Position::start();
    for (const char* san : {"e4", "e5"}) position.play(chess::parse_san(position, san).value());
    add(position, "Qh5", 1, .5);
  }
  EarlyQueenTree& then(const char* san, double probability, double win_rate) {
    Node& parent = tree.nodes.back();
    parent.kind = NodeKind::inner;
    parent.child_count = 1;
    parent.first_child = static_cast<std::uint32_t>(tree.nodes.size());
    const chess::Position before = parent.position;
    add(before, san, probability, win_rate);
    return *this;
  }

  Tree tree;

 private:
  void add(const chess::Position& before, const char* san, double probability, double win_rate) {
    Node node;
    node.move = chess::parse_san(before, san).value();
    node.san = san;
    node.position = before.after(node.move);
    node.ply = static_cast<int>(tree.nodes.size()) + 1;
    node.probability = probability;
    node.win_rate = WinRate(win_rate);
    tree.nodes.push_back(std::move(node));
  }
};

TEST(LikelyBlunder, says_what_the_likely_reply_loses) {
  const EarlyQueenTree queen =
      EarlyQueenTree().then("g6", .6, .9).then("Qxe5+", .9, .9).then("Qe7", .7, .9).then("Qxh8", .9, .9);
  const auto blunder = likely_blunder(queen.tree);
  ASSERT_TRUE(blunder);
  EXPECT_EQ(blunder->node, 1U);
  EXPECT_EQ(blunder->text, "60% answer g6, which allows Qxe5+, forking king and rook.");
  EXPECT_EQ(blunder->claim.motif, "fork");
}

TEST(LikelyBlunder, names_a_mate) {
  const EarlyQueenTree queen =
      EarlyQueenTree().then("Nc6", .3, .5).then("Bc4", .5, .5).then("Nf6", .5, .99).then("Qxf7#", 1, 1);
  EXPECT_FALSE(likely_blunder(queen.tree)) << "the reply itself is none";
  const EarlyQueenTree king = EarlyQueenTree().then("Ke7", .2, 1).then("Qxe5#", 1, 1);
  const auto blunder = likely_blunder(king.tree);
  ASSERT_TRUE(blunder);
  EXPECT_EQ(blunder->text, "20% answer Ke7, which allows Qxe5#, mate.");
}

TEST(LikelyBlunder, is_silent_about_what_is_unlikely_or_cannot_be_shown) {
  EXPECT_FALSE(likely_blunder(EarlyQueenTree().tree));
  EXPECT_FALSE(likely_blunder(EarlyQueenTree().then("g6", .05, .9).then("Qxe5+", .9, .9).tree));
  EXPECT_FALSE(likely_blunder(EarlyQueenTree().then("g6", .6, .55).then("Qxe5+", .9, .55).tree));
  EXPECT_FALSE(likely_blunder(EarlyQueenTree().then("g6", .6, .9).tree)) << "no line";
  EXPECT_FALSE(likely_blunder(EarlyQueenTree().then("a6", .6, .9).then("Qd1", .9, .9).tree)) << "nothing is lost";
}

}  // namespace
}  // namespace pm::expect
