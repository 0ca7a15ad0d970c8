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
#include "review/traps.h"

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
  evidence.engine = EngineUsed{"engine", "", {}, {}, 2};
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
  evidence.plies[2].expectation = Expectation{{score::WinRate(.6)}, {score::WinRate(.5)}, best};
  ASSERT_TRUE(ask_about_people(evidence, game, model, {1500, 1500}));
  EXPECT_TRUE(evidence.plies[2].expectation);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {1900, 1500}));
  EXPECT_FALSE(evidence.plies[2].expectation);
  EXPECT_EQ(evidence.human->white_rating, 1900);
}

// Worse by the engine, but people go wrong against it.
class AnEarlyQueen : public testing::Test {
 protected:
  AnEarlyQueen() {
    tell(model_, {"e4", "e5", "Qh5"}, {{"Nc6", 0.4}, {"g6", 0.6}});
    tell(model_, {"e4", "e5", "Qh5", "g6"}, {{"Qxe5+", 1}});
    tell(model_, {"e4", "e5", "Qh5", "Nc6"}, {{"Bc4", 1}});
    tell(model_, {"e4", "e5", "Nf3"}, {{"Nc6", 1}});
    tell(model_, {"e4", "e5", "Nf3", "Nc6"}, {{"Bc4", 1}});
    engine_.otherwise = [](const engine::Question& /*question*/) { return 30; };
    set({"Qh5", "g6"}, 600);  // drops the rook
    set({"Qh5", "g6", "Qxe5+"}, 600);
    set({"Qh5", "Nc6"}, 0);
    set({"Qh5", "Nc6", "Bc4"}, 0);
    EXPECT_TRUE(ask_about_people(evidence_, game_, model_, {}));
  }
  void set(std::vector<const char*> line, int centipawns) {
    line.insert(line.begin(), {"e4", "e5"});
    engine_.centipawns[chess::format_fen(after(line))] = centipawns;
  }
  std::vector<PlyToCompare> to_compare(People people) {
    const GameReview review = assemble(game_, evidence_, without_theory());
    return *plies_to_compare(review, people, model_, engine_, engine_.source.get_token());
  }

  human::FakeModel model_;
  engine::FakeEvaluator engine_;
  pgn::Game game_ = read_game("1. e4 e5 2. Qh5 *\n");
  Evidence evidence_ = early_queen(game_);
};

TEST_F(AnEarlyQueen, may_be_risky) {
  const std::vector<PlyToCompare> risky{{2, true}};
  EXPECT_EQ(to_compare(People::quick), risky) << "the best moves need no comparison";
  EXPECT_EQ(to_compare(People::full), risky);
}

TEST_F(AnEarlyQueen, is_decided_at_a_glance_when_people_go_right) {
  set({"Qh5", "g6"}, 0);
  const std::vector<PlyToCompare> not_risky{{2, false}};
  EXPECT_EQ(to_compare(People::full), not_risky);
  EXPECT_EQ(to_compare(People::quick), std::vector<PlyToCompare>{});
  EXPECT_EQ(engine_.asked, 2U) << "the reply nobody knows, twice";
}

TEST_F(AnEarlyQueen, needs_no_engine_when_people_find_the_best_reply) {
  tell(model_, {"e4", "e5", "Qh5"}, {{"Nc6", 0.97}, {"g6", 0.03}});
  EXPECT_EQ(to_compare(People::quick), std::vector<PlyToCompare>{});
  EXPECT_EQ(engine_.asked, 0U);
}

TEST_F(AnEarlyQueen, is_risky) {
  const GameReview before = assemble(game_, evidence_, without_theory());
  EXPECT_EQ(before.plies[2].verdicts->points.cls, verdict::PointsClass::excellent);
  const expect::Parameters parameters = review_parameters({}, People::quick, true);
  EXPECT_EQ(parameters.depth, 10);
  evidence_.plies[2].expectation = compare_with_best(before, {2, true}, parameters, model_, engine_, {});
  ASSERT_TRUE(evidence_.plies[2].expectation);
  const Expectation& expected = *evidence_.plies[2].expectation;
  const auto w = [](int cp) { return score::win_rate(score::Centipawns{cp}, score::lichess_slope).value(); };
  EXPECT_NEAR(expected.played.expected.value(), 0.6 * w(600) + 0.4 * w(0), 1e-9);
  EXPECT_NEAR(expected.best.expected.value(), w(30), 1e-9);
  EXPECT_NEAR(expected.played.confidence, 1, 1e-9);
  const GameReview review = assemble(game_, evidence_, without_theory());
  const verdict::PointsVerdict& verdict = review.plies[2].verdicts->points;
  EXPECT_EQ(verdict.cls, verdict::PointsClass::risky);
  EXPECT_NE(verdict.reason.text().find("60% answer g6, and then comes Qxe5+."), std::string::npos)
      << verdict.reason.text();
  EXPECT_EQ(review.white.game.classes[static_cast<std::size_t>(verdict::PointsClass::risky)], 1);
  EXPECT_NE(human_sentence(review, 2).find("Against 1500s it scores "), std::string::npos);
}

