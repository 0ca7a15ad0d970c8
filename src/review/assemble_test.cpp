#include <gtest/gtest.h>

#include "chess/san.h"
#include "review/game_review.h"
#include "review/pgn_evals.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

using verdict::Label;
using verdict::PointsClass;

// A review keeps a reference to its game, so the two live together.
struct Reviewed {
  explicit Reviewed(std::string_view text, const verdict::SchemeOptions& options = {},
                    const book::PolyglotBook* extra = nullptr)
      : game(read_game(text)), review(assemble(game, evidence_of_comments(game, extra), options)) {}
  pgn::Game game;
  GameReview review;

  PointsClass cls(std::size_t ply) const { return review.plies.at(ply).verdicts.value().points.cls; }
};

TEST(Review, takes_the_files_scores_and_counts_the_start_as_fifteen) {
  const Reviewed r("1. a4 { [%eval -0.15] } h5 { [%eval 1.20] } *");
  EXPECT_EQ(r.review.before(0).lines[0].score, score::WhiteScore(score::Centipawns{15}));
  EXPECT_EQ(r.review.plies[0].verdicts->acpl.loss, 30);
  EXPECT_EQ(r.review.plies[1].verdicts->acpl.loss, 135);
  EXPECT_EQ(r.review.white.game.acpl, 30);
  EXPECT_EQ(r.review.black.game.acpl, 135);
}

TEST(Review, a_ply_without_a_score_has_no_verdict_and_says_so) {
  const Reviewed r("1. a4 { [%eval 0.1] } h5 2. a5 { [%eval 0.1] } h4 { [%eval 0.1] } *");
  EXPECT_TRUE(r.review.plies[0].verdicts);
  EXPECT_FALSE(r.review.plies[1].verdicts);
  EXPECT_EQ(r.review.plies[1].no_verdict, "no score after this move");
  EXPECT_EQ(r.review.plies[2].no_verdict, "no score before this move");
  EXPECT_TRUE(r.review.plies[3].verdicts);
  EXPECT_EQ(r.review.black.game.moves, 1);
}

TEST(Review, a_game_without_scores_has_no_figures) {
  const Reviewed r("1. e4 e5 2. Nf3 *");
  EXPECT_EQ(r.review.white.game.moves, 0);
  EXPECT_EQ(r.review.white.game.lichess_accuracy, std::nullopt);
  EXPECT_EQ(r.review.opening->opening.name, "King's Knight Opening");
}

TEST(Review, black_may_move_first_and_moves_before_a_fen_are_not_missed) {
  const Reviewed r(
      "[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 40\"]\n\n40... e1=Q+ { [%eval #-5] } 41. Ka2 { [%eval #-4] } *");
  EXPECT_EQ(r.review.plies[0].mover, chess::Colour::black);
  EXPECT_EQ(r.review.plies[0].number, 40);
  EXPECT_EQ(r.cls(0), PointsClass::best);
  EXPECT_EQ(r.review.plies[0].phase, verdict::Phase::endgame);
  EXPECT_EQ(r.review.black.game.moves, 1);
}

TEST(Review, fools_mate_is_best_not_theory_and_needs_no_score) {
  const Reviewed r("1. f3 { [%eval -0.8] } e5 { [%eval -0.7] } 2. g4 { [%eval #-1] } Qh4# 0-1");
  EXPECT_EQ(r.cls(2), PointsClass::blunder);
  EXPECT_EQ(r.cls(3), PointsClass::best);
  EXPECT_EQ(r.review.plies[3].verdicts->points.reason.text(), "Checkmate.");
  EXPECT_EQ(r.review.black.game.moves, 2);
}

TEST(Review, a_draw_on_the_board_needs_no_score) {
  const Reviewed r("[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 *");  // stalemate
  EXPECT_EQ(r.review.plies[0].verdicts->acpl.loss, 15);
}

TEST(Review, fivefold_repetition_is_a_draw_whatever_the_file_says) {
  std::string text = "1. Nf3 Nf6 ";
  for (int n = 0; n < 4; ++n) text += "Ng1 Ng8 Nf3 Nf6 ";
  const Reviewed r(text + "{ [%eval 9.0] } *");
  EXPECT_EQ(r.review.evidence.positions.back().lines.at(0).score, score::WhiteScore(score::Centipawns{0}));
}

