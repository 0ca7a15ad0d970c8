// Runs that stop when the ranking is settled, with a model and an engine that answer from tables.
#include "expect/inquiry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "engine/fake_evaluator.h"
#include "expect/settle.h"
#include "human/fake_model.h"

namespace pm::expect {
namespace {

const std::vector<std::string> fens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "8/5pk1/6p1/3R4/5P2/r5P1/5K2/8 b - - 0 40",
};

chess::PositionHistory history_of(const std::string& fen) {
  return chess::PositionHistory(chess::parse_fen(fen).value());
}

// A normal number that depends on the position, and on nothing else.
double noise(const chess::Position& position, std::uint64_t salt) {
  std::mt19937_64 random(position.key() ^ salt * 0x9E3779B97F4A7C15ULL);
  return std::normal_distribution<double>()(random);
}

// Each position has a worth, near that of the others; searches see it with the errors that were measured, a fifth of
// whose square is the same everywhere.
int seen_worth(const engine::Question& question, std::uint64_t world = 0) {
  constexpr double centipawns_per_win_rate = 1 / (score::lichess_slope.per_centipawn * .25);
  const auto salt = static_cast<std::uint64_t>(question.depth) + 100 * world;
  const double worth = .05 * noise(question.position, 1 + 100 * world);
  const double error = value_error(question.depth, 15, .5) * (std::sqrt(.8) * noise(question.position, salt) +
                                                              std::sqrt(.2) * noise(chess::Position::start(), salt));
  const double white = question.position.side_to_move() == chess::Colour::white ? 1 : -1;
  return static_cast<int>(std::lround(white * (worth + error) * centipawns_per_win_rate));
}

// What stands where is worth something, so that moves differ, as they do on a board.
int placed_worth(const engine::Question& question) {
  const auto worth_of = [](const chess::Position& position) {
    double worth = 0;
    std::uint64_t square = 0;
    const std::string fen = chess::format_fen(position);
    for (const char letter : fen.substr(0, fen.find(' '))) {
      if (letter >= '1' && letter <= '8') {
        square += static_cast<std::uint64_t>(letter - '0');
      } else if (letter != '/') {
        std::mt19937_64 random((static_cast<std::uint64_t>(letter) << 8U) + square++);
        worth += .025 * std::normal_distribution<double>()(random);
      }
    }
    return worth;
  };
  constexpr double centipawns_per_win_rate = 1 / (score::lichess_slope.per_centipawn * .25);
  const double worth = worth_of(question.position) - worth_of(chess::Position::start());
  return static_cast<int>(std::lround(worth * centipawns_per_win_rate)) + seen_worth(question);
}

// Some moves are much likelier than others.
class PartialModel final : public human::HumanModel {
 public:
  const human::ModelIdentity& identity() const override { return inner_.identity(); }
  Expected<std::vector<human::Prediction>> predict(std::span<const human::Query> queries, human::Want want) override {
    auto predictions = inner_.predict(queries, want);
    asked += queries.size();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      double sum = 0;
      for (auto& [move, probability] : (*predictions)[i].moves) {
        probability = std::exp(2 * noise(queries[i].history.newest().after(move), 7));
        sum += probability;
      }
      for (auto& [move, probability] : (*predictions)[i].moves) probability /= sum;
    }
    return predictions;
  }

  std::size_t asked = 0;

 private:
  human::FakeModel inner_;
};

class InquiryTest : public testing::Test {
 protected:
  InquiryTest() {
    parameters.effort = Effort::settled;
    parameters.threshold = .005;
    parameters.pruning = Pruning::none;
    parameters.map = WinRateMap::logistic;
    engine.otherwise = [](const engine::Question& question) { return seen_worth(question); };
    engine.call(measured_engine);
  }
  Analysis run(const std::string& fen = fens.front(), const OnProgress& on_progress = {}) {
    return analyse({history_of(fen), parameters, {}, {}}, model, engine, on_progress, engine.source.get_token());
  }

  Parameters parameters;
  human::FakeModel model;
  engine::FakeEvaluator engine;
};

// All that was found, move by move.
std::string text_of(const Analysis& analysis) {
  std::string text;
  for (const Candidate& c : analysis.candidates) {
    text += fmt::format("{} {} [{}, {}] {} nodes, {} searches\n", c.uci, c.summary.expected, c.interval.low.value(),
                        c.interval.high.value(), c.tree.nodes.size(), c.evaluations);
  }
  return text;
}

TEST_F(InquiryTest, DoesNotDependOnWhichAnswersComeFirst) {
  for (const std::string& fen : fens) {
    const std::string in_order = text_of(run(fen));
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::mt19937 random(seed);
      engine.in_any_order = &random;
      EXPECT_EQ(text_of(run(fen)), in_order) << seed;
      engine.in_any_order = nullptr;
    }
  }
}

