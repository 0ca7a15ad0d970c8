#include "review/run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "chess/san.h"
#include "review/evaluation_text.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

using namespace std::chrono_literals;
using Options = std::vector<std::pair<std::string, std::string>>;

const pgn::Game& long_game() {
  static const pgn::Game game = read_game(
      "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 "
      "11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 *");
  return game;
}

StartEngine bad_engine(Options options = {}) {
  engine::EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  setup.options = std::move(options);
  setup.deadlines = {.answer = 5s, .silence = 1500ms, .search = 3s, .grace = 300ms};
  return [setup](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); };
}

std::unique_ptr<EnginePool> open_pool(StartEngine start, int jobs = 2, store::Store* store = nullptr,
                                      const std::stop_token& stop = {}) {
  return EnginePool::open(std::move(start), jobs, "test", store, stop).value();
}

// Everything the engine said, as text: what two runs must agree on.
std::string fingerprint(const GameReview& review) {
  std::string text = format_evaluations(review.evals);
  for (const PlyReview& ply : review.plies) {
    if (ply.deeper) text += format_evaluations({ply.deeper->before, ply.deeper->after});
    text += ply.verdicts ? ply.verdicts->points.reason.text() : std::string(ply.no_verdict);
    text += '\n';
  }
  return text;
}

GameReview review_with(EnginePool& pool, const pgn::Game& game = long_game()) {
  return EngineReview(game, pool, {}).finish();
}

TEST(Plan, cuts_a_game_into_segments_and_leaves_finished_positions_out) {
  const auto segments = plan_game(long_game(), {});
  ASSERT_EQ(segments.size(), 3U);  // 31 positions
  EXPECT_EQ(segments[0].wanted.size(), segment_length);
  EXPECT_EQ(segments[2].wanted.size(), 31 - (2 * segment_length));
  EXPECT_EQ(segments[1].plies.front(), segment_length);
  const pgn::Game mate = read_game("1. f3 e5 2. g4 Qh4# 0-1");
  const auto plan = plan_game(mate, {});
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].wanted, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Plan, a_null_move_starts_the_line_anew) {
  const pgn::Game game = read_game("1. e4 -- 2. d4 *");
  const auto plan = plan_game(game, {});
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[1].wanted, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(plan[1].plies, (std::vector<std::size_t>{0, 1}));
}

TEST(Plan, a_pair_may_be_none_or_two) {
  const pgn::Game null_move = read_game("1. e4 -- 2. d4 *");
  EXPECT_EQ(plan_pair(null_move, 0, {}).size(), 1U);
  EXPECT_EQ(plan_pair(null_move, 1, {}).size(), 2U);
  const pgn::Game bare = read_game("[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/4K3/8/8 w - - 0 1\"]\n\n1. Ke4 *");
  EXPECT_TRUE(plan_pair(bare, 0, {}).empty());
}

TEST(Plan, keys_tell_everything_apart_that_matters) {
  const auto segments = plan_game(long_game(), {});
  EXPECT_NE(key_of(segments[0]), key_of(segments[1]));
  EXPECT_NE(key_of(segments[0]), key_of(plan_game(long_game(), {engine::Limit::Kind::nodes, 18})[0]));
  EXPECT_NE(key_of(plan_pair(long_game(), 3, {})[0]), key_of(plan_pair(long_game(), 4, {})[0]));
}

TEST(EvaluationText, reads_back_what_was_written_and_nothing_else) {
  const auto pool = open_pool(bad_engine());
  const Segment segment = plan_game(long_game(), {})[1];
  const auto result = pool->submit(segment).get();
  const std::string text = format_evaluations(result.evals);
  const auto again = parse_evaluations(text, segment);
  ASSERT_TRUE(again);
  EXPECT_EQ(format_evaluations(*again), text);
  EXPECT_EQ((*again)[0].lines[0].pv, result.evals[0].lines[0].pv);
  for (std::size_t cut = 0; cut < text.size(); cut += 7) {
    EXPECT_FALSE(parse_evaluations(text.substr(0, cut), segment)) << cut;
  }
  EXPECT_FALSE(parse_evaluations(text + "x", segment));
  EXPECT_FALSE(parse_evaluations(text, plan_game(long_game(), {})[0]));
}

