#include "chess/uci.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/fen.h"
#include "chess/movegen.h"

namespace pm::chess {
namespace {

struct UciCase {
  const char* name;
  const char* fen;
  const char* in;
  const char* out;  // king to goal; nullptr when the move is refused
  const char* out_chess960;
  ErrorCode code = ErrorCode::move_illegal;
};

void PrintTo(const UciCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Uci : public testing::TestWithParam<UciCase> {};

TEST_P(Uci, reads_and_writes) {
  const UciCase& c = GetParam();
  const Position position = parse_fen(c.fen).value();
  const auto m = parse_uci(position, c.in);
  if (c.out == nullptr) {
    ASSERT_FALSE(m);
    EXPECT_EQ(m.error().code, c.code);
    return;
  }
  ASSERT_TRUE(m) << m.error().sentence;
  EXPECT_EQ(format_uci(*m), c.out);
  EXPECT_EQ(format_uci(*m, CastlingNotation::king_takes_rook), c.out_chess960);
}

constexpr const char* castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

INSTANTIATE_TEST_SUITE_P(
    table, Uci,
    testing::Values(UciCase{"plain", start_fen.data(), "e2e4", "e2e4", "e2e4"},
                    UciCase{"promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n", "a7a8n"},
                    UciCase{"promotion_in_capitals", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a7a8q", "a7a8q"},
                    UciCase{"castling_to_the_goal", castling, "e1g1", "e1g1", "e1h1"},
                    UciCase{"castling_onto_the_rook", castling, "e1a1", "e1c1", "e1a1"},
                    UciCase{"chess960_king_on_its_goal", "4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "g1g1", "g1h1"},
                    UciCase{"chess960_step_is_not_castling", "4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", "f1g1", "f1g1"},
                    UciCase{"promotion_missing", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", nullptr, nullptr},
                    UciCase{"promotion_where_none_is", start_fen.data(), "e2e4q", nullptr, nullptr},
                    UciCase{"illegal", start_fen.data(), "e2e5", nullptr, nullptr},
                    UciCase{"null_move", start_fen.data(), "0000", nullptr, nullptr, ErrorCode::move_syntax},
                    UciCase{"too_short", start_fen.data(), "e2", nullptr, nullptr, ErrorCode::move_syntax},
                    UciCase{"too_long", start_fen.data(), "e2e4qq", nullptr, nullptr, ErrorCode::move_syntax},
                    UciCase{"king_promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", nullptr, nullptr,
                            ErrorCode::move_syntax}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Uci, the_null_move_is_written_as_zeros) { EXPECT_EQ(format_uci(Move::null()), "0000"); }

TEST(Uci, notation_follows_the_castling_rights) {
  EXPECT_EQ(natural_notation(Position::start()), CastlingNotation::king_to_goal);
  EXPECT_EQ(natural_notation(parse_fen("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").value()), CastlingNotation::king_takes_rook);
  EXPECT_EQ(natural_notation(parse_fen("4k3/8/8/8/8/8/8/3K3R w H - 0 1").value()), CastlingNotation::king_takes_rook);
}

RC_GTEST_PROP(UciProperty, any_text_is_a_legal_move_or_an_error, (const std::string& text)) {
  const auto m = parse_uci(Position::start(), text);
  if (m) RC_ASSERT(is_legal(Position::start(), *m));
}

}  // namespace
}  // namespace pm::chess
