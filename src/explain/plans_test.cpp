// Plans and manoeuvres, each with a line that shows it and one that does not quite.
#include "explain/plans.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/uci.h"
#include "explain/manoeuvres.h"

namespace pm::explain {
namespace {

motif::Line line_in(const char* fen, const char* uci) {
  const chess::Position start = chess::parse_fen(fen).value();
  chess::Position position = start;
  std::vector<chess::Move> moves;
  std::istringstream words(uci);
  for (std::string word; words >> word;) {
    moves.push_back(chess::parse_uci(position, word).value());
    position.play(moves.back());
  }
  return {start, moves};
}

struct PlanCase {
  const char* name;
  std::optional<Idea> (*find)(const motif::Line& line);
  const char* fen;
  const char* line;
  const char* doing;  // empty: it is not there
};

class PlanIn : public testing::TestWithParam<PlanCase> {};

TEST_P(PlanIn, a_line) {
  const PlanCase& each = GetParam();
  const auto idea = each.find(line_in(each.fen, each.line));
  EXPECT_EQ(idea ? idea->doing : "", each.doing);
}

// clang-format off: a table
const PlanCase plans[] = {
    {"a_repetition", repetition, "7k/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8 h8g7 a8a7 g7h8 a7a1", ""},
    {"the_same_position_again", repetition, "7k/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8 h8g7 a8a1 g7h8", "Ra8+, with a draw by repetition"},
    {"gives_the_last_piece", stalemate_trick, "6R1/1k6/8/4q3/8/8/8/7K w - - 0 1", "g8g3 e5g3", "Rg3, which ends in stalemate"},
    {"is_not_stalemated", stalemate_trick, "6R1/1k6/8/4q3/8/8/P7/7K w - - 0 1", "g8g3 e5g3", ""},
    {"a_hunt", king_hunt, "6k1/8/8/8/8/8/8/R3Q1K1 w - - 0 1", "e1e8 g8g7 a1a7 g7f6 a7a6", "Qe8+ and more checks, chasing the king to f6"},
    {"two_checks_are_no_hunt", king_hunt, "6k1/8/8/8/8/8/8/R3Q1K1 w - - 0 1", "e1e8 g8g7 a1a7 g7f6 g1g2", ""},
    {"a_passed_pawn_gets_far", running_pawn, "4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6 e8d7", "a6, a passed pawn that gets to a6"},
    {"a_pawn_that_takes_a_piece_runs_nowhere", running_pawn, "4k3/8/1n6/P7/8/8/8/4K3 w - - 0 1", "a5b6 e8d7", ""},
    {"the_king_has_to_move", lost_castling, "r3k2r/8/8/8/8/8/8/R5K1 w kq - 0 1", "a1e1 e8d7", "Re1+, and the king goes to d7 and cannot castle any more"},
    {"the_king_had_moved_before", lost_castling, "r3k2r/8/8/8/8/8/8/R5K1 w - - 0 1", "a1e1 e8d7", ""},
    {"a_pin", new_pin, "4k3/8/8/4n3/8/8/8/R4K2 w - - 0 1", "a1e1", "Re1, pinning the knight on e5 to the king"},
    {"one_piece_is_attacked", threat, "6k1/8/3n4/8/8/4P3/8/6K1 w - - 0 1", "e3e4", ""},
    {"two_pieces_are_attacked", threat, "6k1/8/8/3n1n2/8/4P3/8/6K1 w - - 0 1", "e3e4", "e4, attacking the knight on d5 and the knight on f5"},
    {"queens_face_each_other", threat, "6k1/3q4/8/8/8/8/8/Q4RK1 w - - 0 1", "a1d1", "Qd1, offering to trade queens"},
    {"a_pawn_is_attacked", threat_to_pawns, "6k1/8/8/3p4/8/8/8/R5K1 w - - 0 1", "a1d1", "Rd1, attacking the pawn on d5"},
    {"a_guarded_pawn_is_not", threat_to_pawns, "6k1/8/4p3/3p4/8/8/8/R5K1 w - - 0 1", "a1d1", ""},
};

const PlanCase manoeuvres[] = {
    {"a_piece_is_taken", capture, "6k1/8/8/3n4/8/8/8/3R2K1 w - - 0 1", "d1d5 g8f7", "Rxd5, taking the knight on d5"},
    {"a_piece_that_is_taken_back", capture, "6k1/8/4p3/3n4/8/2N5/8/6K1 w - - 0 1", "c3d5 e6d5", ""},
    {"a_piece_and_a_rook", capture, "6k1/8/8/3n4/2r5/8/8/R2R2K1 w - - 0 1", "d1d5 c4c1 a1c1 g8f7", "Rxd5, taking the knight on d5"},
    {"a_piece_for_a_rook", capture, "6k1/8/8/3n4/8/8/1b6/R2R2K1 w - - 0 1", "d1d5 b2a1 g1g2 a1e5", ""},
    {"the_seventh_rank", rook_on_the_seventh, "6k1/8/8/8/8/8/8/3R2K1 w - - 0 1", "d1d7", "Rd7, bringing a rook to the seventh rank"},
    {"a_rook_that_is_lost_there", rook_on_the_seventh, "3q2k1/8/8/8/8/8/8/3R2K1 w - - 0 1", "d1d7", ""},
    {"an_outpost", outpost, "6k1/p7/8/8/4P3/4N3/8/6K1 w - - 0 1", "e3d5", "Nd5, where no pawn can drive the knight away"},
    {"a_pawn_can_drive_it_away", outpost, "6k1/2p5/8/8/4P3/4N3/8/6K1 w - - 0 1", "e3d5", ""},
    {"without_a_pawn_behind_it", outpost, "6k1/8/8/8/8/4N3/8/6K1 w - - 0 1", "e3d5", ""},
    {"an_open_file", open_file, "6k1/5ppp/8/8/8/8/P4PPP/R5K1 w - - 0 1", "a1d1", "Rd1, putting a rook on the open d-file"},
    {"a_closed_file", open_file, "6k1/3p1ppp/8/8/8/8/P4PPP/R5K1 w - - 0 1", "a1d1", ""},
    {"three_against_the_king", king_attack, "6k1/5ppp/8/8/8/3B4/1Q3PPP/R5K1 w - - 0 1", "a1a8", "Ra8#, and three pieces take aim at the king"},
    {"two_against_the_king", king_attack, "6k1/5ppp/8/8/8/8/1Q3PPP/R5K1 w - - 0 1", "a1a8", ""},
    {"the_opposition", opposition, "4k3/8/8/3K4/4P3/8/8/8 w - - 0 1", "d5e6", "Ke6, taking the opposition"},
    {"not_with_rooks", opposition, "r3k3/8/8/3K4/4P3/8/8/7R w - - 0 1", "d5e6", ""},
    {"a_king_comes_closer", king_walk, "8/p5k1/8/8/8/8/P5K1/8 w - - 0 1", "g2f3 g7h6 f3e4", "Kf3, and the king comes to e4"},
    {"a_king_goes_back", king_walk, "8/p5k1/8/8/5K2/8/P7/8 w - - 0 1", "f4f3 g7h6 f3g2", ""},
    {"a_new_passed_pawn", new_passed_pawn, "6k1/8/3p4/2P5/8/8/8/6K1 w - - 0 2", "c5d6", "cxd6, making a passed pawn"},
    {"a_pawn_that_can_be_stopped", new_passed_pawn, "6k1/8/4p3/8/3P4/8/8/6K1 w - - 0 2", "d4d5", ""},
    {"a_lever", pawn_lever, "6k1/8/3p4/4p3/8/5P2/8/6K1 w - - 0 1", "f3f4", "f4, striking at the pawn on e5"},
    {"the_queens_come_off", queens_off, "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d8 e8d8", "Qxd8+, and the queens come off"},
    {"the_queens_stay", queens_off, "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "e1e2 e8e7", ""},
    {"castles", castling, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O, bringing the king to safety"},
    {"develops", development, "4k3/8/8/8/8/8/8/1N2K3 w - - 0 5", "b1c3", "Nc3, developing the knight"},
    {"too_late_to_develop", development, "4k3/8/8/8/8/8/8/1N2K3 w - - 0 25", "b1c3", ""},
    {"a_trade", trade, "4k3/8/5n2/3n4/8/2N5/8/4K3 w - - 0 1", "c3d5 f6d5", "Nxd5, trading the knight for a knight"},
};
// clang-format on

std::string name_of_plan_case(const testing::TestParamInfo<PlanCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Plans, PlanIn, testing::ValuesIn(plans), name_of_plan_case);
INSTANTIATE_TEST_SUITE_P(Manoeuvres, PlanIn, testing::ValuesIn(manoeuvres), name_of_plan_case);

TEST(Plans, a_defence_guards_what_the_other_line_takes) {
  const char* fen = "6k1/8/8/8/r7/8/P7/1R4K1 w - - 0 1";
  const char* after_another_move = "6k1/8/8/8/r7/8/P7/2R3K1 b - - 0 1";
  const auto idea = defence(line_in(fen, "b1b2"), line_in(after_another_move, "a4a2"));
  ASSERT_TRUE(idea);
  EXPECT_EQ(idea->doing, "Rb2, guarding the pawn on a2");
  EXPECT_FALSE(defence(line_in(fen, "b1b8"), line_in(after_another_move, "a4a2"))) << "guards nothing";
}

}  // namespace
}  // namespace pm::explain