TEST(EngineReview, is_the_same_whatever_the_number_of_engines) {
  const auto one = open_pool(bad_engine(), 1);
  const auto three = open_pool(bad_engine(), 3);
  const GameReview review = review_with(*one);
  EXPECT_EQ(fingerprint(review), fingerprint(review_with(*three)));
  EXPECT_EQ(review.engine->name, "Bad Engine 1");
  EXPECT_EQ(review.engine->limit, "depth 18");
  for (const PlyReview& ply : review.plies) EXPECT_TRUE(ply.verdicts) << ply.san;
}

TEST(EngineReview, from_the_store_is_the_same_and_costs_nothing) {
  store::MemoryStore store;
  const std::string fresh = fingerprint(review_with(*open_pool(bad_engine(), 2, &store)));
  EXPECT_GE(store.size(), 3U);
  // An engine that crashes at every search: nothing may be asked.
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}}), 2, &store);
  EXPECT_EQ(fingerprint(review_with(*pool)), fresh);
  EXPECT_EQ(pool->restarts(), 0U);
}

TEST(EngineReview, a_damaged_entry_of_the_store_is_evaluated_anew) {
  store::MemoryStore store;
  const auto pool = open_pool(bad_engine(), 2, &store);
  const std::string fresh = fingerprint(review_with(*pool));
  store.put("Bad Engine 1|test|" + key_of(plan_game(long_game(), {})[0]), "rubbish");
  EXPECT_EQ(fingerprint(review_with(*pool)), fresh);
}

TEST(EngineReview, one_fault_of_any_kind_changes_nothing) {
  const std::string good = fingerprint(review_with(*open_pool(bad_engine())));
  for (const char* fault : {"crash", "hang", "rubbish", "illegal", "no_score", "mate_zero", "half_line", "chatter"}) {
    const auto marker = std::filesystem::path(testing::TempDir()) / ("marker_" + std::to_string(::getpid()) + fault);
    std::filesystem::remove(marker);
    const auto pool = open_pool(bad_engine({{"Fault", fault}, {"FaultAt", "5"}, {"Marker", marker.string()}}), 1);
    EXPECT_EQ(fingerprint(review_with(*pool)), good) << fault;
    EXPECT_EQ(pool->restarts(), 1U) << fault;
    std::filesystem::remove(marker);
  }
}

TEST(EngineReview, a_position_that_keeps_failing_is_given_up_and_the_rest_goes_on) {
  // The third search of each engine fails: the third position is given up, then the one after next, and so on.
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}, {"FaultAt", "3"}}), 1);
  const pgn::Game game = read_game("1. e4 e5 2. Nf3 *");
  EngineReview run(game, *pool, {});
  const GameReview review = run.finish();
  EXPECT_EQ(run.trouble(), "the engine has died");
  EXPECT_TRUE(review.evals[2].failed);
  EXPECT_FALSE(review.evals[0].lines.empty());
  EXPECT_EQ(review.plies[1].no_verdict, "the engine failed here");
  EXPECT_TRUE(review.plies[0].verdicts);
}

TEST(EngineReview, an_engine_that_never_works_fails_the_positions_not_the_run) {
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}}), 2);
  const pgn::Game game = read_game("1. e4 *");
  const GameReview review = EngineReview(game, *pool, {}).finish();
  EXPECT_FALSE(review.plies[0].verdicts);
}

TEST(EnginePool, an_engine_that_does_not_start_is_an_error_at_once) {
  engine::EngineSetup setup;
  setup.path = "no/such/engine";
  const auto pool = EnginePool::open(
      [setup](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); }, 2, "", nullptr, {});
  EXPECT_EQ(pool.error().code, ErrorCode::engine_start);
}

