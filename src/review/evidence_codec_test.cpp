#include "review/evidence_codec.h"

#include <gtest/gtest.h>

#include "chess/san.h"
#include "review/game_review.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

// Every kind of thing that evidence can hold.
Evidence full_evidence(const pgn::Game& game) {
  Evidence evidence = evidence_of(game, nullptr);
  evidence.engine = EngineUsed{
      "Stock\nfish 15.1", std::string(64, 'b'), {{"Hash", "64"}, {"Skill Level", "a=b"}}, {}, 2, Effort::adaptive};
  evidence.human = HumanUsed{"Postmortem-2", std::string(64, 'a'), 1500, 1900, People::quick, {1100, 1500, 1900}};
  chess::Position position = game.start;
  const auto move = [&](const char* san) { return chess::parse_san(position, san).value(); };
  evidence.positions[0].lines = {{score::WhiteScore(score::Centipawns{31}), 18, {move("e4")}, 1234},
                                 {score::WhiteScore(score::Mate{3, false}), 17, {move("d4")}, 0}};
  evidence.positions[0].shallow = score::WhiteScore(score::Centipawns{-4});
  evidence.positions[0].limit = engine::Limit{};
  evidence.plies[0].human = HumanStatistics{0.123456789012345, move("d4"), 0.5};
  evidence.plies[0].expectation = Expectation{{score::WinRate(1.0 / 3), score::WinRate(.3), score::WinRate(.4), .75},
                                              {score::WinRate(0.25), score::WinRate(.2), score::WinRate(.3), .5},
                                              move("d4")};
  evidence.plies[0].across = AcrossRatings{{.1, .25, .5}, move("d4"), {.9, 0, 1}};
  const chess::Position after = position.after(move("e4"));
  evidence.plies[0].expectation->reply = chess::parse_san(after, "d5").value();
  evidence.plies[0].expectation->reply_probability = .6;
  evidence.plies[0].expectation->answer =
      chess::parse_san(after.after(evidence.plies[0].expectation->reply), "exd5").value();
  evidence.plies[0].better_than_thought = true;
  const chess::Move d4 = move("d4");
  const chess::Move reply = chess::parse_san(position.after(d4), "e5").value();
  const chess::Move answer = chess::parse_san(position.after(d4).after(reply), "dxe5").value();
  evidence.plies[0].trap = explain::Trap{d4, reply, .75, {score::WhiteScore(score::Centipawns{150}), 12, {answer}, 99}};
  evidence.positions[1].failed = true;
  evidence.plies[1].book = BookHit::extra;
  evidence.plies[1].across = AcrossRatings{{0, .5, .25}, chess::Move::null(), {}};
  return evidence;
}

TEST(EvidenceCodec, reads_back_what_was_written) {
  const pgn::Game game = read_game("1. e4 { [%clk 0:09:58] } a5 2. Nf3 *");
  const std::string text = format_evidence(full_evidence(game));
  const auto read = parse_evidence(text, game);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(format_evidence(*read), text);
  EXPECT_EQ(read->engine->name, "Stock fish 15.1");
  EXPECT_EQ(read->engine->options[1].second, "a=b");
  EXPECT_EQ(read->plies[0].human->probability, 0.123456789012345);
  EXPECT_EQ(read->engine->sha256, std::string(64, 'b'));
  EXPECT_EQ(read->engine->effort, Effort::adaptive);
  EXPECT_EQ(read->human->people, People::quick);
  EXPECT_EQ(read->human->sampled, (std::vector{1100, 1500, 1900}));
  EXPECT_EQ(read->plies[0].across->best_played, (std::vector{.9, 0.0, 1.0}));
  EXPECT_EQ(read->plies[1].across->played, (std::vector{0.0, .5, .25}));
  EXPECT_EQ(read->plies[0].expectation->played.expected.value(), 1.0 / 3);
  EXPECT_EQ(read->plies[0].expectation->best.high.value(), .3);
  EXPECT_FALSE(read->plies[0].expectation->answer.is_null());
  EXPECT_EQ(read->plies[0].trap->probability, .75);
  EXPECT_EQ(read->plies[0].trap->line.pv.size(), 1U);
  EXPECT_FALSE(read->plies[1].trap);
  EXPECT_EQ(read->plies[0].clock, std::chrono::seconds(598)) << "from the game itself";
  EXPECT_EQ(read->plies[0].book, BookHit::named);
  EXPECT_EQ(read->plies[1].book, BookHit::extra);
  EXPECT_TRUE(read->positions[1].failed);
  EXPECT_FALSE(read->positions[2].known());
}

// As reviews were saved before version 2.
TEST(EvidenceCodec, reads_the_first_version) {
  const pgn::Game game = read_game("1. e4 *");
  const auto read = parse_evidence(
      "evidence 1\nengine X\nlimit depth 8\nlines 2\nhuman M\nsha256 ab\nratings 1500 1600\n"
      "position unknown\nply people 0.5 d2d4 0.5 expected 0.4 0.5 d2d4\nposition failed\n",
      game);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->engine->effort, Effort::full);
  EXPECT_EQ(read->plies[0].expectation->played.expected.value(), .4);
  EXPECT_EQ(read->plies[0].expectation->played.high.value(), 1) << "nobody said how sure";
}

TEST(EvidenceCodec, refuses_what_is_damaged_or_of_another_game) {
  const pgn::Game game = read_game("1. e4 a5 2. Nf3 *");
  const std::string text = format_evidence(full_evidence(game));
  for (std::size_t cut = 0; cut + 1 < text.size(); cut += 3) {
    EXPECT_FALSE(parse_evidence(text.substr(0, cut), game)) << cut;
  }
  EXPECT_FALSE(parse_evidence(text + "ply\n", game));
  EXPECT_FALSE(parse_evidence(text, read_game("1. e4 *")));
  EXPECT_FALSE(parse_evidence("", game));
  EXPECT_EQ(parse_evidence("evidence 3\n", game).error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace pm::review