TEST(Review, theory_is_known_by_position_and_can_be_turned_off) {
  const Reviewed r("1. Nf3 { [%eval 0] } Nc6 { [%eval 0] } 2. e4 { [%eval 0] } e5 { [%eval -2] } *");
  EXPECT_EQ(r.cls(3), PointsClass::theory);
  EXPECT_EQ(r.review.plies[3].verdicts->labels.label, Label::book);
  EXPECT_EQ(r.review.plies[3].verdicts->points.reason.text(),
            "A known opening position: King's Knight Opening: Normal Variation.");
  EXPECT_EQ(r.review.opening->ply, 4U);
  verdict::SchemeOptions options;
  options.theory = false;
  EXPECT_EQ(Reviewed("1. e4 { [%eval -2] } *", options).cls(0), PointsClass::mistake);
}

TEST(Review, an_extra_book_adds_moves) {
  const chess::Position start = chess::Position::start();
  std::string entry;
  for (int shift = 56; shift >= 0; shift -= 8) entry += static_cast<char>(start.key() >> shift);
  entry += std::string{'\x02', '\x18', 0, 1, 0, 0, 0, 0};  // a2a4
  const auto book = book::PolyglotBook::parse(entry, "book").value();
  const Reviewed r("1. a4 { [%eval -2] } a6 { [%eval -2] } *", {}, &book);
  EXPECT_EQ(r.cls(0), PointsClass::theory);
  EXPECT_NE(r.cls(1), PointsClass::theory);
}

// 3...g6 has no name in this order, 4...Bg7 has.
TEST(Review, theory_has_no_holes_up_to_the_last_named_position) {
  const Reviewed r(
      "1. e4 { [%eval 0.3] } d6 { [%eval 0.6] } 2. d4 { [%eval 0.6] } Nf6 { [%eval 0.6] } 3. Nf3 { [%eval 0.0] } "
      "g6 { [%eval 1.1] } 4. Nc3 { [%eval 0.6] } Bg7 { [%eval 0.7] } 5. Ng5 { [%eval 0.1] } *");
  for (std::size_t ply = 0; ply < 8; ++ply) EXPECT_EQ(r.cls(ply), PointsClass::theory) << ply;
  EXPECT_NE(r.cls(8), PointsClass::theory);
  const std::string& text = r.review.plies[5].verdicts->points.reason.text();
  EXPECT_NE(text.find("on the way to Pirc Defense"), std::string::npos) << text;
  EXPECT_NE(text.find("It costs 9.5% winning chances, though."), std::string::npos) << text;
  EXPECT_EQ(r.review.plies[5].verdicts->labels.label, verdict::Label::book);
}

TEST(Review, without_an_engine_nothing_is_critical_or_brilliant) {
  // Legal's mate: a sacrifice by every rule, but nobody can say that it was the best move.
  const Reviewed r(
      "[FEN \"rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5\"]\n\n"
      "5. Nxe5 { [%eval 2.2] } *");
  EXPECT_EQ(r.cls(0), PointsClass::best);
}

TEST(Review, a_null_move_is_not_judged) {
  const Reviewed r("1. -- { [%eval 0.1] } e5 { [%eval 0.1] } *");
  ASSERT_EQ(r.review.plies.size(), 2U);
  EXPECT_EQ(r.review.plies[0].no_verdict, "a null move is not judged");
}

TEST(Review, clocks_are_kept) {
  const Reviewed r("1. e4 { [%clk 0:09:58] } *");
  EXPECT_EQ(r.review.evidence.plies[0].clock, std::chrono::seconds(598));
}

TEST(Review, mate_zero_in_a_comment_is_no_score) {
  const Reviewed r("1. e4 { [%eval #0] } *");
  EXPECT_EQ(r.review.plies[0].no_verdict, "no score after this move");
}

// A line of an engine: White's centipawns and a first move.
engine::Evaluation evaluation(const chess::Position& position, int centipawns, const char* best) {
  const chess::Move move = chess::parse_san(position, best).value();
  return {{score::Line{score::WhiteScore(score::Centipawns{centipawns}), 12, {move}}}};
}

