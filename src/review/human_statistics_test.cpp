// What people make of a game, with a model and an engine that answer from tables.
#include "review/human_statistics.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "engine/fake_evaluator.h"
#include "human/fake_model.h"
#include "review/expectations.h"
#include "review/pgn_evals.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

chess::Position after(const std::vector<const char*>& sans) {
  chess::Position position = chess::Position::start();
  for (const char* san : sans) position.play(chess::parse_san(position, san).value());
  return position;
}

void tell(human::FakeModel& model, const std::vector<const char*>& line,
          const std::vector<std::pair<const char*, double>>& weights) {
  const chess::Position position = after(line);
  std::map<std::uint16_t, double> by_bits;
  for (const auto& [san, weight] : weights) by_bits[chess::parse_san(position, san)->bits()] = weight;
  model.set(chess::format_fen(position), by_bits);
}

// A line of an engine: a score and a first move.
engine::Evaluation eval(const std::vector<const char*>& line, int centipawns, const char* best) {
  const chess::Move move = chess::parse_san(after(line), best).value();
  return {{score::Line{score::WhiteScore(score::Centipawns{centipawns}), 12, {move}}}};
}

// 1.e4 e5 2.Qh5, by the engine a little worse than 2.Nf3.
Evidence early_queen(const pgn::Game& game) {
  Evidence evidence = evidence_of(game, nullptr);
  evidence.engine = EngineUsed{"engine", {}, {}, 2};
  evidence.positions = {eval({}, 30, "e4"), eval({"e4"}, 30, "e5"), eval({"e4", "e5"}, 30, "Nf3"),
                        eval({"e4", "e5", "Qh5"}, 0, "Nc6")};
  return evidence;
}

verdict::SchemeOptions without_theory() {
  verdict::SchemeOptions options;
  options.theory = false;
  return options;
}

TEST(HumanStatistics, say_how_likely_each_move_was) {
  human::FakeModel model;
  tell(model, {}, {{"e4", 0.6}, {"d4", 0.4}});
  tell(model, {"e4"}, {{"e5", 0.9}, {"h5", 0.1}});
  const pgn::Game game = read_game("1. e4 h5 *\n");
  Evidence evidence = evidence_of_comments(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  EXPECT_DOUBLE_EQ(evidence.plies[0].human->probability, 0.6);
  const GameReview review = assemble(game, evidence, {});
  EXPECT_EQ(human_sentence(review, 0), "Most 1500s play this (60%).");
  EXPECT_EQ(human_sentence(review, 1), "10% of 1500s play this; e5 (90%) is likelier.");
}

TEST(HumanStatistics, find_no_move_likelier_by_less_than_a_percent) {
  human::FakeModel model;
  tell(model, {}, {{"e4", 0.402}, {"d4", 0.398}, {"c4", 0.2}});
  const pgn::Game game = read_game("1. d4 *\n");
  Evidence evidence = evidence_of_comments(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  EXPECT_EQ(human_sentence(assemble(game, evidence, {}), 0), "40% of 1500s play this, as many as e4.");
}

TEST(HumanStatistics, of_other_ratings_need_no_engine_and_drop_what_was_expected_of_others) {
  human::FakeModel model;
  const pgn::Game game = read_game("1. e4 e5 2. Qh5 *\n");
  Evidence evidence = early_queen(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {1500, 1500}));
  const chess::Move best = chess::parse_san(after({"e4", "e5"}), "Nf3").value();
  evidence.plies[2].expectation = Expectation{score::WinRate(.6), score::WinRate(.5), best};
  ASSERT_TRUE(ask_about_people(evidence, game, model, {1500, 1500}));
  EXPECT_TRUE(evidence.plies[2].expectation);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {1900, 1500}));
  EXPECT_FALSE(evidence.plies[2].expectation);
  EXPECT_EQ(evidence.human->white_rating, 1900);
}

// Worse by the engine, but people go wrong against it.
TEST(Expectations, make_a_move_risky) {
  human::FakeModel model;
  tell(model, {"e4", "e5", "Qh5"}, {{"Nc6", 0.4}, {"g6", 0.6}});
  tell(model, {"e4", "e5", "Nf3"}, {{"Nc6", 1}});
  const pgn::Game game = read_game("1. e4 e5 2. Qh5 *\n");
  Evidence evidence = early_queen(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  const GameReview before = assemble(game, evidence, without_theory());
  EXPECT_EQ(before.plies[2].verdicts->points.cls, verdict::PointsClass::excellent);
  EXPECT_EQ(plies_to_compare(before), std::vector<std::size_t>{2}) << "the best moves need no comparison";
  engine::FakeEvaluator engine;
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Qh5", "g6"}))] = 600;  // drops the rook
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Nf3"}))] = 30;
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Nf3", "Nc6"}))] = 30;
  expect::Parameters parameters = review_parameters({});
  EXPECT_EQ(parameters.depth, 12);
  parameters.threshold = 0.3;
  evidence.plies[2].expectation = compare_with_best(before, 2, parameters, model, engine, {});
  ASSERT_TRUE(evidence.plies[2].expectation);
  const Expectation& expected = *evidence.plies[2].expectation;
  const auto w = [](int cp) { return score::win_rate(score::Centipawns{cp}, score::lichess_slope).value(); };
  EXPECT_NEAR(expected.played.value(), 0.6 * w(600) + 0.4 * w(0), 1e-9);
  EXPECT_NEAR(expected.best.value(), w(30), 1e-9);
  const GameReview review = assemble(game, evidence, without_theory());
  EXPECT_EQ(review.plies[2].verdicts->points.cls, verdict::PointsClass::risky);
  EXPECT_EQ(review.white.game.classes[static_cast<std::size_t>(verdict::PointsClass::risky)], 1);
  EXPECT_NE(human_sentence(review, 2).find("Against 1500s it scores "), std::string::npos);
}

TEST(Expectations, are_not_asked_for_after_a_stop) {
  human::FakeModel model;
  const pgn::Game game = read_game("1. e4 e5 2. Qh5 *\n");
  Evidence evidence = early_queen(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  engine::FakeEvaluator engine;
  engine.source.request_stop();
  const GameReview review = assemble(game, evidence, without_theory());
  EXPECT_FALSE(compare_with_best(review, 2, review_parameters({}), model, engine, engine.source.get_token()));
  EXPECT_EQ(engine.asked, 0U);
}

}  // namespace
}  // namespace pm::review
