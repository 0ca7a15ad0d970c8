#include "expect/settle.h"

#include <gtest/gtest.h>

namespace pm::expect {
namespace {

const Target target{15, false};

// A candidate whose replies all have these values, searched to a depth.
Candidate candidate_of(const std::vector<double>& replies, int depth, bool open = false) {
  Candidate candidate;
  candidate.tree.nodes.resize(1 + replies.size());
  Node& root = candidate.tree.nodes.front();
  root.kind = NodeKind::inner;
  root.depth = target.depth;
  root.first_child = 1;
  root.child_count = static_cast<std::uint32_t>(replies.size());
  root.win_rate = WinRate(.5);
  for (std::size_t i = 0; i < replies.size(); ++i) {
    Node& reply = candidate.tree.nodes[i + 1];
    reply.ply = 2;
    reply.depth = reply.asked = depth;
    reply.open = open;
    reply.probability = reply.cumulative_probability = 1.0 / static_cast<double>(replies.size());
    reply.win_rate = WinRate(replies[i]);
  }
  candidate.summary = summarise(candidate.tree, Uncovered::local, WinRate(.5));
  candidate.interval = Uncertainty(candidate.tree, target).around(candidate.summary.expected);
  return candidate;
}

Analysis analysis_of(std::vector<Candidate> candidates) {
  Analysis analysis;
  analysis.parameters.threshold = .01;
  analysis.parameters.map = WinRateMap::logistic;
  analysis.candidates = std::move(candidates);
  return analysis;
}

TEST(Settle, IsOverWhenAllIsKnown) {
  const Analysis analysis = analysis_of({candidate_of({.5, .6}, 15), candidate_of({.5, .6}, 15)});
  EXPECT_TRUE(work_for(analysis, target, {}).settled) << "equal moves stay equal";
}

TEST(Settle, IsOverWhenTheLeadIsClearAndIntervalsAreNarrow) {
  const std::vector<double> good(100, .7);
  const std::vector<double> bad(100, .4);
  const Analysis analysis = analysis_of({candidate_of(bad, 14), candidate_of(good, 14)});
  EXPECT_LT(analysis.candidates[0].interval.width(), narrow_enough);
  EXPECT_TRUE(work_for(analysis, target, {}).settled);
}

TEST(Settle, WorksOnWhatIsNotSettledAlone) {
  const std::vector<double> best(100, .7);
  const std::vector<double> close(100, .699);
  const std::vector<double> bad(100, .4);
  const Analysis analysis = analysis_of({candidate_of(bad, 8), candidate_of(best, 8), candidate_of(close, 8)});
  const Work work = work_for(analysis, target, {});
  EXPECT_FALSE(work.settled);
  ASSERT_EQ(work.searches.size(), work_at_once);
  for (const Work::Search& each : work.searches) {
    EXPECT_NE(each.place.candidate, 0U);
    EXPECT_GT(each.depth, 8);
  }
}

TEST(Settle, NarrowsWideIntervalsOfMovesThatAreFarBehind) {
  const Analysis analysis = analysis_of({candidate_of({.9}, 15), candidate_of({.2}, 8)});
  const Work work = work_for(analysis, target, {});
  ASSERT_EQ(work.searches.size(), 1U);
  EXPECT_EQ(work.searches[0].place, (Place{1, 1}));
}

TEST(Settle, FollowsTheLikeliestLinesFirst) {
  Candidate candidate = candidate_of({.5, .5}, 15, true);
  candidate.tree.nodes[1].probability = candidate.tree.nodes[1].cumulative_probability = .9;
  candidate.tree.nodes[2].probability = candidate.tree.nodes[2].cumulative_probability = .1;
  candidate.interval = Uncertainty(candidate.tree, target).around(.5);
  const Work work = work_for(analysis_of({candidate}), target, {});
  ASSERT_EQ(work.growing.size(), 2U);
  EXPECT_EQ(work.growing[0], (Place{0, 1}));
  EXPECT_TRUE(work.searches.empty());
}

TEST(Settle, LeavesAloneWhatIsInFlight) {
  const Analysis analysis = analysis_of({candidate_of({.9}, 8)});
  EXPECT_EQ(work_for(analysis, target, {}).searches.size(), 1U);
  const Work work = work_for(analysis, target, {{0, 1}});
  EXPECT_TRUE(work.searches.empty());
  EXPECT_FALSE(work.settled) << "the answer may change that";
}

TEST(Settle, DoesNotFollowWhatThePlayerWouldNotPlay) {
  Candidate candidate = candidate_of({.5}, 15, true);
  candidate.tree.nodes[1].kind = NodeKind::pruned;
  candidate.interval = Uncertainty(candidate.tree, target).around(.5);
  EXPECT_EQ(candidate.interval.width(), 0);
  EXPECT_TRUE(work_for(analysis_of({candidate}), target, {}).settled);
}

TEST(Settle, GoesFromAGlanceToTheFullDepth) {
  EXPECT_EQ(first_depth(15), 8);
  EXPECT_EQ(first_depth(5), 5);
  EXPECT_EQ(next_depth(0, 15), 8);
  EXPECT_EQ(next_depth(8, 15), 15);
  EXPECT_EQ(next_depth(8, 20), 14) << "half way, where it is far";
  EXPECT_EQ(next_depth(14, 20), 20);
  EXPECT_EQ(next_depth(8, 9), 9);
  EXPECT_EQ(next_depth(15, 15), std::nullopt);
  EXPECT_EQ(next_depth(20, 15), std::nullopt);
}

}  // namespace
}  // namespace pm::expect
