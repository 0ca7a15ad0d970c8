// How hard moves are to find and whose play they look like, with a model that answers from tables.
#include "review/across_ratings.h"

#include <gtest/gtest.h>

#include <map>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "human/fake_model.h"
#include "review/human_statistics.h"
#include "review/pgn_evals.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

const std::vector<int> steps{1100, 1500, 1900};

// White to take a queen with the knight, if they see it: 1. e4 e5 2. Nf3 Qg5 3. Nxg5.
class AQueenToTake : public testing::Test {
 protected:
  AQueenToTake() {
    see({{1100, .1}, {1500, .3}, {1900, .8}});
    position_ = game_.start;
    for (const char* san : {"e4", "e5", "Nf3", "Qg5"}) position_.play(chess::parse_san(position_, san).value());
  }

  void see(const std::map<int, double>& takes_at) {
    chess::Position position = chess::Position::start();
    for (const char* san : {"e4", "e5", "Nf3", "Qg5"}) position.play(chess::parse_san(position, san).value());
    for (const auto& [rating, takes] : takes_at) {
      model_.set(
          chess::format_fen(position),
          {{chess::parse_san(position, "Nxg5")->bits(), takes}, {chess::parse_san(position, "d3")->bits(), 1 - takes}},
          rating);
    }
  }

  // The game up to the third move, which is `third`; the engine takes, and sees `second` of the other moves.
  GameReview review(const char* third, int second) {
    game_ = read_game(std::string("1. e4 e5 2. Nf3 Qg5 3. ") + third + " *\n");
    Evidence evidence = evidence_of(game_, nullptr);
    evidence.engine = EngineUsed{"engine", "", {}, {}, 2};
    const chess::Move takes = chess::parse_san(position_, "Nxg5").value();
    const chess::Move other = chess::parse_san(position_, "d3").value();
    const auto line = [](int centipawns, chess::Move move) {
      return score::Line{score::WhiteScore(score::Centipawns{centipawns}), 12, {move}};
    };
    for (std::size_t at = 0; at < 4; ++at)
      evidence.positions[at] = {{score::Line{score::WhiteScore(score::Centipawns{30}), 12, {}}}};
    evidence.positions[4] = engine::Evaluation{{line(900, takes), line(second, other)}};
    const bool taken = std::string_view(third) == "Nxg5";
    evidence.positions[5] = {{score::Line{score::WhiteScore(score::Centipawns{taken ? 900 : second}), 12, {}}}};
    EXPECT_TRUE(ask_about_people(evidence, game_, model_, {}));
    EXPECT_TRUE(ask_across_ratings(evidence, game_, model_, 0, [] { return false; }));
    return assemble(game_, evidence, {});
  }

  human::FakeModel model_{steps};
  pgn::Game game_ = read_game("*\n");
  chess::Position position_ = chess::Position::start();
};

TEST_F(AQueenToTake, HasADifficultyWhenItIsMissed) {
  const GameReview missed = review("d3", 0);
  ASSERT_TRUE(missed.plies[4].finding);
  const Finding& finding = *missed.plies[4].finding;
  EXPECT_EQ(chess::format_san(position_, finding.move), "Nxg5");
  EXPECT_DOUBLE_EQ(finding.found, .3);
  EXPECT_EQ(finding.difficulty, (human::Difficulty{human::Difficulty::Reach::about, 1650}));
  EXPECT_TRUE(finding.alone);
  EXPECT_EQ(finding_sentence(missed, 4), "Most 1500s miss Nxg5 (30% find it); it takes about 1650.");
  EXPECT_NE(human_sentence(missed, 4).find(finding_sentence(missed, 4)), std::string::npos);
}

TEST_F(AQueenToTake, SaysHowManyOfTheStrongestFindItWhenThatIsNotHalf) {
  see({{1500, .04}, {1900, .45}});
  EXPECT_EQ(finding_sentence(review("d3", 0), 4), "Most 1500s miss Nxg5 (4% find it, 45% of 1900s).");
  see({{1500, .004}, {1900, .01}});
  EXPECT_EQ(finding_sentence(review("d3", 0), 4), "Most 1500s miss Nxg5 (fewer than 1% find it), as do most 1900s.");
}

