#include "chess/fen.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pm::chess {
namespace {

struct GoodCase {
  const char* name;
  const char* in;
  const char* out;  // nullptr: the same
};

void PrintTo(const GoodCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class GoodFen : public testing::TestWithParam<GoodCase> {};

TEST_P(GoodFen, is_read_and_written) {
  const GoodCase& c = GetParam();
  const auto position = parse_fen(c.in);
  ASSERT_TRUE(position) << position.error().sentence;
  EXPECT_EQ(format_fen(*position), c.out != nullptr ? c.out : c.in);
  EXPECT_EQ(parse_fen(format_fen(*position)).value(), *position);
}

INSTANTIATE_TEST_SUITE_P(
    table, GoodFen,
    testing::Values(
        GoodCase{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", nullptr},
        GoodCase{"two_fields", "4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
        GoodCase{"three_fields", "4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        GoodCase{"four_fields", "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"},
        GoodCase{"extra_spaces", "  4k3/8/8/8/8/8/8/4K3   w  -  -  3  9 ", "4k3/8/8/8/8/8/8/4K3 w - - 3 9"},
        GoodCase{"underscores_of_a_url", "4k3/8/8/8/8/8/8/4K3_w_-_-_3_9", "4k3/8/8/8/8/8/8/4K3 w - - 3 9"},
        GoodCase{"move_number_zero", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        GoodCase{"en_passant_square_nobody_can_take_on", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                 nullptr},
        GoodCase{"shredder_rights_of_the_standard_start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        GoodCase{"chess960_outermost_rooks", "bqnbrk1r/pppppppp/8/8/8/8/PPPPPPPP/BQNBRK1R w HEhe - 0 1",
                 "bqnbrk1r/pppppppp/8/8/8/8/PPPPPPPP/BQNBRK1R w KQkq - 0 1"},
        GoodCase{"inner_rook_keeps_its_file_letter", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", nullptr},
        GoodCase{"inner_rook_on_the_queen_side", "r1r1k3/8/8/8/8/8/8/4K3 b c - 0 1", nullptr},
        GoodCase{"x_fen_reads_k_as_the_outermost_rook", "4k3/8/8/8/8/8/8/4KR1R w K - 0 1", nullptr},
        GoodCase{"rights_in_any_order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        GoodCase{"nine_queens_and_eight_pawns", "4k3/8/8/8/8/QQQ5/PPPPPPPP/QQQ1K3 w - - 0 1", nullptr}),
    [](const auto& info) { return std::string(info.param.name); });

struct BadCase {
  const char* name;
  const char* fen;
  ErrorCode code;
  std::size_t column;
};

void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class BadFen : public testing::TestWithParam<BadCase> {};

TEST_P(BadFen, is_refused_with_code_and_place) {
  const auto position = parse_fen(GetParam().fen);
  ASSERT_FALSE(position);
  EXPECT_EQ(position.error().code, GetParam().code) << position.error().sentence;
  EXPECT_EQ(position.error().place.column, GetParam().column) << position.error().sentence;
  EXPECT_FALSE(position.error().sentence.empty());
}

INSTANTIATE_TEST_SUITE_P(
    table, BadFen,
    testing::Values(
        BadCase{"empty", "", ErrorCode::fen_fields, 1},
        BadCase{"one_field", "4k3/8/8/8/8/8/8/4K3", ErrorCode::fen_fields, 20},
        BadCase{"five_fields", "4k3/8/8/8/8/8/8/4K3 w - - 0", ErrorCode::fen_fields, 28},
        BadCase{"seven_fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", ErrorCode::fen_fields, 31},
        BadCase{"unknown_letter", "4k3/8/8/8/8/8/8/4X3 w - - 0 1", ErrorCode::fen_placement, 18},
        BadCase{"nine_squares", "4k4/8/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_placement, 3},
        BadCase{"digit_nine", "9/8/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_placement, 1},
        BadCase{"seven_squares", "4k2/8/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_placement, 4},
        BadCase{"seven_ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_placement, 18},
        BadCase{"nine_ranks", "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", ErrorCode::fen_placement, 20},
        BadCase{"no_black_king", "8/8/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_kings, 1},
        BadCase{"two_white_kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", ErrorCode::fen_kings, 19},
        BadCase{"pawn_on_the_last_rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ErrorCode::fen_pawn_rank, 1},
        BadCase{"pawn_on_the_first_rank", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1", ErrorCode::fen_pawn_rank, 17},
        BadCase{"nine_pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", ErrorCode::fen_too_many_pieces, 1},
        BadCase{"seventeen_men", "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", ErrorCode::fen_too_many_pieces, 1},
        BadCase{"side_to_move", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", ErrorCode::fen_side, 21},
        BadCase{"castling_letter", "4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", ErrorCode::fen_castling, 25},
        BadCase{"castling_without_rook", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", ErrorCode::fen_castling, 25},
        BadCase{"castling_given_twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", ErrorCode::fen_castling, 25},
        BadCase{"castling_with_a_wandering_king", "4k3/8/8/8/8/8/4K3/7R w H - 0 1", ErrorCode::fen_castling, 24},
        BadCase{"two_rights_on_one_side", "4k3/8/8/8/8/8/8/4KR1R w HF - 0 1", ErrorCode::fen_castling, 25},
        BadCase{"en_passant_not_a_square", "4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", ErrorCode::fen_en_passant, 28},
        BadCase{"en_passant_on_the_wrong_rank", "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", ErrorCode::fen_en_passant, 28},
        BadCase{"en_passant_without_a_pawn", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", ErrorCode::fen_en_passant, 27},
        BadCase{"en_passant_origin_occupied", "4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1", ErrorCode::fen_en_passant, 30},
        BadCase{"negative_clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", ErrorCode::fen_counter, 27},
        BadCase{"clock_not_a_number", "4k3/8/8/8/8/8/8/4K3 w - - x 1", ErrorCode::fen_counter, 27},
        BadCase{"huge_clock", "4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1", ErrorCode::fen_counter, 27},
        BadCase{"clock_out_of_range", "4k3/8/8/8/8/8/8/4K3 w - - 10000 1", ErrorCode::fen_counter, 27},
        BadCase{"move_number_out_of_range", "4k3/8/8/8/8/8/8/4K3 w - - 0 40000", ErrorCode::fen_counter, 29},
        BadCase{"side_not_to_move_in_check", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", ErrorCode::fen_opponent_check, 22},
        BadCase{"kings_side_by_side", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", ErrorCode::fen_opponent_check, 21}),
    [](const auto& info) { return std::string(info.param.name); });

RC_GTEST_PROP(Fen, any_text_is_a_position_that_round_trips_or_an_error, (const std::string& text)) {
  const auto position = parse_fen(text);
  if (position) RC_ASSERT(parse_fen(format_fen(*position)).value() == *position);
}

RC_GTEST_PROP(Fen, any_text_of_fen_letters_too, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("kqrbnpKQRBNP12345678//// wb-")));
  const auto position = parse_fen(text);
  if (position) RC_ASSERT(parse_fen(format_fen(*position)).value() == *position);
}

}  // namespace
}  // namespace pm::chess
