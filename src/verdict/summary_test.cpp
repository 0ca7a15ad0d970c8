#include "verdict/summary.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"

namespace pm::verdict {
namespace {

using chess::Colour;

TEST(Phase, is_decided_by_pieces_back_ranks_and_the_move_number) {
  struct Case {
    const char* fen;
    Phase phase;
  };
  const std::vector<Case> cases{
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Phase::opening},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 15", Phase::opening},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 16", Phase::middlegame},
      {"r2q1rk1/pp3ppp/8/8/2B5/8/PP3PPP/R1BQ1RK1 w - - 0 12", Phase::middlegame},           // eight pieces
      {"rnbqkbnr/pppppppp/8/8/1N1B1B1N/8/PPPQPPPP/R3K2R w KQkq - 0 9", Phase::middlegame},  // White's back rank
      {"r4rk1/pp3ppp/8/8/2B5/8/PP3PPP/R1B2RK1 w - - 0 12", Phase::endgame},                 // six pieces
      {"8/5k2/8/8/8/8/4P3/4K3 b - - 0 1", Phase::endgame},
  };
  for (const Case& c : cases) EXPECT_EQ(phase_of(chess::parse_fen(c.fen).value()), c.phase) << c.fen;
}

TEST(Phase, never_goes_back) { EXPECT_EQ(phase_of(chess::Position::start(), Phase::endgame), Phase::endgame); }

// The verdicts of 1. e4 with these scores.
Verdicts verdicts_of(int before, int after) {
  static const chess::Position start = chess::Position::start();
  const chess::Move move = chess::parse_san(start, "e4").value();
  const chess::Position next = start.after(move);
  const std::vector<Line> lines{{WhiteScore(Centipawns{before}), 18, {}}};
  const std::vector<Line> lines_after{{WhiteScore(Centipawns{after}), 18, {}}};
  return judge({start, move, next, lines, lines_after});
}

PlyScore ply_score(int before, int after) {
  return {Colour::white, WhiteScore(Centipawns{before}), WhiteScore(Centipawns{after})};
}

TEST(Summary, adds_up_a_game_and_its_phases) {
  const Verdicts good = verdicts_of(20, 20);
  const Verdicts bad = verdicts_of(20, -200);
  const std::vector<SummedPly> plies{{Phase::opening, good, ply_score(20, 20)},
                                     {Phase::endgame, bad, ply_score(20, -200)}};
  const PlayerSummary white = summarise(plies, Colour::white);
  EXPECT_EQ(white.game.moves, 2);
  EXPECT_EQ(white.game.acpl, 110);
  EXPECT_EQ(white.game.acpl_errors.of(Judgement::blunder), 1);
  EXPECT_EQ(white.game.lichess_acpl, 110);
  EXPECT_EQ(white.game.lichess_errors.of(Judgement::blunder), 1);
  EXPECT_EQ(white.game.classes[static_cast<std::size_t>(PointsClass::best)], 1);
  EXPECT_EQ(white.game.classes[static_cast<std::size_t>(PointsClass::mistake)], 1);
  EXPECT_EQ(white.game.labels[static_cast<std::size_t>(Label::best)], 1);
  EXPECT_NEAR(*white.game.points_accuracy, (good.points.accuracy + bad.points.accuracy) / 2, 1e-9);
  EXPECT_EQ(white.phases[0].moves, 1);
  EXPECT_EQ(white.phases[0].acpl, 0);
  EXPECT_EQ(white.phases[1].moves, 0);
  EXPECT_EQ(white.phases[1].points_accuracy, std::nullopt);
  EXPECT_EQ(white.phases[2].acpl, 220);
}

TEST(Summary, a_player_without_moves_has_no_figures) {
  const Verdicts v = verdicts_of(20, 20);
  const std::vector<SummedPly> plies{{Phase::opening, v, ply_score(20, 20)}};
  const PlayerSummary black = summarise(plies, Colour::black);
  EXPECT_EQ(black.game.moves, 0);
  EXPECT_EQ(black.game.points_accuracy, std::nullopt);
  EXPECT_EQ(black.game.acpl, std::nullopt);
  EXPECT_EQ(black.game.lichess_accuracy, std::nullopt);
  EXPECT_EQ(black.game.lichess_acpl, std::nullopt);
}

TEST(Summary, a_move_that_ends_the_game_counts_everywhere_but_on_lichess) {
  const Verdicts good = verdicts_of(20, 20);
  const Verdicts bad = verdicts_of(20, -80);
  const std::vector<SummedPly> plies{{Phase::opening, bad, ply_score(20, -80)},
                                     {Phase::opening, good, ply_score(20, 20), false}};
  const Summary sum = summarise(plies, Colour::white).game;
  EXPECT_EQ(sum.acpl, 50);
  EXPECT_EQ(sum.lichess_acpl, 100);
}

TEST(Summary, acpl_is_rounded_half_up) {
  EXPECT_EQ(rounded_acpl(16.5), 17);
  EXPECT_EQ(rounded_acpl(16.49), 16);
  EXPECT_EQ(rounded_acpl(0), 0);
}

}  // namespace
}  // namespace pm::verdict
