// Small analyses worked out by hand, with a model and an engine that answer from tables.
#include "expect/analysis.h"

#include <gtest/gtest.h>

#include <random>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/fake_evaluator.h"
#include "human/fake_model.h"

namespace pm::expect {
namespace {

using chess::Position;
using chess::PositionHistory;
using human::FakeModel;

constexpr const char* start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Position position_of(const std::string& fen) { return chess::parse_fen(fen).value(); }

Position after(Position position, const std::vector<const char*>& sans) {
  for (const char* san : sans) position.play(chess::parse_san(position, san).value());
  return position;
}

void tell(FakeModel& model, const Position& position, const std::vector<std::pair<const char*, double>>& weights) {
  std::map<std::uint16_t, double> by_bits;
  for (const auto& [san, weight] : weights) by_bits[chess::parse_san(position, san)->bits()] = weight;
  model.set(chess::format_fen(position), by_bits);
}

double w(int centipawns) { return score::win_rate(score::Centipawns{centipawns}, score::lichess_slope).value(); }

// Whole trees, in which centipawns are easily told.
class AnalysisTest : public testing::Test {
 protected:
  AnalysisTest() {
    parameters.effort = Effort::exact;
    parameters.map = WinRateMap::logistic;
    parameters.pruning = Pruning::player;
  }
  Analysis run(const chess::PositionHistory& history, const OnProgress& on_progress = {}) {
    return analyse({history, parameters, only, {}}, model, engine, on_progress, engine.source.get_token());
  }
  Analysis run(const std::string& fen) { return run(chess::PositionHistory(position_of(fen))); }
  void worth(const Position& position, int centipawns) { engine.centipawns[chess::format_fen(position)] = centipawns; }
  void only_san(const std::string& fen, const char* san) { only = {chess::parse_san(position_of(fen), san).value()}; }

