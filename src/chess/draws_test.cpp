#include "chess/draws.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::chess {
namespace {

struct EndCase {
  const char* name;
  const char* fen;
  std::optional<GameEnd> end;
};

void PrintTo(const EndCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class End : public testing::TestWithParam<EndCase> {};

TEST_P(End, is_seen) { EXPECT_EQ(game_end(parse_fen(GetParam().fen).value(), 1), GetParam().end); }

INSTANTIATE_TEST_SUITE_P(
    table, End,
    testing::Values(
        EndCase{"start_goes_on", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", std::nullopt},
        EndCase{"fools_mate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", GameEnd::checkmate},
        EndCase{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", GameEnd::stalemate},
        EndCase{"bare_kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", GameEnd::insufficient_material},
        EndCase{"lone_knight", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", GameEnd::insufficient_material},
        EndCase{"lone_bishop", "4k3/8/8/8/8/8/8/4KB2 b - - 0 1", GameEnd::insufficient_material},
        EndCase{"bishops_of_one_colour", "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", GameEnd::insufficient_material},
        EndCase{"bishops_of_two_colours", "1b2k3/8/8/8/8/8/8/4KB2 w - - 0 1", std::nullopt},
        EndCase{"two_knights", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", std::nullopt},
        EndCase{"knight_against_knight", "3nk3/8/8/8/8/8/8/3NK3 w - - 0 1", std::nullopt},
        EndCase{"a_pawn_is_enough", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", std::nullopt},
        EndCase{"seventy_five_moves", "4k3/8/8/8/8/8/8/4K2R w - - 150 100", GameEnd::seventy_five_moves},
        EndCase{"seventy_four_and_a_half", "4k3/8/8/8/8/8/8/4K2R w - - 149 100", std::nullopt},
        EndCase{"mate_beats_seventy_five_moves", "7k/6Q1/6K1/8/8/8/8/8 b - - 150 100", GameEnd::checkmate}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Draws, repetition_is_counted_over_the_game) {
  Position position = Position::start();
  History history(position);
  const std::vector<const char*> shuffle{"g1f3", "g8f6", "f3g1", "f6g8"};
  EXPECT_EQ(history.repetitions(), 1);
  for (int round = 2; round <= 5; ++round) {
    for (const char* m : shuffle) {
      position.play(parse_uci(position, m).value());
      history.push(position);
    }
    EXPECT_EQ(history.repetitions(), round);
    EXPECT_EQ(draw_claim(position, history.repetitions()).has_value(), round >= 3);
    EXPECT_EQ(game_end(position, history).has_value(), round >= 5);
  }
  EXPECT_EQ(game_end(position, history), GameEnd::fivefold_repetition);
}

TEST(Draws, a_lost_castling_right_makes_another_position) {
  Position position = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").value();
  History history(position);
  for (const char* m : {"h1g1", "e8d8", "g1h1", "d8e8"}) {
    position.play(parse_uci(position, m).value());
    history.push(position);
  }
  EXPECT_EQ(history.repetitions(), 1);
}

TEST(Draws, claims) {
  const Position fifty = parse_fen("4k3/8/8/8/8/8/8/4K2R w - - 100 80").value();
  EXPECT_EQ(draw_claim(fifty, 1), DrawClaim::fifty_moves);
  EXPECT_EQ(draw_claim(Position::start(), 3), DrawClaim::threefold_repetition);
  EXPECT_EQ(draw_claim(Position::start(), 2), std::nullopt);
}

}  // namespace
}  // namespace pm::chess
