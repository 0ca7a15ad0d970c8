#include "chess/position.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::chess {
namespace {

Position play(std::string_view fen, const std::vector<const char*>& moves) {
  Position position = parse_fen(fen).value();
  for (const char* text : moves) {
    const auto m = parse_uci(position, text);
    EXPECT_TRUE(m) << text;
    if (m) position.play(*m);
  }
  return position;
}

struct KeyCase {
  const char* name;
  std::vector<const char*> moves;
  std::uint64_t key;
};

void PrintTo(const KeyCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class PolyglotKey : public testing::TestWithParam<KeyCase> {};

TEST_P(PolyglotKey, is_the_published_one) { EXPECT_EQ(play(start_fen, GetParam().moves).key(), GetParam().key); }

// The test positions of the Polyglot book format's description.
INSTANTIATE_TEST_SUITE_P(
    table, PolyglotKey,
    testing::Values(KeyCase{"start", {}, 0x463b96181691fc9c}, KeyCase{"e4", {"e2e4"}, 0x823c9b50fd114196},
                    KeyCase{"e4_d5", {"e2e4", "d7d5"}, 0x0756b94461c50fb0},
                    KeyCase{"e5", {"e2e4", "d7d5", "e4e5"}, 0x662fafb965db29d4},
                    KeyCase{"en_passant_possible", {"e2e4", "d7d5", "e4e5", "f7f5"}, 0x22a48b5a8e47ff78},
                    KeyCase{"king_moved", {"e2e4", "d7d5", "e4e5", "f7f5", "e1e2"}, 0x652a607ca3f242c1},
                    KeyCase{"both_kings_moved", {"e2e4", "d7d5", "e4e5", "f7f5", "e1e2", "e8f7"}, 0x00fdd303c946bdd9},
                    KeyCase{"rook_lifted", {"a2a4", "b7b5", "h2h4", "b5b4", "c2c4"}, 0x3c8123ea7b067637},
                    KeyCase{
                        "rook_moved", {"a2a4", "b7b5", "h2h4", "b5b4", "c2c4", "b4c3", "a1a3"}, 0x5c3f9b829b279560}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Position, counters_and_rights_follow_the_moves) {
  const Position p = play(start_fen, {"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"});
  EXPECT_EQ(format_fen(p), "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
}

TEST(Position, a_captured_rook_loses_its_right) {
  const Position p = play("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"a1a8"});
  EXPECT_EQ(format_fen(p), "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
}

TEST(Position, null_move_passes_the_turn) {
  const Position p = play(start_fen, {"e2e4"});
  Position q = p;
  q.play(Move::null());
  EXPECT_EQ(format_fen(q), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
  EXPECT_EQ(q.key(), parse_fen(format_fen(q))->key());
}

TEST(Position, counters_stop_at_what_a_fen_can_say) {
  Position p = parse_fen("4k3/8/8/8/8/8/8/4K2R b K - 9999 32767").value();
  p.play(parse_uci(p, "e8d8").value());
  EXPECT_EQ(format_fen(p), "3k4/8/8/8/8/8/8/4K2R w K - 9999 32767");
}

TEST(Position, captured_piece_is_known_before_the_move) {
  const Position p = parse_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 2").value();
  EXPECT_EQ(p.captured_by(parse_uci(p, "e5d6").value()), Piece::black_pawn);
  EXPECT_EQ(p.captured_by(parse_uci(p, "e1g1").value()), Piece::none);
  EXPECT_EQ(p.captured_by(parse_uci(p, "h1h8").value()), Piece::none);
}

TEST(Position, attackers_for_any_occupancy) {
  const Position p = parse_fen("3rk3/3r4/8/8/8/2N5/3R4/3RK3 w - - 0 1").value();
  EXPECT_EQ(p.attackers_to(Square::d5), Bitboard(Square::d2) | Bitboard(Square::d7) | Bitboard(Square::c3));
  const Bitboard without_front = p.occupied() & ~Bitboard(Square::d2) & ~Bitboard(Square::d7);
  EXPECT_TRUE(p.attackers_to(Square::d5, without_front).has(Square::d1));
  EXPECT_TRUE(p.attackers_to(Square::d5, without_front).has(Square::d8));
}

TEST(Position, pins_and_checks) {
  const Position p = parse_fen("4k3/4r3/8/8/7b/8/4NP2/4K3 w - - 0 1").value();
  EXPECT_EQ(p.pinned(Colour::white), Bitboard(Square::e2) | Bitboard(Square::f2));
  EXPECT_FALSE(p.in_check());
  const Position q = parse_fen("4k3/4r3/8/8/7b/8/8/4K3 w - - 0 1").value();
  EXPECT_EQ(q.checkers(), Bitboard(Square::e7) | Bitboard(Square::h4));
}

TEST(Position, repetition_ignores_an_en_passant_capture_that_is_illegal) {
  const Position pinned = parse_fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 2").value();
  const Position plain = parse_fen("8/8/8/K2pP2r/8/8/8/7k w - - 0 2").value();
  EXPECT_NE(pinned.key(), plain.key());  // Polyglot's rule
  EXPECT_EQ(pinned.repetition_key(), plain.repetition_key());
  const Position legal = parse_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2").value();
  EXPECT_EQ(legal.repetition_key(), legal.key());
}

}  // namespace
}  // namespace pm::chess