TEST_F(AnEarlyQueen, says_when_the_model_fails) {
  class Failing final : public human::HumanModel {
   public:
    const human::ModelIdentity& identity() const override { return identity_; }
    Expected<std::vector<human::Prediction>> predict(std::span<const human::Query>, human::Want) override {
      return fail(ErrorCode::weights_format, "out of order");
    }

   private:
    human::ModelIdentity identity_;
  };
  Failing failing;
  const auto plies =
      plies_to_compare(assemble(game_, evidence_, without_theory()), People::quick, failing, engine_, {});
  ASSERT_FALSE(plies);
  EXPECT_EQ(plies.error().sentence, "out of order");
}

// An error whose better move few would have found is worth a figure.
TEST_F(AnEarlyQueen, is_compared_as_an_error_when_the_better_move_is_hard_to_find) {
  evidence_.positions[3] = eval({"e4", "e5", "Qh5"}, -300, "Nc6");
  tell(model_, {"e4", "e5"}, {{"Qh5", 0.5}, {"Nf3", 0.5}});
  EXPECT_EQ(to_compare(People::quick), std::vector<PlyToCompare>{});
  tell(model_, {"e4", "e5"}, {{"Qh5", 0.95}, {"Nf3", 0.05}});
  const std::vector<PlyToCompare> error{{2, false}};
  EXPECT_EQ(to_compare(People::quick), error);
}

// g6 is not the engine's reply, but most people's.
TEST_F(AnEarlyQueen, sets_a_trap) {
  const GameReview review = assemble(game_, evidence_, without_theory());
  const auto questions = possible_traps(review, model_);
  ASSERT_TRUE(questions);
  ASSERT_EQ(questions->size(), 1U);
  const TrapQuestion& question = questions->front();
  EXPECT_EQ(question.ply, 2U);
  EXPECT_EQ(chess::format_fen(question.after), chess::format_fen(after({"e4", "e5", "Qh5", "g6"})));
  EXPECT_FALSE(question.line) << "the engine has to be asked";
  const auto answer = [&](int centipawns) {
    std::vector<chess::Move> moves;
    std::vector<const char*> line{"e4", "e5", "Qh5", "g6"};
    for (const char* san : {"Qxe5+", "Qe7", "Qxh8"}) {
      moves.push_back(chess::parse_san(after(line), san).value());
      line.push_back(san);
    }
    return trap_of(question, {score::WhiteScore(score::Centipawns{centipawns}), 12, moves});
  };
  EXPECT_FALSE(answer(50)) << "no clear error";
  evidence_.plies[2].trap = answer(600);
  const GameReview told = assemble(game_, evidence_, without_theory());
  EXPECT_EQ(told.plies[2].explanation.text,
            "Sets a trap: 60% of 1500s answer g6, which allows Qxe5+, forking king and rook.");
  EXPECT_EQ(told.plies[2].explanation.claims.front().kind, explain::ClaimKind::trap);
  EXPECT_EQ(told.plies[2].explanation.claims.front().line.size(), 6U) << "from before the move";
  ASSERT_TRUE(ask_about_people(evidence_, game_, model_, {1900, 1500}));
  EXPECT_FALSE(evidence_.plies[2].trap) << "other people, other replies";
}

TEST_F(AnEarlyQueen, sets_no_trap_when_people_find_the_best_reply) {
  tell(model_, {"e4", "e5", "Qh5"}, {{"Nc6", 0.97}, {"g6", 0.03}});
  const auto questions = possible_traps(assemble(game_, evidence_, without_theory()), model_);
  ASSERT_TRUE(questions);
  EXPECT_TRUE(questions->empty());
}

TEST_F(AnEarlyQueen, is_not_asked_about_after_a_stop) {
  engine_.source.request_stop();
  const GameReview review = assemble(game_, evidence_, without_theory());
  EXPECT_EQ(to_compare(People::full), std::vector<PlyToCompare>{});
  const expect::Parameters parameters = review_parameters({}, People::full, false);
  EXPECT_FALSE(compare_with_best(review, {2, false}, parameters, model_, engine_, engine_.source.get_token()));
  EXPECT_EQ(engine_.asked, 0U);
}

}  // namespace
}  // namespace pm::review