TEST_F(AQueenToTake, IsNotCalledMissedByMostWhereOthersAreAsGoodOrManyFindIt) {
  EXPECT_EQ(finding_sentence(review("d3", 880), 4), "");
  see({{1500, .4}});
  const GameReview found = review("d3", 0);
  ASSERT_TRUE(found.plies[4].finding);
  EXPECT_EQ(finding_sentence(found, 4), "");
}

TEST_F(AQueenToTake, HasADifficultyWhenItIsAFeat) {
  const GameReview taken = review("Nxg5", 0);
  if (taken.plies[4].verdicts->points.cls == verdict::PointsClass::critical) {
    ASSERT_TRUE(taken.plies[4].finding);
    EXPECT_EQ(finding_sentence(taken, 4), "It takes about 1650.");
  } else {
    EXPECT_FALSE(taken.plies[4].finding);
  }
}

TEST(AcrossRatings, AreAskedOnceAndAgainWhereTheBestMoveHasChanged) {
  human::FakeModel model(steps);
  const pgn::Game& game = long_game();
  Evidence evidence = evidence_of_comments(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  const std::size_t before = model.asked;
  ASSERT_TRUE(ask_across_ratings(evidence, game, model, 0, [] { return false; }));
  EXPECT_EQ(model.asked - before, evidence.plies.size() * steps.size());
  EXPECT_EQ(evidence.human->sampled, steps);
  ASSERT_TRUE(ask_across_ratings(evidence, game, model, 0, [] { return false; }));
  EXPECT_EQ(model.asked - before, evidence.plies.size() * steps.size());
  const chess::Move h4 = chess::parse_san(game.start, "h4").value();
  evidence.positions[0] = {{score::Line{score::WhiteScore(score::Centipawns{30}), 12, {h4}}}};
  ASSERT_TRUE(ask_across_ratings(evidence, game, model, 0, [] { return false; }));
  EXPECT_EQ(model.asked - before, (evidence.plies.size() + 1) * steps.size());
  EXPECT_EQ(evidence.plies[0].across->best, h4);
}

TEST(AcrossRatings, StopWhenAsked) {
  human::FakeModel model(steps);
  Evidence evidence = evidence_of_comments(long_game());
  ASSERT_TRUE(ask_about_people(evidence, long_game(), model, {}));
  const std::size_t before = model.asked;
  ASSERT_TRUE(ask_across_ratings(evidence, long_game(), model, 0, [] { return true; }));
  EXPECT_EQ(model.asked, before);
}

// People of 1900 play all of White's moves, nobody Black's.
TEST(AcrossRatings, SayWhosePlayItLooksLike) {
  human::FakeModel model(steps);
  std::string moves;
  for (int i = 0; i < 13; ++i) moves += "Nf3 Nf6 Ng1 Ng8 ";
  const pgn::Game game = read_game(moves + "*\n");
  chess::Position position = game.start;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    const chess::Move move = game.node(n).move;
    if (position.side_to_move() == chess::Colour::white)
      model.set(chess::format_fen(position), {{move.bits(), 1}}, 1900);
    position.play(move);
  }
  Evidence evidence = evidence_of_comments(game);
  ASSERT_TRUE(ask_about_people(evidence, game, model, {}));
  EXPECT_FALSE(assemble(game, evidence, {}).played_like(chess::Colour::white));
  ASSERT_TRUE(ask_across_ratings(evidence, game, model, 0, [] { return false; }));
  const GameReview review = assemble(game, evidence, {});
  ASSERT_TRUE(review.played_like(chess::Colour::white));
  EXPECT_EQ(review.played_like(chess::Colour::white)->rating, 1900);
  EXPECT_EQ(review.played_like(chess::Colour::white)->moves, 26);
  ASSERT_TRUE(review.played_like(chess::Colour::black));
  EXPECT_EQ(review.played_like(chess::Colour::black)->low, 1100) << "every rating is as likely";
  EXPECT_EQ(review.played_like(chess::Colour::black)->high, 1900);
}

}  // namespace
}  // namespace pm::review