  Parameters parameters;
  std::vector<chess::Move> only;
  FakeModel model;
  engine::FakeEvaluator engine;
};

const Node& child(const Tree& tree, const Node& node, const char* san) {
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    if (tree.nodes[node.first_child + i].san == san) return tree.nodes[node.first_child + i];
  }
  ADD_FAILURE() << "no child " << san;
  return tree.nodes.front();
}

TEST_F(AnalysisTest, AddsUpASmallTree) {
  const Position start = position_of(start_fen);
  parameters.threshold = 0.25;
  only_san(start_fen, "e4");
  tell(model, start, {{"e4", 0.7}, {"d4", 0.3}});
  tell(model, after(start, {"e4"}), {{"e5", 0.5}, {"c5", 0.3}, {"a6", 0.2}});
  tell(model, after(start, {"e4", "e5"}), {{"Nf3", 0.6}, {"f4", 0.4}});
  tell(model, after(start, {"e4", "c5"}), {{"Nf3", 1}});
  worth(after(start, {"e4"}), 30);
  worth(after(start, {"e4", "e5"}), 40);
  worth(after(start, {"e4", "c5"}), 20);
  worth(after(start, {"e4", "e5", "Nf3"}), 50);
  worth(after(start, {"e4", "c5", "Nf3"}), 60);
  const Analysis a = run(start_fen);
  ASSERT_EQ(a.phase, Phase::complete) << a.error;
  ASSERT_EQ(a.candidates.size(), 1U);
  const Candidate& e4 = a.candidates[0];
  EXPECT_EQ(e4.san, "e4");
  EXPECT_EQ(e4.uci, "e2e4");
  EXPECT_DOUBLE_EQ(e4.human_probability, 0.7);
  EXPECT_NEAR(e4.summary.expected, 0.2 * w(30) + 0.2 * w(40) + 0.3 * w(50) + 0.3 * w(60), 1e-12);
  EXPECT_NEAR(e4.summary.leaf_mass, 0.6, 1e-12);
  EXPECT_NEAR(e4.summary.confidence, 0.6, 1e-12);
  EXPECT_TRUE(e4.is_final);
  EXPECT_TRUE(a.history_known);
  EXPECT_EQ(a.base->value(), w(30));
}

TEST_F(AnalysisTest, KeepsTheMovesNotTooFarBelowTheBest) {
  const Position start = position_of(start_fen);
  engine.otherwise = [](const engine::Question&) { return -300; };
  worth(after(start, {"e4"}), 30);
  worth(after(start, {"d4"}), 20);
  worth(after(start, {"Nf3"}), -80);  // .1 and a little below the best
  worth(after(start, {"c4"}), -78);   // just within
  const Analysis a = run(start_fen);
  std::vector<std::string> sans;
  sans.reserve(a.candidates.size());
  for (const Candidate& c : a.candidates) sans.push_back(c.san);
  EXPECT_EQ(sans, (std::vector<std::string>{"e4", "d4", "c4"}));
  EXPECT_GE(w(-78), w(30) - 0.1);
  EXPECT_LT(w(-80), w(30) - 0.1);
}

TEST_F(AnalysisTest, RanksEqualsByTheirText) {
  const Analysis a = run(start_fen);
  ASSERT_EQ(a.candidates.size(), 20U);
  EXPECT_TRUE(std::is_sorted(a.candidates.begin(), a.candidates.end(),
                             [](const Candidate& x, const Candidate& y) { return x.uci < y.uci; }));
}

TEST_F(AnalysisTest, KnowsMatesForBothSides) {
  // 1.f3 e5 2.g4: Black mates at once; White is the analysing player of the position before.
  const Position start = position_of("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2");
  const std::string fen = chess::format_fen(start);
  only_san(fen, "g4");
  tell(model, after(start, {"g4"}), {{"Qh4", 0.6}, {"d6", 0.4}});
  const Analysis lost = run(fen);
  const Tree& tree = lost.candidates[0].tree;
  const Node& mate = child(tree, tree.nodes[0], "Qh4#");
  EXPECT_EQ(mate.kind, NodeKind::terminal);
  EXPECT_EQ(mate.win_rate->value(), 0);
  const Position black = after(start, {"g4"});
  only_san(chess::format_fen(black), "Qh4#");
  const Analysis won = run(chess::format_fen(black));
  EXPECT_EQ(won.candidates[0].summary.expected, 1);
  EXPECT_EQ(won.candidates[0].summary.confidence, 1);
  EXPECT_EQ(won.candidates[0].tree.nodes[0].kind, NodeKind::terminal);
}

TEST_F(AnalysisTest, KnowsDrawsWithoutTheEngine) {
  // Qc7 is stalemate; taking the last man leaves bare kings.
  const std::string fen = "k7/8/8/2Q5/8/8/8/K7 w - - 0 1";
  only_san(fen, "Qc7");
  const Analysis stalemate = run(fen);
  EXPECT_EQ(stalemate.candidates[0].tree.nodes[0].kind, NodeKind::terminal);
  EXPECT_EQ(stalemate.candidates[0].engine_win_rate->value(), 0.5);
  const std::string bare = "8/8/8/8/8/2k5/1r6/K7 w - - 0 1";
  const Analysis one = run(bare);
  EXPECT_EQ(one.candidates.size(), 0U) << "mated? no: Kxb2 is illegal, and a1 has no other move";
  EXPECT_EQ(one.empty_reason, "stalemate");
}

TEST_F(AnalysisTest, KnowsFiftyMoves) {
  const std::string fen = "7k/8/8/8/8/8/8/KR6 w - - 98 80";
  only_san(fen, "Rb2");
  parameters.threshold = 0.3;
  const Position start = position_of(fen);
  tell(model, after(start, {"Rb2"}), {{"Kg7", 1}});
  const Analysis a = run(fen);
  const Tree& tree = a.candidates[0].tree;
  const Node& kg7 = child(tree, tree.nodes[0], "Kg7");
  EXPECT_EQ(kg7.kind, NodeKind::terminal);
  EXPECT_EQ(kg7.win_rate->value(), 0.5);
}

TEST_F(AnalysisTest, CountsRepetitionsWithTheGamesOwnHistory) {
  chess::PositionHistory history(position_of(start_fen));
  const auto play = [&](std::initializer_list<const char*> sans) {
    for (const char* san : sans) history.play(chess::parse_san(history.newest(), san).value());
  };
  play({"Nf3", "Nf6", "Ng1"});
  // Black to move: Ng8 repeats the start, which is there for the second time then.
  only = {chess::parse_san(history.newest(), "Ng8").value()};
  const Analysis second = run(history);
  EXPECT_EQ(second.candidates[0].tree.nodes[0].kind, NodeKind::repetition);
  EXPECT_EQ(second.candidates[0].tree.nodes.size(), 1U);
  play({"Ng8", "Nf3", "Nf6", "Ng1"});
  only = {chess::parse_san(history.newest(), "Ng8").value()};
  const Analysis third = run(history);
  EXPECT_EQ(third.candidates[0].tree.nodes[0].kind, NodeKind::terminal);
  EXPECT_EQ(third.candidates[0].summary.expected, 0.5);
}

TEST_F(AnalysisTest, PrunesAtTheThirdPlyAndAsksNothingBelow) {
  const Position start = position_of(start_fen);
  only_san(start_fen, "e4");
  parameters.threshold = 0.2;
  tell(model, after(start, {"e4"}), {{"e5", 1}});
  tell(model, after(start, {"e4", "e5"}), {{"Qh5", 0.5}, {"Nf3", 0.5}});
  tell(model, after(start, {"e4", "e5", "Qh5"}), {{"Nc6", 1}});
  worth(after(start, {"e4", "e5", "Qh5"}), -200);
  const Analysis a = run(start_fen);
  const Tree& tree = a.candidates[0].tree;
  const Node& queen = child(tree, child(tree, tree.nodes[0], "e5"), "Qh5");
  EXPECT_EQ(queen.kind, NodeKind::pruned);
  EXPECT_EQ(queen.reason, PruneReason::analyzing_player_blunder);
  EXPECT_FALSE(child(tree, queen, "Nc6").win_rate) << "kept for display, not evaluated";
  EXPECT_FALSE(engine.depths.contains(chess::format_fen(after(start, {"e4", "e5", "Qh5", "Nc6"}))));
  EXPECT_NEAR(a.candidates[0].summary.expected, 0.5 * w(-200) + 0.5 * w(0), 1e-12);
}

TEST_F(AnalysisTest, StopsForcedLinesAtTheLastPly) {
  only_san(start_fen, "e4");
  parameters.threshold = 1;
  parameters.max_ply = 5;
  Position position = after(position_of(start_fen), {"e4"});
  for (const char* san : {"e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"}) {
    tell(model, position, {{san, 1}});
    position = after(position, {san});
  }
  const Analysis a = run(start_fen);
  EXPECT_TRUE(a.truncated);
  EXPECT_EQ(a.candidates[0].summary.max_depth, 5);
  EXPECT_EQ(a.candidates[0].summary.leaf_mass, 1);
  parameters.max_ply = 40;
  parameters.max_nodes = 3;
  const Analysis few = run(start_fen);
  EXPECT_TRUE(few.truncated);
  EXPECT_EQ(few.nodes, 3U);
}

TEST_F(AnalysisTest, AsksForEachPositionOnceAtEachDepth) {
  // 1.Nf3 Nf6 2.Nc3 and 1.Nc3 Nf6 2.Nf3 meet.
  const Position start = position_of(start_fen);
  parameters.threshold = 0.5;
  only = {chess::parse_san(start, "Nf3").value(), chess::parse_san(start, "Nc3").value()};
  for (const auto& [first, second] : {std::pair{"Nf3", "Nc3"}, {"Nc3", "Nf3"}}) {
    tell(model, after(start, {first}), {{"Nf6", 1}});
    tell(model, after(start, {first, "Nf6"}), {{second, 1}});
  }
  run(start_fen);
  for (const auto& [asked, times] : engine.asked_by_depth) EXPECT_EQ(times, 1) << asked.first << " " << asked.second;
}

TEST_F(AnalysisTest, SaysWhatCouldNotBeEvaluated) {
  const Position start = position_of(start_fen);
  only_san(start_fen, "e4");
  tell(model, after(start, {"e4"}), {{"e5", 0.5}, {"c5", 0.5}});
  worth(after(start, {"e4"}), 50);
  engine.failing.insert(chess::format_fen(after(start, {"e4", "e5"})));
  engine.failing.insert(chess::format_fen(after(start, {"a3"})));
  const Analysis a = run(start_fen);
  ASSERT_EQ(a.phase, Phase::complete);
  const Tree& tree = a.candidates[0].tree;
  const Node& e5 = child(tree, tree.nodes[0], "e5");
  EXPECT_TRUE(e5.unevaluated);
  EXPECT_FALSE(e5.win_rate);
  EXPECT_NEAR(a.candidates[0].summary.unevaluated_mass, 0.5, 1e-12);
  EXPECT_NEAR(a.candidates[0].summary.expected, 0.5 * w(50) + 0.5 * w(0), 1e-12);
  ASSERT_EQ(a.warnings.size(), 2U);
  EXPECT_EQ(a.warnings[0], "a3 could not be evaluated and is left out");
}

TEST_F(AnalysisTest, HasNoMovesOneMoveOrTwoHundredAndEighteen) {
  EXPECT_EQ(run("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").empty_reason, "checkmate");
  const Analysis one = run("7k/8/8/8/8/8/r7/1r5K w - - 0 1");
  EXPECT_EQ(one.empty_reason, "checkmate");
  const Analysis single = run("k7/8/8/8/8/8/r7/7K w - - 0 1");
  EXPECT_EQ(single.candidates.size(), 1U);
  const Analysis many = run("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
  EXPECT_EQ(many.phase, Phase::complete);
  EXPECT_GE(many.candidates.size(), 1U);
}

TEST_F(AnalysisTest, RefusesRatingsTheModelDoesNotCover) {
  parameters.opponent_rating = 2500;
  const Analysis a = run(start_fen);
  EXPECT_EQ(a.phase, Phase::failed);
  EXPECT_EQ(a.error, "fake covers ratings from 1100 to 1900, not 2500");
}

TEST_F(AnalysisTest, StopsWhereverItIsAskedTo) {
  parameters.threshold = 0.04;
  const Analysis whole = run(start_fen);
  const std::size_t all = engine.asked;
  ASSERT_GT(all, 100U);
  for (std::size_t stop = 1; stop < all; stop += 7) {
    engine::FakeEvaluator stopping;
    stopping.stop_after = stop;
    const Analysis a = analyse({chess::PositionHistory(position_of(start_fen)), parameters, {}, {}}, model, stopping,
                               {}, stopping.source.get_token());
    EXPECT_EQ(a.phase, Phase::cancelled) << stop;
    EXPECT_TRUE(a.base || a.candidates.empty()) << stop;
    for (const Candidate& c : a.candidates) {
      EXPECT_LE(c.summary.lower, c.summary.upper + 1e-12);
      if (c.is_final) {
        EXPECT_EQ(c.summary.pending_mass, 0);
      }
    }
  }
  EXPECT_EQ(whole.phase, Phase::complete);
}

// Somebody who watches gets trees before the filter is done; what is left of them has a real base.
TEST_F(AnalysisTest, StopsInTheFilterWithABaseOfItsOwn) {
  parameters.threshold = 0.04;
  parameters.uncovered = Uncovered::root;
  engine.otherwise = [](const engine::Question&) { return 300; };
  engine.stop_after = 30;  // twenty at a glance, ten of the filter
  const Analysis a = analyse(
      {chess::PositionHistory(position_of(start_fen)), parameters, {}, {}}, model, engine, [](const Analysis&) {},
      engine.source.get_token());
  EXPECT_EQ(a.phase, Phase::cancelled);
  ASSERT_EQ(a.candidates.size(), 20U);
  ASSERT_TRUE(a.base);
  EXPECT_NEAR(a.base->value(), w(300), 1e-12);
}

// The engines may go away without anybody having asked this analysis to stop.
TEST_F(AnalysisTest, EndsWhenNobodyAnswersAnyMore) {
  parameters.threshold = 0.04;
  for (const std::size_t answers : {10U, 60U}) {  // in the filter, in the trees
    engine.asked = 0;
    engine.gives_up_after = answers;
    const Analysis a = run(start_fen);
    EXPECT_EQ(a.phase, Phase::cancelled);
    EXPECT_EQ(engine.asked, answers);
  }
}

TEST_F(AnalysisTest, CountsNeverGoBackwardsAndBoundsHoldTheResult) {
  parameters.threshold = 0.04;
  engine.otherwise = [](const engine::Question& q) { return static_cast<int>(q.position.key() % 200) - 100; };
  Phase phase = Phase::filter;
  Counts last;
  std::size_t published = 0;
  const Analysis a = run(chess::PositionHistory(position_of(start_fen)), [&](const Analysis& so_far) {
    ++published;
    if (so_far.phase != phase) last = {};
    phase = so_far.phase;
    EXPECT_GE(so_far.counts.done, last.done);
    EXPECT_LE(so_far.counts.done, so_far.counts.total);
    if (so_far.counts.total_is_final && last.total_is_final && last.total != 0) {
      EXPECT_EQ(so_far.counts.total, last.total);
    }
    last = so_far.counts;
    if (so_far.phase != Phase::evaluation) return;
    for (const Candidate& c : so_far.candidates) {
      EXPECT_LE(c.summary.lower, c.summary.expected + 1e-12);
      EXPECT_GE(c.summary.upper, c.summary.expected - 1e-12);
    }
  });
  EXPECT_GT(published, 20U);
  EXPECT_EQ(phase, Phase::complete);
}

// Somebody who watches sees trees before the filter is done, and the same result in the end.
TEST_F(AnalysisTest, ShowsTreesEarlyToThoseWhoWatch) {
  parameters.threshold = 0.04;
  engine.otherwise = [](const engine::Question& q) { return static_cast<int>(q.position.key() % 150) - 75 + q.depth; };
  const Analysis unseen = run(start_fen);
  bool early = false;
  const Analysis seen = run(chess::PositionHistory(position_of(start_fen)), [&](const Analysis& so_far) {
    if (so_far.phase == Phase::filter && !so_far.candidates.empty() && so_far.candidates[0].tree.nodes.size() > 1) {
      early = true;
    }
  });
  EXPECT_TRUE(early);
  ASSERT_EQ(seen.candidates.size(), unseen.candidates.size());
  for (std::size_t i = 0; i < seen.candidates.size(); ++i) {
    EXPECT_EQ(seen.candidates[i].uci, unseen.candidates[i].uci);
    EXPECT_EQ(seen.candidates[i].summary.expected, unseen.candidates[i].summary.expected);
  }
  EXPECT_EQ(seen.nodes, unseen.nodes);
}

TEST_F(AnalysisTest, LooksQuicklyFirstAndExactlyThen) {
  parameters.threshold = 0.001;
  parameters.depth = 15;
  only_san(start_fen, "e4");
  parameters.effort = Effort::fast;
  const Analysis fast = run(start_fen);
  const Position reply = after(position_of(start_fen), {"e4", "e5"});  // one of twenty: 5%
  const Position answer = after(reply, {"Nf3"});                       // and one of twenty-nine below
  EXPECT_EQ(engine.depths.at(chess::format_fen(reply)), 15);
  EXPECT_EQ(engine.depths.at(chess::format_fen(answer)), 8);
  parameters.effort = Effort::exact;
  const Analysis exact = run(start_fen);
  for (const auto& [fen, depth] : engine.depths) EXPECT_EQ(depth, 15) << fen;
  EXPECT_EQ(exact.candidates[0].summary.expected, fast.candidates[0].summary.expected);
}

TEST_F(AnalysisTest, TheExactRoundDecidesWhatIsPruned) {
  const Position start = position_of(start_fen);
  only_san(start_fen, "e4");
  parameters.threshold = 0.001;
  tell(model, after(start, {"e4"}), {{"e5", 0.04}, {"c5", 0.96}});
  tell(model, after(start, {"e4", "c5"}), {{"Nf3", 1}});
  tell(model, after(start, {"e4", "e5"}), {{"Qh5", 1}});
  tell(model, after(start, {"e4", "e5", "Qh5"}), {{"Nc6", 1}});
  const std::string queen = chess::format_fen(after(start, {"e4", "e5", "Qh5"}));
  // The quick look thinks it loses, the exact one does not.
  engine.otherwise = [&](const engine::Question& q) {
    return chess::format_fen(q.position) == queen && q.depth < 15 ? -500 : 0;
  };
  const Analysis a = run(start_fen);
  const Tree& tree = a.candidates[0].tree;
  const Node& node = child(tree, child(tree, tree.nodes[0], "e5"), "Qh5");
  EXPECT_EQ(node.kind, NodeKind::inner);
  EXPECT_TRUE(child(tree, node, "Nc6").win_rate);
  EXPECT_NEAR(a.candidates[0].summary.expected, 0.5, 1e-12);
}

// Colours changed over, the answer is the same.
TEST_F(AnalysisTest, IsTheSameForBlack) {
  const std::string white = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
  const std::string black = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3";
  parameters.threshold = 0.03;
  engine.otherwise = [](const engine::Question& q) {
    // A figure of the board that changes its sign with the colours.
    const auto weight = [&](chess::Colour side) {
      int sum = 0;
      for (const chess::Square s : q.position.pieces(side)) {
        sum += 7 * chess::relative_rank(side, s) + 3 * (chess::file_of(s) % 3);
      }
      return sum;
    };
    return weight(chess::Colour::white) - weight(chess::Colour::black);
  };
  const Analysis a = run(white);
  const Analysis b = run(black);
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  std::vector<double> expected_a;
  expected_a.reserve(a.candidates.size());
  std::vector<double> expected_b;
  expected_b.reserve(b.candidates.size());
  for (const Candidate& c : a.candidates) expected_a.push_back(c.summary.expected);
  for (const Candidate& c : b.candidates) expected_b.push_back(c.summary.expected);
  for (std::size_t i = 0; i < expected_a.size(); ++i) EXPECT_NEAR(expected_a[i], expected_b[i], 1e-9);
}

TEST_F(AnalysisTest, UsesEachSidesOwnRating) {
  class Listening final : public human::HumanModel {
   public:
    const human::ModelIdentity& identity() const override { return inner.identity(); }
    Expected<std::vector<human::Prediction>> predict(std::span<const human::Query> queries, human::Want want) override {
      for (const human::Query& q : queries) {
        (q.history.newest().side_to_move() == chess::Colour::white ? white : black).insert(q.rating);
      }
      return inner.predict(queries, want);
    }
    FakeModel inner;
    std::set<int> white;
    std::set<int> black;
  } listening;
  parameters.rating = 1200;
  parameters.opponent_rating = 1800;
  parameters.threshold = 0.001;
  only_san(start_fen, "e4");
  analyse({chess::PositionHistory(position_of(start_fen)), parameters, only, {}}, listening, engine, {}, {});
  EXPECT_EQ(listening.white, std::set{1200});
  EXPECT_EQ(listening.black, std::set{1800});
}

}  // namespace
}  // namespace pm::expect
