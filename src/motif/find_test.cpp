#include "motif/find.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::motif {
namespace {

enum class Begins : std::uint8_t { with_solution, with_error };

Line line_of(const std::string& fen, const std::string& uci, Begins begins = Begins::with_solution) {
  chess::Position position = chess::parse_fen(fen).value();
  std::optional<Step> error;
  std::istringstream words(uci);
  std::string word;
  if (begins == Begins::with_error) {
    words >> word;
    error.emplace(position, chess::parse_uci(position, word).value());
    position = error->after;
  }
  chess::Position now = position;
  std::vector<chess::Move> moves;
  while (words >> word) {
    moves.push_back(chess::parse_uci(now, word).value());
    now.play(moves.back());
  }
  return {position, moves, error};
}

bool has(const Line& line, Motif motif) {
  for (const Finding& each : find_motifs(line)) {
    if (each.motif == motif) return true;
  }
  return false;
}

struct MotifCase {
  const char* name;
  Motif motif;
  bool there;
  const char* fen;
  const char* line;
  Begins begins = Begins::with_solution;
};

class MotifIn : public testing::TestWithParam<MotifCase> {};

TEST_P(MotifIn, a_line) {
  const MotifCase& each = GetParam();
  EXPECT_EQ(has(line_of(each.fen, each.line, each.begins), each.motif), each.there);
}

constexpr auto yes = true;
constexpr auto no = false;
constexpr auto with_error = Begins::with_error;

// clang-format off: a table
const MotifCase tactics[] = {
    {"a_knight_forks_king_and_rook", Motif::fork, yes, "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d7 c7a8"},
    {"the_last_move_forks_nothing", Motif::fork, no, "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7"},
    {"a_forker_that_can_be_taken_is_none", Motif::fork, no, "r2bk3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 d8c7 e1e2"},
    {"pawns_are_not_forked", Motif::fork, no, "4k3/8/p1p5/8/8/1N6/8/4K3 w - - 0 1", "b3a5 e8d7 a5b7"},
    {"the_king_does_not_fork", Motif::fork, no, "8/8/8/1n1n4/8/2K5/8/7k w - - 0 1", "c3c4 h1g1 c4d5"},
    {"a_queen_is_pinned_by_a_rook", Motif::pin, yes, "4k3/4q3/8/8/8/8/8/R4K2 w - - 0 1", "a1e1"},
    {"a_pinned_knight_may_not_take", Motif::pin, yes, "4k3/8/4n3/8/3Q4/8/8/R4K2 w - - 0 1", "a1e1"},
    {"a_pin_that_nobody_uses", Motif::pin, no, "4k3/4n3/8/8/8/8/8/R4K2 w - - 0 1", "a1e1"},
    {"a_loose_pinned_man_cannot_leave", Motif::pin, yes, "4k3/8/8/4n3/8/8/8/R4K2 w - - 0 1", "a1e1"},
    {"the_king_leaves_the_queen_behind", Motif::skewer, yes, "4q3/8/8/8/4k3/8/8/R5K1 w - - 0 1", "a1e1 e4d5 e1e8"},
    {"what_stood_behind_was_guarded", Motif::skewer, no, "r3r3/8/8/8/4k3/8/8/R5K1 w - - 0 1", "a1e1 e4d5 e1e8"},
    {"a_knight_uncovers_a_rook", Motif::discovered_attack, yes, "3q3k/8/8/8/8/3N4/8/3R3K w - - 0 1", "d3f4 h8g8 d1d8"},
    {"the_capture_was_open_already", Motif::discovered_attack, no, "3q3k/8/8/8/8/5N2/8/3R3K w - - 0 1", "f3e5 h8g8 d1d8"},
    {"a_discovered_check_is_one_too", Motif::discovered_attack, yes, "3k4/8/8/8/8/3N4/8/3R3K w - - 0 1", "d3f4"},
    {"discovered_check", Motif::discovered_check, yes, "3k4/8/8/8/8/3N4/8/3R3K w - - 0 1", "d3f4"},
    {"a_plain_check_discovers_nothing", Motif::discovered_check, no, "3k4/8/8/8/8/5N2/8/R6K w - - 0 1", "a1a8"},
    {"double_check", Motif::double_check, yes, "3k4/8/8/8/3N4/8/8/3R3K w - - 0 1", "d4c6"},
    {"one_check_is_not_two", Motif::double_check, no, "3k4/8/8/8/8/3N4/8/3R3K w - - 0 1", "d3f4"},
    {"a_rook_takes_through_a_rook", Motif::x_ray_attack, yes, "3r3R/8/6k1/8/8/8/8/R5K1 w - - 0 1", "a1a8 d8a8 h8a8"},
    {"an_ordinary_recapture", Motif::x_ray_attack, no, "3r4/8/6k1/8/8/5B2/8/R5K1 w - - 0 1", "a1a8 d8a8 f3a8"},
    {"a_loose_knight_is_taken", Motif::hanging_piece, yes, "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d1d5"},
    {"a_guarded_knight_is_taken", Motif::hanging_piece, no, "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5"},
    {"a_loose_pawn_is_taken", Motif::hanging_piece, no, "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"},
    {"a_trade_is_completed", Motif::hanging_piece, no, "4k3/8/8/3N4/1n6/8/8/3RK3 b - - 0 1", "b4d5 d1d5", with_error},
    {"what_was_won_is_lost_again", Motif::hanging_piece, no, "4k2r/8/8/3n4/8/8/7P/3RK3 w k - 0 1", "d1d5 h8h2 e1f1"},
    {"a_bishop_has_no_square", Motif::trapped_piece, yes, "7k/8/8/8/8/1P6/b1P3K1/5R2 w - - 0 1", "f1a1 h8g8 a1a2"},
    {"a_bishop_could_take_a_pawn", Motif::trapped_piece, no, "7k/8/8/8/8/1P6/b5K1/5R2 w - - 0 1", "f1a1 h8g8 a1a2"},
};

const MotifCase combinations[] = {
    {"the_king_is_drawn_into_a_check", Motif::attraction, yes, "6k1/8/8/8/8/8/8/R5KR w - - 0 1", "h1h8 g8h8 a1a8"},
    {"the_king_takes_and_nothing_follows", Motif::attraction, no, "6k1/8/8/8/8/8/8/R5KR w - - 0 1", "h1h8 g8h8 a1a7"},
    {"the_queen_is_drawn_away", Motif::deflection, yes, "3q2k1/8/8/3r4/8/8/Q7/4R2K w - - 0 1", "e1e8 d8e8 a2d5"},
    {"the_queen_still_guards", Motif::deflection, no, "3q4/7k/8/3r4/8/8/6Q1/R6K w - - 0 1", "a1a8 d8a8 g2d5"},
    {"a_bishop_comes_between", Motif::interference, yes, "6k1/8/8/r6n/8/8/6B1/6KR w - - 0 1", "g2d5 g8g7 h1h5"},
    {"nothing_comes_between", Motif::interference, no, "6k1/8/8/r6n/8/8/6B1/6KR w - - 0 1", "g2f3 a5b5 h1h5"},
    {"a_check_before_taking_back", Motif::intermezzo, yes, "6k1/8/8/8/1b6/2N5/1P6/R5K1 b - - 0 1", "b4c3 a1a8 g8g7 b2c3", with_error},
    {"taking_back_at_once", Motif::intermezzo, no, "6k1/8/8/8/1b6/2N5/1P6/R5K1 b - - 0 1", "b4c3 b2c3 g8g7 a1a7", with_error},
    {"a_knight_clears_the_file", Motif::clearance, yes, "6k1/5ppp/8/8/3N4/8/8/3R2K1 w - - 0 1", "d4f5 h7h6 d1d8"},
    {"the_file_was_clear", Motif::clearance, no, "6k1/5ppp/8/8/4N3/8/8/3R2K1 w - - 0 1", "e4g5 h7h6 d1d8"},
    {"the_guard_is_taken_first", Motif::capturing_defender, yes, "6k1/p7/5n2/3n2B1/8/8/8/3R2K1 w - - 0 1", "g5f6 a7a6 d1d5"},
    {"what_is_taken_first_guards_nothing", Motif::capturing_defender, no, "6k1/p7/7n/3n2B1/8/8/8/3R2K1 w - - 0 1", "g5h6 a7a6 d1d5"},
    {"a_rook_is_given", Motif::sacrifice, yes, "6k1/8/8/8/8/8/8/R5KR w - - 0 1", "h1h8 g8h8 a1a8"},
    {"a_pawn_is_given", Motif::sacrifice, no, "6k1/5p1p/8/6P1/8/8/8/R5K1 w - - 0 1", "g5g6 h7g6 a1a8"},
    {"the_opponent_promotes", Motif::sacrifice, no, "6k1/8/8/8/8/6K1/7p/R7 w - - 0 1", "a1a8 g8g7 a8a7 g7g6 a7a6 g6g5 a6a5 g5g6 a5a6 g6g7 g3g4 h2h1q"},
};

const MotifCase characters[] = {
    {"a_king_step_is_not_counted", Motif::quiet_move, no, "7k/8/8/8/8/8/8/R5K1 w - - 0 1", "g1g2 h8g8 a1a7"},
    {"a_quiet_rook_move", Motif::quiet_move, yes, "7k/8/8/8/8/8/8/R5K1 w - - 0 1", "a1b1 h8g8 b1b8"},
    {"a_capture_is_not_quiet", Motif::quiet_move, no, "7k/8/8/8/8/8/p7/R5K1 w - - 0 1", "a1a2 h8g8 a2a8"},
    {"out_of_check", Motif::defensive_move, yes, "4r2k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1d2"},
    {"a_check_is_no_defence", Motif::defensive_move, no, "7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"},
    {"a_bare_king_is_checked", Motif::exposed_king, yes, "6k1/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a7 g8h8 a7a8 h8g7 g1g2"},
    {"a_king_behind_pawns", Motif::exposed_king, no, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a7 h7h6 a7a8 g8h7 g1g2"},
    {"f7_beside_the_king", Motif::attacking_f2_f7, yes, "4k3/5p2/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7"},
    {"f7_without_the_king", Motif::attacking_f2_f7, no, "6k1/5p2/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7"},
    {"a_pawn_on_the_seventh", Motif::advanced_pawn, yes, "7k/8/P7/8/8/8/8/4K3 w - - 0 1", "a6a7"},
    {"a_pawn_on_the_sixth", Motif::advanced_pawn, no, "7k/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6"},
    {"a_new_queen", Motif::promotion, yes, "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"},
    {"a_new_knight", Motif::under_promotion, yes, "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"},
    {"a_new_queen_is_not_less", Motif::under_promotion, no, "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"},
    {"a_rook_that_mates_as_a_queen_would", Motif::under_promotion, no, "6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r"},
    {"en_passant", Motif::en_passant, yes, "7k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", with_error},
    {"castling", Motif::castling, yes, "k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"},
    {"an_attack_on_the_king_side", Motif::kingside_attack, yes, "rnbq1rk1/ppppbppp/5n2/8/8/3B4/PPPPQPPP/RNB1K1NR w KQ - 0 1", "d3h7"},
    {"too_few_men", Motif::kingside_attack, no, "6k1/6pp/8/8/8/3B4/8/6K1 w - - 0 1", "d3h7"},
    {"an_attack_on_the_queen_side", Motif::queenside_attack, yes, "1nkr1bnr/pppqpppp/8/8/8/1Q6/PPPPPPPP/RNB1KBNR w KQ - 0 1", "b3b7"},
};

const MotifCase mates[] = {
    {"mate_in_one", Motif::mate_in_1, yes, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"},
    {"no_mate", Motif::mate, no, "6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"},
    {"mate_in_two", Motif::mate_in_2, yes, "5rk1/5ppp/8/8/8/8/R7/R5K1 w - - 0 1", "a2a8 f8a8 a1a8"},
    {"smothered", Motif::smothered_mate, yes, "6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "e5f7"},
    {"back_rank", Motif::back_rank_mate, yes, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"},
    {"in_the_corner_by_king_and_rook", Motif::back_rank_mate, no, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8"},
    {"anastasia", Motif::anastasia_mate, yes, "8/4N1pk/8/8/R7/8/8/6K1 w - - 0 1", "a4h4"},
    {"hook", Motif::hook_mate, yes, "8/8/3ppN2/4knP1/R7/8/8/6K1 w - - 0 1", "a4e4"},
    {"arabian", Motif::arabian_mate, yes, "7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "a7h7"},
    {"boden", Motif::boden_mate, yes, "2kr4/3p4/8/8/5B2/8/4B3/6K1 w - - 0 1", "e2a6"},
    {"boden_is_not_double_bishop", Motif::double_bishop_mate, no, "2kr4/3p4/8/8/5B2/8/4B3/6K1 w - - 0 1", "e2a6"},
    {"double_bishop", Motif::double_bishop_mate, yes, "7k/7p/8/8/2B5/8/8/2B3K1 w - - 0 1", "c1b2"},
    {"dovetail", Motif::dovetail_mate, yes, "8/5p2/5kp1/8/3P4/8/8/4Q1K1 w - - 0 1", "e1e5"},
    {"kill_box", Motif::kill_box_mate, yes, "7k/7p/7Q/8/8/8/8/5RK1 w - - 0 1", "f1f8"},
    {"queen_and_rook_without_a_box", Motif::kill_box_mate, no, "6k1/8/8/8/8/8/1R6/Q5K1 w - - 0 1", "b2b7 g8f8 a1h8"},
    {"vukovic", Motif::vukovic_mate, yes, "7k/1R3R2/7N/8/8/8/8/6K1 w - - 0 1", "f7h7"},
    {"arabian_is_not_vukovic", Motif::vukovic_mate, no, "7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "a7h7"},
};

const MotifCase endings[] = {
    {"pawns", Motif::pawn_endgame, yes, "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", "a2a4"},
    {"knights", Motif::knight_endgame, yes, "4k1n1/p7/8/8/8/8/P7/4K3 w - - 0 1", "a2a4"},
    {"bishops", Motif::bishop_endgame, yes, "4k1b1/p7/8/8/8/8/P7/4KB2 w - - 0 1", "a2a4"},
    {"bishop_and_knight", Motif::bishop_endgame, no, "4k1b1/p7/8/8/8/8/P7/4KN2 w - - 0 1", "a2a4"},
    {"rooks", Motif::rook_endgame, yes, "4k1r1/p7/8/8/8/8/P7/4KR2 w - - 0 1", "a2a4"},
    {"queens", Motif::queen_endgame, yes, "4k1q1/p7/8/8/8/8/P7/4K3 w - - 0 1", "a2a4"},
    {"queen_and_rook", Motif::queen_rook_endgame, yes, "4k1q1/p7/8/8/8/8/P7/R3K3 w - - 0 1", "a2a4"},
    {"not_any_more_after_the_first_move", Motif::rook_endgame, no, "4k3/P7/8/8/8/8/8/R3K3 w - - 0 1", "a7a8q"},
};
// clang-format on

std::string name_of_motif_case(const testing::TestParamInfo<MotifCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Tactics, MotifIn, testing::ValuesIn(tactics), name_of_motif_case);
INSTANTIATE_TEST_SUITE_P(Combinations, MotifIn, testing::ValuesIn(combinations), name_of_motif_case);
INSTANTIATE_TEST_SUITE_P(Characters, MotifIn, testing::ValuesIn(characters), name_of_motif_case);
INSTANTIATE_TEST_SUITE_P(Mates, MotifIn, testing::ValuesIn(mates), name_of_motif_case);
INSTANTIATE_TEST_SUITE_P(Endings, MotifIn, testing::ValuesIn(endings), name_of_motif_case);

TEST(Motifs, say_where_they_were_seen_and_against_whom) {
  const Found fork = find_fork(line_of("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d7 c7a8"));
  ASSERT_TRUE(fork);
  EXPECT_EQ(fork->step, 0U);
  EXPECT_EQ(fork->targets, chess::Bitboard(chess::Square::a8) | chess::Bitboard(chess::Square::e8));
}

TEST(Motifs, have_names_that_can_be_read_back) {
  for (std::size_t i = 0; i < motif_count; ++i) {
    const auto motif = static_cast<Motif>(i);
    EXPECT_EQ(parse_motif(name_of(motif)), motif);
  }
  EXPECT_EQ(parse_motif("crushing"), std::nullopt);
}

TEST(Motifs, of_no_moves_are_none) { EXPECT_TRUE(find_motifs(line_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "")).empty()); }

}  // namespace
}  // namespace pm::motif
