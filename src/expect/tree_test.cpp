#include "expect/tree.h"

#include <gtest/gtest.h>

#include <random>

namespace pm::expect {
namespace {

// Trees written by hand: parents before children, children side by side.
std::uint32_t add_children(Tree& tree, std::uint32_t parent, const std::vector<double>& probabilities) {
  const auto first = static_cast<std::uint32_t>(tree.nodes.size());
  tree.nodes[parent].kind = NodeKind::inner;
  tree.nodes[parent].first_child = first;
  tree.nodes[parent].child_count = static_cast<std::uint32_t>(probabilities.size());
  for (const double p : probabilities) {
    Node node;
    node.parent = parent;
    node.ply = tree.nodes[parent].ply + 1;
    node.probability = p;
    node.cumulative_probability = tree.nodes[parent].cumulative_probability * p;
    tree.nodes.push_back(node);
  }
  return first;
}

Tree with_candidate(double win_rate) {
  Tree tree;
  tree.nodes.emplace_back();
  tree.nodes[0].win_rate = WinRate(win_rate);
  return tree;
}

constexpr WinRate no_pruning{0};

TEST(Tree, ALoneCandidateIsWorthWhatTheEngineSays) {
  const TreeSummary s = summarise(with_candidate(0.6), Uncovered::local, WinRate(0.9));
  EXPECT_DOUBLE_EQ(s.expected, 0.6);
  EXPECT_DOUBLE_EQ(s.raw, 0.6);
  EXPECT_DOUBLE_EQ(s.leaf_mass, 1);
  EXPECT_DOUBLE_EQ(s.confidence, 0);
  EXPECT_DOUBLE_EQ(s.tree_depth, 1);
  EXPECT_EQ(s.branches, 1U);
}

// Candidate .6; replies .5 (worth .7) and .3 (worth .4); below the first an answer of .8 (worth .9).
Tree small_tree() {
  Tree tree = with_candidate(0.6);
  const auto replies = add_children(tree, 0, {0.5, 0.3});
  const auto answer = add_children(tree, replies, {0.8});
  set_win_rate(tree, replies, WinRate(0.7), no_pruning);
  set_win_rate(tree, replies + 1, WinRate(0.4), no_pruning);
  set_win_rate(tree, answer, WinRate(0.9), no_pruning);
  return tree;
}

TEST(Tree, ValuesTheUnlikelyWhereItWouldBePlayed) {
  const TreeSummary s = summarise(small_tree(), Uncovered::local, WinRate(0.8));
  // .2 is dropped at the candidate, .5 * .2 at the first reply; leaves: .3 and .5 * .8.
  EXPECT_NEAR(s.expected, 0.2 * 0.6 + 0.1 * 0.7 + 0.3 * 0.4 + 0.4 * 0.9, 1e-12);
  EXPECT_NEAR(s.raw, 0.3 * 0.4 + 0.4 * 0.9, 1e-12);
  EXPECT_NEAR(s.leaf_mass, 0.7, 1e-12);
  EXPECT_NEAR(s.confidence, 0.4, 1e-12);
  EXPECT_NEAR(s.tree_depth, 0.2 * 1 + 0.1 * 2 + 0.3 * 2 + 0.4 * 3, 1e-12);
  EXPECT_EQ(s.max_depth, 3);
  EXPECT_EQ(s.branches, 2U);
}

TEST(Tree, FollowsTheLiteralFormulaInTheOtherModes) {
  const TreeSummary candidate = summarise(small_tree(), Uncovered::candidate, WinRate(0.8));
  EXPECT_NEAR(candidate.expected, candidate.raw + (1 - candidate.leaf_mass) * 0.6, 1e-12);
  const TreeSummary root = summarise(small_tree(), Uncovered::root, WinRate(0.8));
  EXPECT_NEAR(root.expected, root.raw + (1 - root.leaf_mass) * 0.8, 1e-12);
}

TEST(Tree, PrunesTheAnalysingPlayersOwnErrorsOnly) {
  Tree tree = with_candidate(0.6);
  const auto reply = add_children(tree, 0, {1.0});
  const auto answers = add_children(tree, reply, {0.5, 0.5});
  const auto below = add_children(tree, answers, {1.0});
  const WinRate least(0.5);
  set_win_rate(tree, reply, WinRate(0.3), least);
  EXPECT_EQ(tree.nodes[reply].kind, NodeKind::inner) << "the opponent's moves are followed whatever they are worth";
  set_win_rate(tree, answers, WinRate(0.27), least);
  EXPECT_EQ(tree.nodes[answers].kind, NodeKind::pruned);
  EXPECT_EQ(tree.nodes[answers].reason, PruneReason::analyzing_player_blunder);
  set_win_rate(tree, answers + 1, WinRate(0.29), least);
  EXPECT_EQ(tree.nodes[answers + 1].reason, PruneReason::below_threshold) << "it fell by .01 only";
  const TreeSummary s = summarise(tree, Uncovered::local, WinRate(0.6));
  EXPECT_NEAR(s.expected, 0.5 * 0.27 + 0.5 * 0.29, 1e-12);
  EXPECT_EQ(s.pending_mass, 0) << "what is below a pruned node is not waited for";
  EXPECT_EQ(s.branches, 2U);
  // A better look takes it back.
  set_win_rate(tree, answers, WinRate(0.6), least);
  EXPECT_EQ(tree.nodes[answers].kind, NodeKind::inner);
  EXPECT_EQ(tree.nodes[answers].reason, PruneReason::none);
  EXPECT_NEAR(summarise(tree, Uncovered::local, WinRate(0.6)).pending_mass, 0.5, 1e-12);
  EXPECT_FALSE(tree.nodes[below].win_rate);
}

TEST(Tree, NeverPrunesTheCandidate) {
  Tree tree = with_candidate(0.1);
  set_win_rate(tree, 0, WinRate(0.1), WinRate(0.5));
  EXPECT_EQ(tree.nodes[0].kind, NodeKind::leaf);
}

TEST(Tree, BoundsWhatIsNotKnownYet) {
  Tree tree = with_candidate(0.6);
  const auto replies = add_children(tree, 0, {0.5, 0.3});
  set_win_rate(tree, replies, WinRate(0.7), no_pruning);
  const TreeSummary s = summarise(tree, Uncovered::local, WinRate(0.8));
  EXPECT_NEAR(s.pending_mass, 0.3, 1e-12);
  EXPECT_NEAR(s.lower, 0.2 * 0.6 + 0.5 * 0.7, 1e-12);
  EXPECT_NEAR(s.upper, s.lower + 0.3, 1e-12);
  EXPECT_NEAR(s.expected, (s.lower + s.upper) / 2, 1e-12);
}

TEST(Tree, HandsTheMassOfAFailedNodeToItsParent) {
  Tree tree = small_tree();
  tree.nodes[2].win_rate.reset();  // the reply of .3
  tree.nodes[2].unevaluated = true;
  const TreeSummary s = summarise(tree, Uncovered::local, WinRate(0.8));
  EXPECT_NEAR(s.unevaluated_mass, 0.3, 1e-12);
  EXPECT_EQ(s.pending_mass, 0);
  EXPECT_NEAR(s.expected, 0.2 * 0.6 + 0.1 * 0.7 + 0.3 * 0.6 + 0.4 * 0.9, 1e-12);
}

TEST(Tree, CountsLinesThatEndEarlyAsFollowed) {
  Tree tree = with_candidate(0.6);
  const auto replies = add_children(tree, 0, {0.5, 0.2, 0.2});
  tree.nodes[replies].kind = NodeKind::terminal;
  tree.nodes[replies + 1].kind = NodeKind::repetition;
  EXPECT_NEAR(summarise(tree, Uncovered::local, WinRate(0.6)).confidence, 0.7, 1e-12);
}

TEST(Tree, NamesConfidence) {
  EXPECT_STREQ(confidence_label(0.81), "High");
  EXPECT_STREQ(confidence_label(0.8), "Medium");
  EXPECT_STREQ(confidence_label(0.6), "Medium");
  EXPECT_STREQ(confidence_label(0.59), "Low");
}

// Random trees, evaluated, pruned and failed at random: what must hold of all of them.
TEST(Tree, KeepsItsInvariants) {
  std::mt19937 random(5);
  const auto real = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  for (int round = 0; round < 300; ++round) {
    const double threshold = 0.02 + 0.2 * real();
    const bool drops = round % 3 != 0;
    Tree tree = with_candidate(real());
    for (std::uint32_t at = 0; at < tree.nodes.size() && tree.nodes.size() < 2000; ++at) {
      std::vector<double> kept;
      double rest = 1;
      for (int i = 0; i < 4 && rest > 0; ++i) {
        const double p = i == 3 && !drops ? rest : rest * real();
        rest -= p;
        if (tree.nodes[at].cumulative_probability * p >= threshold) kept.push_back(p);
        if (tree.nodes[at].cumulative_probability * p < threshold && !drops) kept.clear(), rest = 0;
      }
      double sum = 0;
      for (const double p : kept) sum += p;
      if (!kept.empty() && (drops || sum > 1 - 1e-9)) add_children(tree, at, kept);
    }
    for (std::uint32_t at = 1; at < tree.nodes.size(); ++at) {
      set_win_rate(tree, at, WinRate(real()), WinRate(0.3));
      if (real() < 0.05) {
        tree.nodes[at].win_rate.reset();
        tree.nodes[at].unevaluated = true;
      }
    }
    double mass = 0;
    for (const std::uint32_t at : counted_nodes(tree)) mass += valued_mass(tree, at);
    EXPECT_NEAR(mass, 1, 1e-9);
    const TreeSummary local = summarise(tree, Uncovered::local, WinRate(0.7));
    EXPECT_LE(static_cast<double>(local.branches), 1 / threshold + 1);
    EXPECT_LE(local.raw, local.leaf_mass + 1e-12);
    EXPECT_GE(local.expected, 0);
    EXPECT_LE(local.expected, 1);
    EXPECT_LE(local.confidence, 1 + 1e-9);
    if (!drops) {
      EXPECT_NEAR(local.expected, summarise(tree, Uncovered::candidate, WinRate(0.7)).expected, 1e-9);
      EXPECT_NEAR(local.expected, summarise(tree, Uncovered::root, WinRate(0.7)).expected, 1e-9);
    }
  }
}

// What is pruned follows from the last values, in whatever order they came; and nothing is said of what lies below.
TEST(Tree, DecidesAgainAndHidesWhatDoesNotCount) {
  Tree tree = with_candidate(0.6);
  const auto reply = add_children(tree, 0, {1.0});
  const auto answer = add_children(tree, reply, {0.9, 0.1});
  const auto below = add_children(tree, answer, {1.0});
  set_win_rate(tree, answer, WinRate(0.3), WinRate(0.5));
  set_win_rate(tree, below, WinRate(0.2), WinRate(0.5));
  EXPECT_EQ(tree.nodes[answer].reason, PruneReason::below_threshold);  // of the reply nothing is known
  set_win_rate(tree, reply, WinRate(0.6), WinRate(0.5));
  decide_again(tree, WinRate(0.5));
  EXPECT_EQ(tree.nodes[answer].kind, NodeKind::pruned);
  EXPECT_EQ(tree.nodes[answer].reason, PruneReason::analyzing_player_blunder);
  hide_below_pruned(tree);
  EXPECT_FALSE(tree.nodes[below].win_rate);
  EXPECT_TRUE(tree.nodes[answer].win_rate);
  EXPECT_TRUE(tree.nodes[reply].win_rate);
  decide_again(tree, WinRate(0.2));
  EXPECT_EQ(tree.nodes[answer].kind, NodeKind::inner);
  EXPECT_EQ(tree.nodes[answer].reason, PruneReason::none);
}

TEST(Parameters, FallFromFullDepthToEight) {
  EXPECT_EQ(fast_depth(15, 1), 15);
  EXPECT_EQ(fast_depth(15, 0.05), 15);
  EXPECT_EQ(fast_depth(15, 0.0499), 10);
  EXPECT_EQ(fast_depth(15, 0.016), 9);  // half-way in the logarithm
  EXPECT_EQ(fast_depth(15, 0.005), 8);
  EXPECT_EQ(fast_depth(15, 0.001), 8);
  EXPECT_EQ(fast_depth(6, 0.001), 6);
  EXPECT_EQ(glance_depth(15, 1), 10);
  EXPECT_EQ(glance_depth(6, 1), 6);
}

TEST(Parameters, AreRefusedWithWhatIsAccepted) {
  const auto sentence = [](auto change) {
    Parameters p;
    change(p);
    const auto checked = check(p);
    return checked ? std::string("accepted") : checked.error().sentence;
  };
  EXPECT_EQ(sentence([](Parameters&) {}), "accepted");
  EXPECT_EQ(sentence([](Parameters& p) { p.threshold = 0; }),
            "threshold: expected a probability above 0 and up to 1, found 0");
  EXPECT_EQ(sentence([](Parameters& p) { p.loss = 0.1; }),
            "loss: expected 0 or a negative number such as -0.1, found 0.1, which is positive");
  EXPECT_EQ(sentence([](Parameters& p) { p.loss = -1.5; }), "loss: expected -1 to 0, found -1.5");
  EXPECT_EQ(sentence([](Parameters& p) { p.depth = 61; }), "depth: expected 1 to 60, found 61");
}

}  // namespace
}  // namespace pm::expect
