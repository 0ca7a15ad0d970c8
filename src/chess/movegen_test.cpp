#include "chess/movegen.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::chess {
namespace {

struct PerftCase {
  const char* name;
  const char* fen;
  int depth;
  std::uint64_t nodes;
};

void PrintTo(const PerftCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Perft : public testing::TestWithParam<PerftCase> {};

TEST_P(Perft, counts_what_other_generators_count) {
  const auto position = parse_fen(GetParam().fen);
  ASSERT_TRUE(position) << position.error().sentence;
  EXPECT_EQ(perft(*position, GetParam().depth), GetParam().nodes);
}

std::string case_name(const testing::TestParamInfo<PerftCase>& info) { return info.param.name; }

// The six positions of the chess programming wiki's perft page.
INSTANTIATE_TEST_SUITE_P(
    classic, Perft,
    testing::Values(
        PerftCase{"start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
        PerftCase{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
        PerftCase{"rook_endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
        PerftCase{"promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
        PerftCase{"promotions_mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 5,
                  15833292},
        PerftCase{"talkchess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194},
        PerftCase{"quiet", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551}),
    case_name);

// Positions from random Chess960 games, counted with Stockfish 15.1 (UCI_Chess960).
INSTANTIATE_TEST_SUITE_P(
    chess960, Perft,
    testing::Values(
        PerftCase{"n1", "n1kq1rn1/prp4p/3ppppb/8/b1P5/1P1PP1P1/3NNP1P/1RKQBR2 b KQk - 0 12", 5, 19291808},
        PerftCase{"n2", "1rk2bqr/3p1p2/ppb2n2/2n3pp/P1PpQ3/4NP2/1P2P1PP/BRK1NB1R b KQkq - 3 11", 5, 56255038},
        PerftCase{"n3", "b1nrk2b/p5p1/1pp2qNn/1P1ppp2/3P3p/4PPP1/PQP4P/B2RKRNB w KQq - 1 18", 5, 32651732},
        PerftCase{"n4", "b1rkr1nb/3ppppp/p5nP/1pp5/2P1PqP1/3P1B2/PP1N4/BQRK1RN1 b Qkq - 0 12", 5, 35114661},
        PerftCase{"n5", "1bbrn1kr/p1p1pp1p/1p1pP2q/6P1/n6P/1R6/1PPP2P1/NBBRNQK1 b Qkq - 1 9", 5, 35279205},
        PerftCase{"n6", "qr1bkrbn/1p1p1p1p/p1pn4/4p1p1/PPP2P2/4B3/3PP1PP/QRNBKR1N w KQkq - 0 6", 5, 36256264},
        PerftCase{"n7", "rknb2rq/ppp1pp1Q/6p1/1b1p3P/1n6/4N3/PPP1PP1P/RKNBB1R1 w KQkq - 1 9", 5, 60599462},
        PerftCase{"n8", "rnkrqbb1/1p1pp3/p1p3np/QB3pp1/3PP3/8/PPPN1PPP/R1K1R1BN w Qkq - 2 7", 5, 49191242},
        PerftCase{"n9", "rnnkr2q/p1ppb1p1/1p2p3/3b1pPp/1P6/8/P1PPPPBP/RNNKR1BQ w KQkq - 1 7", 5, 17268172},
        PerftCase{"n10", "nbnr1k1r/4p1pp/ppPpbp2/Q3N3/8/4P2P/PPq2PP1/NB1R1KBR b KQkq - 0 10", 5, 110126429},
        PerftCase{"n11", "qrnknrb1/ppp1pp1p/3p2p1/4b3/1P1PP3/7P/P1P2PP1/QRNKNRBB w KQkq - 1 6", 5, 10546236},
        PerftCase{"n12", "rb1k1r1q/p1pbpp1p/3n2pn/8/Pp6/3P2P1/BPPP1PNP/1RBK1RNQ b Kkq - 1 10", 5, 41260382}),
    case_name);

struct LegalityCase {
  const char* name;
  const char* fen;
  const char* move;  // UCI, castling as king takes rook
  bool legal;
};

void PrintTo(const LegalityCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Legality : public testing::TestWithParam<LegalityCase> {};

TEST_P(Legality, is_as_the_rules_say) {
  const auto position = parse_fen(GetParam().fen);
  ASSERT_TRUE(position) << position.error().sentence;
  std::set<std::string> moves;
  for (const Move m : legal_moves(*position)) moves.insert(format_uci(m, CastlingNotation::king_takes_rook));
  EXPECT_EQ(moves.contains(GetParam().move), GetParam().legal);
  EXPECT_EQ(moves.size(), static_cast<std::size_t>(count_legal_moves(*position)));
}

INSTANTIATE_TEST_SUITE_P(
    table, Legality,
    testing::Values(
        LegalityCase{"castling_short", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", true},
        LegalityCase{"castling_long_past_an_attacked_b1", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", true},
        LegalityCase{"no_castling_through_an_attacked_square", "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", false},
        LegalityCase{"no_castling_out_of_check", "4k3/4r3/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", false},
        LegalityCase{"no_castling_into_check", "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", false},
        LegalityCase{"no_castling_over_a_piece", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1a1", false},
        LegalityCase{"chess960_only_the_rook_moves", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", true},
        LegalityCase{"chess960_only_the_king_moves", "4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1", true},
        LegalityCase{"chess960_king_and_rook_swap", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", true},
        LegalityCase{"chess960_rook_was_the_shield", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", "e1b1", false},
        LegalityCase{"chess960_shield_not_needed", "4k3/8/8/8/8/8/8/bR2K3 w B - 0 1", "e1b1", true},
        LegalityCase{"chess960_rook_path_blocked", "4k3/8/8/8/8/8/8/RNK5 w A - 0 1", "c1a1", false},
        LegalityCase{"en_passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", true},
        LegalityCase{"no_en_passant_that_uncovers_the_rank", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2", "e5d6", false},
        LegalityCase{"no_en_passant_that_uncovers_the_diagonal", "4k3/8/8/b2pP3/8/2K5/8/8 w - d6 0 2", "e5d6", false},
        LegalityCase{"no_en_passant_whose_victim_was_the_shield", "4k1b1/8/8/3pP3/8/1K6/8/8 w - d6 0 2", "e5d6", false},
        LegalityCase{"no_en_passant_by_a_pinned_pawn", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", false},
        LegalityCase{"en_passant_takes_the_checking_pawn", "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2", "e5d6", true},
        LegalityCase{"en_passant_does_not_answer_a_knight", "4k3/8/8/3pP3/8/8/5n2/7K w - d6 0 2", "e5d6", false},
        LegalityCase{"en_passant_does_not_block_this_check", "4k3/8/8/q2pP3/8/8/8/4K3 w - d6 0 2", "e5d6", false},
        LegalityCase{"en_passant_blocks_a_check", "3qk3/8/8/3pP3/8/8/8/3K4 w - d6 0 2", "e5d6", true},
        LegalityCase{"pinned_rook_slides_along_the_pin", "4r1k1/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4e8", true},
        LegalityCase{"pinned_rook_does_not_leave_it", "4r1k1/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4d4", false},
        LegalityCase{"pinned_knight_stays", "4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1", "e4c5", false},
        LegalityCase{"pinned_pawn_takes_its_pinner", "6k1/8/8/8/7b/6P1/8/4K3 w - - 0 1", "g3h4", true},
        LegalityCase{"king_cannot_step_back_along_the_ray", "4k3/8/8/8/4r3/4K3/8/8 w - - 0 1", "e3e2", false},
        LegalityCase{"double_check_needs_the_king", "4k3/8/8/8/8/5n2/4r3/R3K3 w - - 0 1", "a1a2", false}),
    [](const auto& info) { return std::string(info.param.name); });

// The path this CPU did not choose, on the same positions. Each test is a process of its own, so the choice ends here.
TEST(Movegen, magic_and_pext_count_the_same) {
  if (!__builtin_cpu_supports("bmi2")) GTEST_SKIP() << "this CPU has no PEXT";
  for (const bool pext : {false, true}) {
    detail::choose_pext(pext);
    EXPECT_EQ(uses_pext(), pext);
    EXPECT_EQ(perft(Position::start(), 5), 4865609U);
    EXPECT_EQ(perft(parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").value(), 4),
              4085603U);
    EXPECT_EQ(perft(parse_fen("n1kq1rn1/prp4p/3ppppb/8/b1P5/1P1PP1P1/3NNP1P/1RKQBR2 b KQk - 0 12").value(), 5),
              19291808U);
  }
  detail::choose_pext(detail::has_fast_pext());
}

TEST(Movegen, most_moves_a_list_must_hold) {
  const auto most = parse_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
  EXPECT_EQ(legal_moves(*most).size(), 218U);
}

TEST(Movegen, perft_stops_when_asked) {
  std::stop_source stop;  // NOLINT(misc-const-correctness): asked to stop below
  EXPECT_EQ(perft(Position::start(), 5, stop.get_token()), 4865609U);
  stop.request_stop();
  EXPECT_EQ(perft(Position::start(), 6, stop.get_token()), std::nullopt);
}

}  // namespace
}  // namespace pm::chess
