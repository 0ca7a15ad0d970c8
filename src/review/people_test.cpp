// What people make of a game, with a model and an engine that answer from tables.
#include "review/people.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "expect/fake_evaluator.h"
#include "human/fake_model.h"
#include "pgn/reader.h"
#include "review/evals.h"

namespace pm::review {
namespace {

pgn::Game game_of(const std::string& text) {
  pgn::MemorySource source(text);
  pgn::GameReader reader(source);
  return reader.next()->game;
}

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
PositionEval eval(const std::vector<const char*>& line, int centipawns, const char* best) {
  const chess::Move move = chess::parse_san(after(line), best).value();
  return {{verdict::Line{verdict::WhiteScore(verdict::Centipawns{centipawns}), 12, {move}}}, std::nullopt, false};
}

TEST(People, HaveTheRatingsOfTheTagsAtTheNearestLevel) {
  const human::FakeModel model({1100, 1500, 1900});
  const auto used = people_of(game_of("[WhiteElo \"1620\"]\n[BlackElo \"2600\"]\n\n1. e4 *\n"), model, {});
  EXPECT_EQ(used.white_rating, 1500);
  EXPECT_EQ(used.black_rating, 1900);
  const auto unknown = people_of(game_of("[WhiteElo \"?\"]\n\n1. e4 *\n"), model, {});
  EXPECT_EQ(unknown.white_rating, 1500);
  const auto wanted = people_of(game_of("[WhiteElo \"1620\"]\n\n1. e4 *\n"), model, {1200, std::nullopt});
  EXPECT_EQ(wanted.white_rating, 1200);
  EXPECT_EQ(wanted.black_rating, 1200);
  EXPECT_EQ(people_of(game_of("1. e4 *\n"), model, {1200, 1300}).black_rating, 1300);
}

TEST(People, SayHowLikelyEachMoveWas) {
  human::FakeModel model;
  tell(model, {}, {{"e4", 0.6}, {"d4", 0.4}});
  tell(model, {"e4"}, {{"e5", 0.9}, {"h5", 0.1}});
  const pgn::Game game = game_of("1. e4 h5 *\n");
  GameReview review = review_comments(game, {});
  ASSERT_TRUE(add_people(review, model, people_of(game, model, {})));
  EXPECT_DOUBLE_EQ(review.plies[0].people->probability, 0.6);
  EXPECT_TRUE(review.plies[0].people->is_likeliest);
  EXPECT_EQ(sentence_of(*review.plies[0].people), "Most 1500s play this (60%).");
  EXPECT_EQ(sentence_of(*review.plies[1].people), "10% of 1500s play this; e5 (90%) is likelier.");
}

TEST(People, FindNoMoveLikelierByLessThanAPercent) {
  human::FakeModel model;
  tell(model, {}, {{"e4", 0.402}, {"d4", 0.398}, {"c4", 0.2}});
  const pgn::Game game = game_of("1. d4 *\n");
  GameReview review = review_comments(game, {});
  ASSERT_TRUE(add_people(review, model, people_of(game, model, {})));
  EXPECT_EQ(sentence_of(*review.plies[0].people), "40% of 1500s play this, as many as e4.");
}

// 1.e4 e5 2.Qh5: worse by the engine, but people go wrong against it.
TEST(People, MakeAMoveRisky) {
  human::FakeModel model;
  tell(model, {"e4", "e5", "Qh5"}, {{"Nc6", 0.4}, {"g6", 0.6}});
  tell(model, {"e4", "e5", "Nf3"}, {{"Nc6", 1}});
  const pgn::Game game = game_of("1. e4 e5 2. Qh5 *\n");
  GameEvals evals{eval({}, 30, "e4"), eval({"e4"}, 30, "e5"), eval({"e4", "e5"}, 30, "Nf3"),
                  eval({"e4", "e5", "Qh5"}, 0, "Nc6")};
  ReviewOptions options;
  options.schemes.theory = false;
  GameReview review = assemble(game, std::move(evals), options);
  EXPECT_EQ(review.plies[2].verdicts->points.cls, verdict::PointsClass::excellent);
  ASSERT_TRUE(add_people(review, model, people_of(game, model, {})));
  expect::FakeEvaluator engine;
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Qh5", "g6"}))] = 600;  // drops the rook
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Nf3"}))] = 30;
  engine.centipawns[chess::format_fen(after({"e4", "e5", "Nf3", "Nc6"}))] = 30;
  expect::Parameters parameters = review_parameters(18);
  EXPECT_EQ(parameters.depth, 12);
  parameters.threshold = 0.3;
  add_expectations(review, model, engine, parameters, {});
  const PlyPeople& people = *review.plies[2].people;
  ASSERT_TRUE(people.expected_played && people.expected_best);
  const auto w = [](int cp) { return verdict::win_rate(verdict::Centipawns{cp}, verdict::lichess_slope).value(); };
  EXPECT_NEAR(people.expected_played->value(), 0.6 * w(600) + 0.4 * w(0), 1e-9);
  EXPECT_NEAR(people.expected_best->value(), w(30), 1e-9);
  EXPECT_EQ(review.plies[2].verdicts->points.cls, verdict::PointsClass::risky);
  EXPECT_EQ(review.white.game.classes[static_cast<std::size_t>(verdict::PointsClass::risky)], 1);
  EXPECT_FALSE(review.plies[0].people->expected_played) << "the best move needs no comparison";
  EXPECT_EQ(sentence_of(people).find("Against 1500s it scores "), sentence_of(people).find("Against"));
}

TEST(People, AreNotAskedAfterAStop) {
  human::FakeModel model;
  const pgn::Game game = game_of("1. e4 e5 2. Qh5 *\n");
  GameEvals evals{eval({}, 30, "e4"), eval({"e4"}, 30, "e5"), eval({"e4", "e5"}, 30, "Nf3"),
                  eval({"e4", "e5", "Qh5"}, 0, "Nc6")};
  ReviewOptions options;
  options.schemes.theory = false;
  GameReview review = assemble(game, std::move(evals), options);
  ASSERT_TRUE(add_people(review, model, people_of(game, model, {})));
  expect::FakeEvaluator engine;
  engine.source.request_stop();
  add_expectations(review, model, engine, review_parameters(18), engine.source.get_token());
  EXPECT_EQ(engine.asked, 0U);
  EXPECT_EQ(review.plies[2].verdicts->points.cls, verdict::PointsClass::excellent);
}

}  // namespace
}  // namespace pm::review
