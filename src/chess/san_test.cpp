#include "chess/san.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"

namespace pm::chess {
namespace {

struct ReadCase {
  const char* name;
  const char* fen;
  const char* san;
  const char* uci;  // castling as king takes rook
};

void PrintTo(const ReadCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class ReadSan : public testing::TestWithParam<ReadCase> {};

TEST_P(ReadSan, finds_the_move) {
  const auto m = parse_san(parse_fen(GetParam().fen).value(), GetParam().san);
  ASSERT_TRUE(m) << m.error().sentence;
  EXPECT_EQ(format_uci(*m, CastlingNotation::king_takes_rook), GetParam().uci);
}

constexpr const char* start = start_fen.data();
constexpr const char* castling_ready = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
constexpr const char* promoting = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
constexpr const char* knights = "4k3/8/8/8/1N3N2/8/8/1N2K3 w - - 0 1";
constexpr const char* en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";

INSTANTIATE_TEST_SUITE_P(
    table, ReadSan,
    testing::Values(
        ReadCase{"pawn", start, "e4", "e2e4"}, ReadCase{"knight", start, "Nf3", "g1f3"},
        ReadCase{"castling", castling_ready, "O-O", "e1h1"}, ReadCase{"castling_long", castling_ready, "O-O-O", "e1a1"},
        ReadCase{"castling_with_zeros", castling_ready, "0-0", "e1h1"},
        ReadCase{"castling_long_with_zeros", castling_ready, "0-0-0", "e1a1"},
        ReadCase{"castling_small_letters", castling_ready, "o-o", "e1h1"},
        ReadCase{"castling_without_dashes", castling_ready, "OO", "e1h1"},
        ReadCase{"castling_with_glyphs", castling_ready, "O-O-O!?", "e1a1"},
        ReadCase{"castling_as_a_king_move", castling_ready, "Ke1g1", "e1h1"},
        ReadCase{"castling_in_long_algebraic", castling_ready, "e1c1", "e1a1"},
        ReadCase{"castling_with_an_extra_check", castling_ready, "O-O+", "e1h1"},
        ReadCase{"promotion", promoting, "a8=Q", "a7a8q"},
        ReadCase{"promotion_without_sign", promoting, "a8Q", "a7a8q"},
        ReadCase{"promotion_in_brackets", promoting, "a8(N)", "a7a8n"},
        ReadCase{"promotion_with_slash", promoting, "a8/R", "a7a8r"},
        ReadCase{"promotion_in_small_letters", promoting, "a8=b", "a7a8b"},
        ReadCase{"promotion_left_out_is_a_queen", promoting, "a8", "a7a8q"},
        ReadCase{"capturing_promotion", promoting, "axb8=R+", "a7b8r"},
        ReadCase{"capturing_promotion_without_signs", promoting, "ab8R", "a7b8r"},
        ReadCase{"disambiguated_by_file", knights, "Nbd3", "b4d3"},
        ReadCase{"disambiguated_by_both", knights, "Nb4d3", "b4d3"},
        ReadCase{"more_than_needed", start, "Ng1f3", "g1f3"},
        ReadCase{"rank_where_none_is_needed", start, "N1f3", "g1f3"},
        ReadCase{"long_algebraic_with_dash", start, "Ng1-f3", "g1f3"},
        ReadCase{"long_algebraic_pawn", start, "e2-e4", "e2e4"}, ReadCase{"coordinates_pawn", start, "e2e4", "e2e4"},
        ReadCase{"coordinates_knight", start, "g1f3", "g1f3"},
        ReadCase{"coordinates_promotion", promoting, "a7b8q", "a7b8q"},
        ReadCase{"long_algebraic_capture", promoting, "a7xb8=Q", "a7b8q"},
        ReadCase{"extra_check", start, "e4+", "e2e4"}, ReadCase{"extra_mate", start, "e4#", "e2e4"},
        ReadCase{"double_plus", start, "e4++", "e2e4"},
        ReadCase{"missing_check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "a1a8"},
        ReadCase{"glyphs", start, "e4!!", "e2e4"}, ReadCase{"evaluation", start, "e4+-", "e2e4"},
        ReadCase{"en_passant", en_passant, "exd6", "e5d6"},
        ReadCase{"en_passant_marked", en_passant, "exd6e.p.", "e5d6"},
        ReadCase{"capture_without_x", en_passant, "ed6", "e5d6"},
        ReadCase{"capture_without_origin", en_passant, "xd6", "e5d6"},
        ReadCase{"capture_with_colon", en_passant, "e:d6", "e5d6"},
        ReadCase{"a_push_beside_an_en_passant_square", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e6", "e5e6"},
        ReadCase{"pawn_letter", start, "Pe4", "e2e4"},
        ReadCase{"pinned_rival_does_not_count", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2"},
        ReadCase{"null_move", start, "--", "0000"}, ReadCase{"null_move_of_chessbase", start, "Z0", "0000"}),
    [](const auto& info) { return std::string(info.param.name); });

struct RefuseCase {
  const char* name;
  const char* fen;
  const char* san;
  ErrorCode code;
};

void PrintTo(const RefuseCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class RefuseSan : public testing::TestWithParam<RefuseCase> {};

TEST_P(RefuseSan, says_why) {
  const auto m = parse_san(parse_fen(GetParam().fen).value(), GetParam().san);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().code, GetParam().code) << m.error().sentence;
}

INSTANTIATE_TEST_SUITE_P(
    table, RefuseSan,
    testing::Values(
        RefuseCase{"empty", start, "", ErrorCode::move_syntax},
        RefuseCase{"word", start, "hello", ErrorCode::move_syntax},
        RefuseCase{"off_the_board", start, "Nf9", ErrorCode::move_syntax},
        RefuseCase{"long_junk", start, "Nf3Nf3Nf3Nf3Nf3Nf3Nf3Nf3", ErrorCode::move_syntax},
        RefuseCase{"no_piece_reaches_it", start, "Ne4", ErrorCode::move_illegal},
        RefuseCase{"own_piece_there", start, "Ra2", ErrorCode::move_illegal},
        RefuseCase{"ambiguous", knights, "Nd3", ErrorCode::move_ambiguous},
        RefuseCase{"no_knight_on_that_file", knights, "Ned3", ErrorCode::move_illegal},
        RefuseCase{"no_such_castling", start, "O-O", ErrorCode::move_illegal},
        RefuseCase{"four_circles", castling_ready, "O-O-O-O", ErrorCode::move_syntax},
        RefuseCase{"promotion_too_early", start, "e4=Q", ErrorCode::move_illegal},
        RefuseCase{"promotion_to_king", promoting, "a8=K", ErrorCode::move_syntax},
        RefuseCase{"knight_promotes", "7k/2N5/8/8/8/8/8/4K3 w - - 0 1", "Na8=Q", ErrorCode::move_illegal},
        RefuseCase{"pawn_jumps_a_piece", "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e4", ErrorCode::move_illegal},
        RefuseCase{"pawn_pushes_onto_a_piece", "4k3/8/8/8/4n3/4P3/8/4K3 w - - 0 1", "e4", ErrorCode::move_illegal},
        RefuseCase{"capture_of_nothing", start, "exd3", ErrorCode::move_illegal},
        RefuseCase{"a_push_is_not_a_capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", ErrorCode::move_illegal},
        RefuseCase{"a_capture_is_not_a_push", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "xe5", ErrorCode::move_illegal},
        RefuseCase{"into_check", "4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "Ke2", ErrorCode::move_illegal},
        RefuseCase{"pinned", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", ErrorCode::move_illegal},
        RefuseCase{"null_move_in_check", "4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", "--", ErrorCode::move_illegal}),
    [](const auto& info) { return std::string(info.param.name); });

struct WriteCase {
  const char* name;
  const char* fen;
  const char* uci;
  const char* san;
};

void PrintTo(const WriteCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class WriteSan : public testing::TestWithParam<WriteCase> {};

TEST_P(WriteSan, is_minimal_and_correct) {
  const Position position = parse_fen(GetParam().fen).value();
  EXPECT_EQ(format_san(position, *parse_uci(position, GetParam().uci)), GetParam().san);
}

INSTANTIATE_TEST_SUITE_P(
    table, WriteSan,
    testing::Values(WriteCase{"pawn", start, "e2e4", "e4"}, WriteCase{"capture", en_passant, "e5d6", "exd6"},
                    WriteCase{"check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"},
                    WriteCase{"mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
                    WriteCase{"castling_with_check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
                    WriteCase{"castling_long", castling_ready, "e1c1", "O-O-O"},
                    WriteCase{"promotion", promoting, "a7b8n", "axb8=N"},
                    WriteCase{"file_decides", knights, "b4d3", "Nbd3"},
                    WriteCase{"rank_decides", "4k3/8/8/N7/8/N7/8/4K3 w - - 0 1", "a3c4", "N3c4"},
                    WriteCase{"both_decide", "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
                    WriteCase{"file_decides_though_ranks_differ", "8/k7/8/8/4Q2Q/8/8/K7 w - - 0 1", "h4e1", "Qhe1"},
                    WriteCase{"a_pinned_rival_does_not_count", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"}),
    [](const auto& info) { return std::string(info.param.name); });

RC_GTEST_PROP(SanProperty, any_text_is_a_legal_move_or_an_error, (const std::string& text)) {
  const auto m = parse_san(Position::start(), text);
  if (m) RC_ASSERT(m->is_null() || is_legal(Position::start(), *m));
}

RC_GTEST_PROP(SanProperty, any_text_of_san_letters_too, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("KQRBNPabcdefgh12345678xO0-=+#()/")));
  const Position position = parse_fen("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq - 0 1").value();
  const auto m = parse_san(position, text);
  if (m) RC_ASSERT(m->is_null() || is_legal(position, *m));
}

}  // namespace
}  // namespace pm::chess
