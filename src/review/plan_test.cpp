#include "review/plan.h"

#include <gtest/gtest.h>

#include "chess/test_long_games.h"
#include "review/evidence.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

TEST(Plan, cuts_a_game_into_segments_and_leaves_finished_positions_out) {
  const auto segments = GamePlan(long_game()).segments(engine::Limit{});
  ASSERT_EQ(segments.size(), shared_positions + 2);  // 31 positions
  EXPECT_EQ(segments[0].wanted.size(), 1U);
  EXPECT_EQ(segments[shared_positions].wanted.size(), segment_length);
  EXPECT_EQ(segments[shared_positions].plies.front(), shared_positions);
  EXPECT_EQ(segments[shared_positions + 1].wanted.size(), 31 - shared_positions - segment_length);
  const auto independent = GamePlan(long_game()).segments(engine::Limit{}, 6);
  ASSERT_EQ(independent.size(), 4U);
  EXPECT_EQ(independent[0].wanted.size(), 6U);
  EXPECT_EQ(independent[1].plies.front(), 6U);
  const pgn::Game mate = read_game("1. f3 e5 2. g4 Qh4# 0-1");
  const auto plan = GamePlan(mate).segments(engine::Limit{});
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[3].wanted, std::vector<std::size_t>{3});
}

TEST(Plan, openings_are_shared_by_all_games_that_come_to_the_same_position) {
  const auto segments = GamePlan(read_game("1. d4 Nf6 2. c4 e6 *")).segments(engine::Limit{});
  const auto others = GamePlan(read_game("1. c4 e6 2. d4 Nf6 *")).segments(engine::Limit{});
  EXPECT_EQ(key_of(segments[0]), key_of(others[0]));
  EXPECT_NE(key_of(segments[1]), key_of(others[1]));
  const auto longer = GamePlan(read_game("1. d4 Nf6 2. c4 e6 3. Nc3 *")).segments(engine::Limit{});
  EXPECT_EQ(key_of(segments[4]), key_of(longer[4]));
}

TEST(Plan, a_null_move_starts_the_line_anew) {
  const pgn::Game game = read_game("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 -- d4 *");
  const auto segments = GamePlan(game).segments(engine::Limit{});
  ASSERT_EQ(segments.size(), shared_positions + 2);
  EXPECT_EQ(segments[shared_positions].wanted, (std::vector<std::size_t>{16, 17}));
  EXPECT_EQ(segments[shared_positions + 1].wanted, (std::vector<std::size_t>{18, 19}));
  EXPECT_EQ(segments[shared_positions + 1].plies, (std::vector<std::size_t>{0, 1}));
}

TEST(Plan, positions_to_be_searched_again_stay_with_their_neighbours) {
  const auto count = [](const pgn::Game& game, const std::vector<std::size_t>& wanted) {
    return GamePlan(game).segments(wanted, {}).size();
  };
  EXPECT_EQ(count(long_game(), {18, 19}), 1U);
  EXPECT_EQ(count(long_game(), {18, 20}), 2U);
  EXPECT_EQ(count(long_game(), {3, 4}), 2U) << "of the opening, each by itself";
  const pgn::Game null_move = read_game("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 -- d4 *");
  EXPECT_EQ(count(null_move, {17, 18}), 2U);
  const pgn::Game bare = read_game("[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/4K3/8/8 w - - 0 1\"]\n\n1. Ke4 *");
  EXPECT_EQ(count(bare, {0, 1}), 0U);
}

// What all segments of a game are told, in moves.
std::size_t moves_told(std::size_t plies) {
  const pgn::Game game = game_of(chess::long_random_game(plies, 5));
  std::size_t told = 0;
  for (const engine::Segment& segment : GamePlan(game).segments(engine::Limit{})) told += segment.state.moves.size();
  return told;
}

TEST(Plan, segments_of_a_long_game_are_not_told_all_moves_before_them) {
  const std::size_t of_short = moves_told(2'000);
  const std::size_t of_long = moves_told(4'000);
  EXPECT_GT(of_short, 2'000U);
  EXPECT_LT(of_long, of_short * 5 / 2);
}

TEST(Plan, a_long_line_starts_anew_where_nothing_before_can_be_repeated) {
  const pgn::Game game = game_of(chess::long_random_game(3'000, 5));
  const GamePlan plan(game);
  std::vector<chess::Position> positions{game.start};
  for (const chess::Move move : reviewed_moves(game)) positions.push_back(positions.back().after(move));
  std::size_t asked = 0;
  for (const engine::Segment& segment : plan.segments(engine::Limit{})) {
    constexpr std::size_t longest_wait = 150;  // for a pawn move or capture
    EXPECT_LE(segment.state.moves.size(), longest_line + longest_wait);
    chess::Position position = segment.state.start;
    std::size_t played = 0;
    for (std::size_t i = 0; i < segment.plies.size(); ++i, ++asked) {
      for (; played < segment.plies[i]; ++played) position.play(segment.state.moves[played]);
      ASSERT_EQ(position, positions[segment.wanted[i]]);
    }
    const bool anew = !(segment.state.start == game.start) && segment.wanted.front() >= shared_positions;
    if (anew) {
      EXPECT_EQ(segment.state.start.halfmove_clock(), 0);
    }
  }
  EXPECT_EQ(asked, positions.size());
}

TEST(Plan, asks_about_as_much_of_a_game_as_is_reviewed) {
  const pgn::Game game = game_of(chess::knights_shuffle(most_plies + 7));
  EXPECT_EQ(GamePlan(game).positions(), most_plies + 1);
  EXPECT_LT(GamePlan(game).segments(engine::Limit{}).size(), 20U) << "the game was over after the fifth repetition";
}

TEST(Plan, keys_tell_everything_apart_that_matters) {
  const auto segments = GamePlan(long_game()).segments(engine::Limit{});
  EXPECT_NE(key_of(segments[0]), key_of(segments[1]));
  EXPECT_NE(key_of(segments[0]), key_of(GamePlan(long_game()).segments({engine::Limit::Kind::nodes, 18})[0]));
  const std::vector<std::size_t> here{3, 4};
  const std::vector<std::size_t> there{4, 5};
  EXPECT_NE(key_of(GamePlan(long_game()).segments(here, {})[0]), key_of(GamePlan(long_game()).segments(there, {})[0]));
}

}  // namespace
}  // namespace pm::review