TEST_F(InquiryTest, StopsWhenTheRankingIsSettled) {
  for (const std::string& fen : fens) {
    const Analysis a = run(fen);
    EXPECT_EQ(a.phase, Phase::complete);
    ASSERT_GE(a.candidates.size(), 2U);
    const bool all_known =
        std::all_of(a.candidates.begin(), a.candidates.end(), [](const Candidate& c) { return c.is_final; });
    EXPECT_EQ(a.stopped, all_known ? Stopped::exact : Stopped::settled);
    for (const Candidate& c : a.candidates) {
      EXPECT_LE(c.interval.width(), narrow_enough + 1e-12) << c.san;
      EXPECT_NEAR(c.summary.pending_mass, 0, 1e-12) << c.san;
      if (&c == &a.candidates.front() || c.is_final) continue;
      EXPECT_LE(c.interval.high.value(), a.candidates.front().summary.expected - clear_lead + 1e-12) << c.san;
    }
  }
}

// Where moves differ; those that are as good as each other are searched to the end.
TEST_F(InquiryTest, CostsLessThanWholeTrees) {
  PartialModel people;
  parameters.threshold = .003;
  engine.otherwise = placed_worth;
  const auto searches_in = [&](Effort effort) {
    parameters.effort = effort;
    people.asked = 0;
    engine.asked_by_depth.clear();
    analyse({history_of(fens.front()), parameters, {}, {}}, people, engine, {}, {});
    return std::count_if(engine.asked_by_depth.begin(), engine.asked_by_depth.end(),
                         [](const auto& each) { return each.first.second == 15; });
  };
  const auto exact_at_full_depth = searches_in(Effort::exact);
  const std::size_t asked_of_model = people.asked;
  EXPECT_LT(2 * searches_in(Effort::settled), exact_at_full_depth);
  EXPECT_LT(people.asked, asked_of_model) << "unlikely lines are followed only where that matters";
}

// Nine times of ten, about, in worlds that err as intervals take them to.
TEST_F(InquiryTest, IntervalsHoldTheExactValue) {
  PartialModel people;
  const auto run_in = [&](Effort effort) {
    parameters.effort = effort;
    return analyse({history_of(fens.front()), parameters, {}, {}}, people, engine, {}, {});
  };
  std::size_t held = 0;
  std::size_t candidates = 0;
  parameters.threshold = .02;
  for (std::uint64_t world = 1; world <= 10; ++world) {
    engine.otherwise = [&](const engine::Question& question) { return seen_worth(question, world); };
    const Analysis exact = run_in(Effort::exact);
    for (const Candidate& c : run_in(Effort::settled).candidates) {
      const auto same = std::find_if(exact.candidates.begin(), exact.candidates.end(),
                                     [&](const Candidate& each) { return each.move == c.move; });
      if (same == exact.candidates.end() || c.is_final) continue;
      ++candidates;
      if (same->summary.expected >= c.interval.low.value() && same->summary.expected <= c.interval.high.value()) ++held;
    }
  }
  ASSERT_GT(candidates, 60U);
  EXPECT_GE(static_cast<double>(held), .85 * static_cast<double>(candidates));
}

TEST_F(InquiryTest, AnExactValueHasNoInterval) {
  parameters.effort = Effort::exact;
  parameters.threshold = .04;
  const Analysis a = run();
  EXPECT_EQ(a.stopped, Stopped::exact);
  for (const Candidate& c : a.candidates) {
    EXPECT_EQ(c.interval.low.value(), c.summary.expected);
    EXPECT_EQ(c.interval.high.value(), c.summary.expected);
  }
}

// A second look is for leaving moves out; of a move that was named there is no question.
TEST_F(InquiryTest, LooksAtNamedMovesOnceBeforeTheFullDepth) {
  std::set<int> depths;
  engine.otherwise = [&](const engine::Question& question) {
    depths.insert(question.depth);
    return seen_worth(question);
  };
  const chess::PositionHistory history = history_of(fens.front());
  const std::vector<chess::Move> only{chess::parse_san(history.newest(), "e4").value()};
  analyse({history, parameters, only, {}}, model, engine, {}, {});
  EXPECT_EQ(depths, (std::set<int>{8, parameters.depth}));
}

TEST_F(InquiryTest, StopsAfterSoManySearches) {
  const Analysis filtered = run();
  for (const std::size_t searches : {1U, 20U, 60U}) {
    parameters.searches = searches;
    engine.asked = 0;
    const Analysis a = run();
    EXPECT_EQ(a.phase, Phase::complete);
    EXPECT_EQ(a.stopped, Stopped::searches);
    EXPECT_EQ(a.candidates.size(), filtered.candidates.size());
    EXPECT_LE(engine.asked, 60 + searches) << "twenty moves, looked at three times, come before that";
    EXPECT_GE(a.candidates.front().interval.width(), filtered.candidates.front().interval.width());
    EXPECT_EQ(text_of(a), text_of(run())) << "the same limit gives the same answer";
    for (const Candidate& c : a.candidates) EXPECT_NEAR(c.summary.pending_mass, 0, 1e-12);
  }
}

TEST_F(InquiryTest, StopsWhenTheTimeIsUp) {
  parameters.seconds = .05;
  engine.otherwise = [](const engine::Question& question) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return seen_worth(question);
  };
  const Analysis a = run();
  EXPECT_EQ(a.phase, Phase::complete);
  EXPECT_EQ(a.stopped, Stopped::time);
  engine.stop_after = engine.asked + 5;
  const Analysis cancelled = run();
  EXPECT_EQ(cancelled.phase, Phase::cancelled) << "somebody asked before the time was up";
  EXPECT_EQ(cancelled.stopped, Stopped::none);
}

