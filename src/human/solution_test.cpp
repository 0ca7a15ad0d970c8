#include "human/solution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "human/fake_model.h"

namespace pm::human {
namespace {

// Two rooks mate in two: 1. Ra7+ is one of many moves, 2. Rb8# is found by half.
Solution ladder() {
  Solution solution{chess::PositionHistory(chess::parse_fen("6k1/8/8/8/8/8/R7/1R5K w - - 0 1").value()), {}};
  chess::Position position = solution.history.newest();
  for (const char* move : {"a2a7", "g8f8", "b1b8"}) {
    solution.moves.push_back(chess::parse_uci(position, move).value());
    position.play(solution.moves.back());
  }
  return solution;
}

TEST(Solution, IsWhatTheModelMakesOfTheSolversMoves) {
  const Solution solution = ladder();
  FakeModel model({1000, 2000});
  chess::Position position = solution.history.newest();
  const auto other = [&] {
    return chess::legal_moves(position)[0] == solution.moves[0] ? chess::legal_moves(position)[1]
                                                                : chess::legal_moves(position)[0];
  };
  model.set(chess::format_fen(position), {{solution.moves[0].bits(), .25}, {other().bits(), .75}}, 1000);
  model.set(chess::format_fen(position), {{solution.moves[0].bits(), .5}, {other().bits(), .5}}, 2000);
  const double legal = static_cast<double>(chess::legal_moves(position).size());
  position.play(solution.moves[0]);
  position.play(solution.moves[1]);
  model.set(chess::format_fen(position), {{solution.moves[2].bits(), 1}});
  const auto facts = ask_about_solutions(model, std::vector{solution, solution});
  ASSERT_TRUE(facts) << facts.error().sentence;
  ASSERT_EQ(facts->size(), 2U);
  for (const SolutionFacts& each : *facts) {
    EXPECT_NEAR(each.log_product, (std::log(.25) + std::log(.5)) / 2, 1e-9);
    EXPECT_NEAR(each.log_product_low, std::log(.25), 1e-9);
    EXPECT_NEAR(each.product, .375, 1e-9);
    EXPECT_NEAR(each.log_least, (std::log(.25) + std::log(.5)) / 2, 1e-9);
    EXPECT_NEAR(each.log_legal, std::log(legal), 1e-9);
    EXPECT_NEAR(each.spread, std::log(2), 1e-9) << "at the rating in the middle, of two the upper";
    EXPECT_EQ(each.checks, 0);
    EXPECT_EQ(each.mates, 1);
  }
}

TEST(Solution, HasARatingByModelsThatWereMeasured) {
  FakeModel model;
  const auto facts = ask_about_solutions(model, std::vector{ladder()}).value().front();
  EXPECT_FALSE(puzzle_rating(facts, "fake"));
  const auto easy = puzzle_rating(facts, "Postmortem-2");
  ASSERT_TRUE(easy);
  EXPECT_GE(*easy, 400);
  EXPECT_LE(*easy, 3200);
}

TEST(Solution, IsRatedHigherWhenFewerFindIt) {
  SolutionFacts known;
  known.log_product = known.log_product_low = known.log_least = -.2;
  known.product = .8;
  known.log_legal = std::log(30);
  known.spread = 1;
  SolutionFacts hidden = known;
  hidden.log_product = hidden.log_least = -4;
  hidden.log_product_low = -6;
  hidden.product = .05;
  EXPECT_LT(*puzzle_rating(known, "Postmortem-2") + 300, *puzzle_rating(hidden, "Postmortem-2"));
}

}  // namespace
}  // namespace pm::human