TEST(EngineReview, a_stop_ends_the_wait_at_once) {
  std::stop_source stop;
  const auto pool = open_pool(bad_engine({{"Delay", "60000"}}), 2, nullptr, stop.get_token());
  const std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  EngineReviewOptions options;
  options.limit = {engine::Limit::Kind::movetime, 100'000};
  const GameReview review = EngineReview(long_game(), *pool, options).finish();
  EXPECT_FALSE(review.plies[0].verdicts);
}

// Otherwise this takes longer than a test may.
TEST(EnginePool, gives_up_what_it_has_not_done_when_it_goes) {
  const auto pool = open_pool(bad_engine({{"Delay", "60000"}}));
  for (Segment& segment : plan_game(long_game(), {engine::Limit::Kind::movetime, 100'000})) {
    pool->submit(std::move(segment));
  }
}

TEST(EngineReview, whoever_listens_gets_a_shallow_review_first) {
  const auto pool = open_pool(bad_engine());
  EngineReviewOptions options;
  std::string heard;
  options.on_provisional = [&](const GameReview& review) {
    heard = review.engine->limit;
    for (const PlyReview& ply : review.plies) EXPECT_TRUE(ply.verdicts);
  };
  const GameReview review = EngineReview(long_game(), *pool, options).finish();
  EXPECT_EQ(heard, "depth 8");
  EXPECT_EQ(review.engine->limit, "depth 18");
  heard.clear();
  options.limit.value = 6;
  EXPECT_EQ(EngineReview(long_game(), *pool, options).finish().engine->limit, "depth 6");
  EXPECT_EQ(heard, "");
}

TEST(EngineReview, close_calls_are_searched_deeper) {
  // 0.00 before and -0.92 after is 8% to the inch: between OKAY and INACCURACY.
  const pgn::Game game = read_game("1. a3 h6 *");
  GameEvals evals(3);
  evals[0].lines = {{verdict::WhiteScore(verdict::Centipawns{0}), 10, {}}};
  evals[1].lines = {{verdict::WhiteScore(verdict::Centipawns{-92}), 10, {}}};
  evals[2].lines = {{verdict::WhiteScore(verdict::Centipawns{-92}), 10, {}}};
  ReviewOptions options;
  options.schemes.theory = false;
  const GameReview review = assemble(game, evals, options);
  EXPECT_EQ(review.plies[0].verdicts->points.confidence, verdict::Confidence::borderline);
  EXPECT_NE(review.plies[0].verdicts->points.reason.text().find("A close call."), std::string::npos);
  EXPECT_EQ(review.plies[1].verdicts->points.confidence, verdict::Confidence::firm);
  DeeperPairs deeper;
  deeper[0] = {evals[0], evals[1]};
  deeper[0].after.lines[0].score = verdict::WhiteScore(verdict::Centipawns{-150});
  const GameReview again = assemble(game, evals, options, deeper);
  EXPECT_EQ(again.plies[0].verdicts->points.cls, verdict::PointsClass::mistake);
  EXPECT_EQ(again.plies[0].verdicts->points.confidence, verdict::Confidence::firm);
  EXPECT_EQ(again.plies[1].verdicts->acpl.loss, 0);  // the neighbour is judged by the common score
}

// Kills engines at random while reviews run.
TEST(EngineReview, killing_engines_at_random_changes_nothing) {
  const std::string good = fingerprint(review_with(*open_pool(bad_engine({{"Delay", "2"}}))));
  std::mt19937 random(7);
  for (int run = 0; run < 20; ++run) {
    const auto pool = open_pool(bad_engine({{"Delay", "2"}}));
    std::jthread killer([&](const std::stop_token& stop) {
      for (int kills = 0; kills < 2 && !stop.stop_requested(); ++kills) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 40));
        std::vector<pid_t> engines;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
          std::ifstream file(task.path() / "children");
          for (pid_t pid = 0; file >> pid;) engines.push_back(pid);
        }
        if (!engines.empty()) ::kill(engines[random() % engines.size()], SIGKILL);
      }
    });
    const GameReview review = review_with(*pool);
    killer.request_stop();
    killer.join();
    ASSERT_EQ(fingerprint(review), good) << "run " << run;
  }
}

}  // namespace
}  // namespace pm::review