TEST_F(InquiryTest, HasARankingBeforeTheFilterIsDone) {
  std::size_t asked_before = 0;
  run(fens.front(), [&](const Analysis& so_far) {
    if (asked_before == 0 && !so_far.candidates.empty()) asked_before = engine.asked;
  });
  EXPECT_GT(asked_before, 0U);
  EXPECT_LE(asked_before, 21U) << "twenty moves at a glance";
}

TEST_F(InquiryTest, GoesOnWhereTheEngineFails) {
  const Analysis sound = run();
  const Tree& tree = sound.candidates.front().tree;
  ASSERT_GT(tree.nodes.size(), 1U);
  engine.failing.insert(chess::format_fen(tree.nodes[1].position));
  const Analysis a = run();
  EXPECT_EQ(a.phase, Phase::complete);
  ASSERT_FALSE(a.warnings.empty());
}

TEST_F(InquiryTest, SaysThatTheEngineIsGone) {
  for (const Effort effort : {Effort::settled, Effort::exact}) {
    parameters.effort = effort;
    engine.asked = 0;
    engine.fails_after = 50;  // the filter is over
    const Analysis a = run();
    EXPECT_EQ(a.phase, Phase::failed);
    EXPECT_EQ(a.error, "the engine answers no more");
    EXPECT_LT(engine.asked, 300U) << "and does not go on asking";
  }
}

TEST_F(InquiryTest, DoesNotTrustAGlanceThatOverratedTheBestMove) {
  const chess::Position start = chess::Position::start();
  const auto after = [&](const char* san) { return start.after(chess::parse_san(start, san).value()); };
  const auto is = [&](const engine::Question& question, const char* san) {
    return question.position.key() == after(san).key();
  };
  engine.otherwise = [&](const engine::Question& question) {
    if (is(question, "a4")) return question.depth <= 8 ? 600 : -200;  // a pitfall
    if (is(question, "e4")) return 100;
    if (is(question, "d4")) return 40;
    return -300;
  };
  const Analysis a = run();
  ASSERT_TRUE(a.base);
  EXPECT_NEAR(a.base->value(), 1 / (1 + std::exp(-.368208)), 1e-6) << "that of e4 at the full depth";
  std::vector<std::string> moves;
  for (const Candidate& c : a.candidates) {
    moves.push_back(c.san);
    EXPECT_EQ(c.tree.candidate().depth, parameters.depth) << c.san;
  }
  std::sort(moves.begin(), moves.end());
  EXPECT_EQ(moves, (std::vector<std::string>{"d4", "e4"}));
}

TEST_F(InquiryTest, SaysWhereEvaluationsComeFrom) {
  for (const Candidate& c : run().candidates) {
    EXPECT_STREQ(cache_word(c), "fresh");
    EXPECT_GT(c.evaluations, 0U);
  }
  Candidate candidate;
  candidate.known = 2;
  EXPECT_STREQ(cache_word(candidate), "cached");
  candidate.evaluations = 1;
  EXPECT_STREQ(cache_word(candidate), "partly");
}

// A model that fails in the middle ends it with a sentence.
TEST_F(InquiryTest, FailsWithTheModel) {
  class Failing final : public human::HumanModel {
   public:
    const human::ModelIdentity& identity() const override { return inner.identity(); }
    Expected<std::vector<human::Prediction>> predict(std::span<const human::Query> queries, human::Want want) override {
      if (++calls > 2) return fail(ErrorCode::bad_input, "the network is gone");
      return inner.predict(queries, want);
    }
    human::FakeModel inner;
    int calls = 0;
  } failing;
  for (const Effort effort : {Effort::settled, Effort::exact}) {
    failing.calls = 0;
    parameters.effort = effort;
    const Analysis a = analyse({history_of(fens.front()), parameters, {}, {}}, failing, engine, {}, {});
    EXPECT_EQ(a.phase, Phase::failed);
    EXPECT_EQ(a.error, "the network is gone");
  }
}

TEST(Parameters, ASettledRunValuesUnlikelyRepliesByTheirPosition) {
  Parameters parameters;
  parameters.effort = Effort::settled;
  parameters.uncovered = Uncovered::root;
  EXPECT_FALSE(check(parameters));
  parameters.effort = Effort::exact;
  EXPECT_TRUE(check(parameters));
}

TEST(Parameters, LimitsGoWithASettledRun) {
  Parameters parameters;
  parameters.effort = Effort::exact;
  parameters.searches = 10;
  EXPECT_FALSE(check(parameters));
  parameters.effort = Effort::settled;
  EXPECT_TRUE(check(parameters));
  parameters.searches = 0;
  EXPECT_FALSE(check(parameters));
  parameters.searches.reset();
  parameters.seconds = -1;
  EXPECT_FALSE(check(parameters));
}

}  // namespace
}  // namespace pm::expect