// 1. e4 e5 2. Qh5 as an engine might see it.
Evidence engine_evidence(const pgn::Game& game) {
  Evidence evidence = evidence_of(game, nullptr);
  evidence.engine = EngineUsed{"engine", "", {}, {}, 2};
  chess::Position position = game.start;
  evidence.positions[0] = evaluation(position, 30, "e4");
  position.play(chess::parse_san(position, "e4").value());
  evidence.positions[1] = evaluation(position, 30, "e5");
  position.play(chess::parse_san(position, "e5").value());
  evidence.positions[2] = evaluation(position, 30, "Nf3");
  position.play(chess::parse_san(position, "Qh5").value());
  evidence.positions[3] = evaluation(position, -120, "Nc6");
  return evidence;
}

TEST(Assemble, the_same_evidence_is_judged_by_other_rules_without_an_engine) {
  const pgn::Game game = read_game("1. e4 e5 2. Qh5 *");
  const Evidence evidence = engine_evidence(game);
  verdict::SchemeOptions options;
  const GameReview with_book = assemble(game, evidence, options);
  EXPECT_EQ(with_book.plies[0].verdicts->points.cls, PointsClass::theory);
  options.theory = false;
  const GameReview without = assemble(game, evidence, options);
  EXPECT_EQ(without.plies[0].verdicts->points.cls, PointsClass::best);
  EXPECT_EQ(without.plies[2].verdicts->points.cls, PointsClass::mistake);
  EXPECT_EQ(with_book.evidence.positions.size(), without.evidence.positions.size());
}

TEST(Assemble, the_better_line_is_never_the_move_played) {
  const pgn::Game game = read_game("1. e4 e5 2. Qh5 *");
  const GameReview review = assemble(game, engine_evidence(game), {});
  EXPECT_EQ(review.better_line(0), nullptr);
  EXPECT_EQ(review.better_line(1), nullptr);
  ASSERT_NE(review.better_line(2), nullptr);
  EXPECT_EQ(chess::format_san(review.positions[2], review.better_line(2)->pv.front()), "Nf3");
}

TEST(Assemble, the_engines_first_choice_is_an_error_in_no_scheme) {
  // However much it seems to lose: a win, a draw, a mate.
  const pgn::Game game = read_game("1. e4 e5 2. Nf3 *");
  struct Case {
    score::Score before;
    score::Score after;
  };
  using score::Centipawns;
  using score::Mate;
  const Case cases[] = {{Centipawns{950}, Centipawns{0}}, {Centipawns{20}, Centipawns{-400}},
                        {Mate{3, true}, Centipawns{100}}, {Centipawns{100}, Mate{4, false}},
                        {Mate{2, true}, Mate{9, false}},  {Centipawns{0}, Centipawns{-250}}};
  for (const Case& c : cases) {
    Evidence evidence = engine_evidence(game);
    evidence.positions[2].lines.front().score = score::WhiteScore(c.before);
    evidence.positions[3].lines.front().score = score::WhiteScore(c.after);
    verdict::SchemeOptions options;
    options.theory = false;
    const GameReview review = assemble(game, evidence, options);
    const verdict::Verdicts& verdicts = *review.plies[2].verdicts;
    EXPECT_EQ(verdict::info(verdicts.points.cls).value, 5);
    EXPECT_EQ(verdicts.labels.label, Label::best);
    EXPECT_EQ(verdicts.labels.severity, Label::best);
    EXPECT_EQ(verdicts.acpl.error, std::nullopt);
    EXPECT_EQ(verdicts.lichess.judgement, std::nullopt);
    EXPECT_EQ(review.white.game.acpl_errors.of(verdict::Judgement::blunder), 0);
  }
}

TEST(Assemble, a_verdict_of_an_earlier_review_is_believed) {
  const Reviewed r("1. a4 { [%eval 0.1] } { BRILLIANT: Offers the pawn. } *");
  EXPECT_EQ(r.cls(0), PointsClass::brilliant);
  EXPECT_EQ(r.review.plies[0].verdicts->points.reason.text(), "Offers the pawn.");
  EXPECT_EQ(r.review.white.game.classes[static_cast<std::size_t>(PointsClass::brilliant)], 1);
}

}  // namespace
}  // namespace pm::review
