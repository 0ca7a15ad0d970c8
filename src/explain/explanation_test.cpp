#include "explain/explanation.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"

namespace pm::explain {
namespace {

using verdict::PointsClass;

std::vector<chess::Move> moves_in(chess::Position position, const std::string& uci) {
  std::vector<chess::Move> moves;
  std::istringstream words(uci);
  for (std::string word; words >> word;) {
    moves.push_back(chess::parse_uci(position, word).value());
    position.play(moves.back());
  }
  return moves;
}

// White's scores in centipawns; 10'000 and more less the number of moves is a mate.
score::WhiteScore score_of(int value) {
  constexpr int mate = 10'000;
  if (value > mate - 100) return score::WhiteScore(score::Mate{mate - value, true});
  if (value < -mate + 100) return score::WhiteScore(score::Mate{mate + value, false});
  return score::WhiteScore(score::Centipawns{value});
}

struct Case {
  const char* name;
  const char* fen;       // before the move, or before `previous`
  const char* previous;  // the opponent's move before it; empty: not known
  const char* move;
  PointsClass cls;
  const char* after;  // the engine's line after it
  int score_after;
  const char* better;  // and instead of it
  int score_before;
  const char* text;
};

class ExplanationOf : public testing::TestWithParam<Case> {};

TEST_P(ExplanationOf, a_move) {
  const Case& c = GetParam();
  chess::Position before = chess::parse_fen(c.fen).value();
  std::optional<motif::Step> previous;
  if (*c.previous != '\0') {
    previous.emplace(before, chess::parse_uci(before, c.previous).value());
    before = previous->after;
  }
  const chess::Move move = chess::parse_uci(before, c.move).value();
  const std::vector<score::Line> lines_before{{score_of(c.score_before), 14, moves_in(before, c.better)}};
  const std::vector<score::Line> lines_after{{score_of(c.score_after), 14, moves_in(before.after(move), c.after)}};
  std::vector<motif::Step> recent;
  if (previous) recent.push_back(*previous);
  const Explanation e = explain({before, move, previous, recent, lines_before, lines_after, c.cls});
  EXPECT_EQ(e.text, c.text);
}

// clang-format off: a table
const Case cases[] = {
    {"a_fork", "3qk3/8/8/8/3N4/8/4K3/8 b - - 0 1", "", "e8f7", PointsClass::blunder, "d4c6 d8d7 c6e5 f7f6 e5d7", 300, "d8d4", -900,
     "Allows Nc6, followed by Ne5+, forking king and queen. Misses Qxd4, which wins the knight on d4. Refuted by 2. Nc6 Qd7 3. Ne5+ Kf6 4. Nxd7+ (+3.00)."},
    {"a_piece_left_to_be_taken", "4k3/8/8/8/1b6/8/3P4/1N2K3 b - - 0 1", "", "b4c3", PointsClass::blunder, "d2c3", 400, "b4e7", 0,
     "Allows dxc3, which wins the bishop on c3. Refuted by 2. dxc3 (+4.00)."},
    {"a_trade_is_no_loss", "4k3/8/8/3r4/8/8/3R4/4K3 w - - 0 1", "", "d2d5", PointsClass::mistake, "", 0, "d2a2", 100, ""},
    {"a_man_taken_before_counts", "4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1", "", "d2d5", PointsClass::blunder, "c6d5", -100, "d2a2", 500,
     "Allows cxd5, which wins the exchange. Refuted by 1... cxd5 (-1.00)."},
    {"mate_is_allowed", "6k1/5ppp/8/8/8/8/b7/R5K1 b - - 0 1", "", "a2b1", PointsClass::blunder, "a1a8", 9'999, "a2d5 a1a5", -100,
     "Allows Ra8#, mate on the back rank. Refuted by 2. Ra8# (#1)."},
    {"mate_is_missed", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "", "a1b1", PointsClass::blunder, "g8f8", 50, "a1a8", 9'999,
     "Misses Ra8#, mate on the back rank."},
    {"stalemate", "k7/8/1K6/8/8/8/8/1Q6 w - - 0 1", "", "b1c2", PointsClass::okay, "a8b8", 9'990, "b1a2", 9'999, ""},
    {"stalemate_throws_the_win_away", "k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", "", "b1b6", PointsClass::blunder, "", 0, "c6c7", 9'998,
     "Stalemate: the win is gone."},
    {"checkmate", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "", "a1a8", PointsClass::best, "", 10'000, "a1a8", 9'999,
     "Checkmate: mate on the back rank."},
    {"a_good_fork", "3qk3/8/8/8/6N1/8/4K3/8 w - - 0 1", "", "g4f6", PointsClass::best, "e8f7 f6d5 d8d5", -900, "g4f6", -900, ""},
    {"a_skewer_is_praised", "4q3/8/8/8/4k3/8/8/R5K1 w - - 0 1", "", "a1e1", PointsClass::best, "e4d5 e1e8", 500, "a1e1", 500,
     "Skewers king and queen."},
    {"a_quiet_move_gets_no_word", "4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "", "a1b1", PointsClass::best, "e8d7 b1b7", 500, "a1b1", 500, ""},
    {"taking_back_is_no_gain", "4k3/8/8/3r4/8/8/3R4/3RK3 b - - 0 1", "d5d2", "d1d2", PointsClass::best, "e8e7", 500, "d1d2", 500, ""},
    {"not_taking_back", "4k3/8/8/3r4/8/8/3R4/3RK3 b - - 0 1", "d5d2", "d1c1", PointsClass::blunder, "d2a2", -500, "d1d2 e8e7", 500,
     "Misses Rxd2, taking back on d2."},
    {"the_shelter_of_the_king", "q5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", "", "g2g4", PointsClass::mistake, "g8f7", -300, "h2h3 g8f7", 0,
     "Loosens the king's shelter: the pawn leaves g2."},
    {"an_endless_check", "8/6pk/8/8/8/1r6/q7/3Q3K b - - 0 1", "", "b3b2", PointsClass::blunder, "d1h5 h7g8 h5e8 g8h7 e8h5 h7g8", 0, "a2f2", -900,
     "Allows Qh5+, with perpetual check. Refuted by 2. Qh5+ Kg8 3. Qe8+ Kh7 4. Qh5+ Kg8 (0.00)."},
    {"a_discovered_attack_in_a_wild_line", "r2q1rk1/pppb1pbp/2n1pnp1/1BPpB3/3P4/4PN2/PP3PPP/RN1QK2R w KQ - 3 9", "", "e1g1", PointsClass::blunder,
     "c6e5 d4e5 d7b5 c5c6 b5f1 e5f6 d8f6 c6b7 f6b2 b7a8q", -449, "b5c6 d7c6 e1g1 f6d7 e5g7 g8g7", 16,
     "Allows Nxe5, uncovering an attack on the bishop on b5. Refuted by 9... Nxe5 10. dxe5 Bxb5 11. c6 Bxf1 (-4.49)."},
    {"a_guard_leaves", "3rk3/8/8/8/3N4/8/8/3QK3 w - - 0 1", "", "d1b1", PointsClass::blunder, "d8d4", 0, "d1d2 e8e7", 300,
     "Allows Rxd4, which wins the knight on d4, since the queen no longer guards it. Refuted by 1... Rxd4 (0.00)."},
    {"a_hanging_piece_is_not_taken", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "", "e1e2", PointsClass::blunder, "d5f4 e2e3 f4g2", -300, "d1d5 e8e7", 500,
     "Misses Rxd5, which wins the knight on d5."},
};
// clang-format on

// Lines of White's in centipawns from a position.
std::vector<score::Line> lines_in(const chess::Position& position,
                                  const std::vector<std::pair<int, const char*>>& given) {
  std::vector<score::Line> lines;
  lines.reserve(given.size());
  for (const auto& [score, moves] : given) lines.push_back({score_of(score), 14, moves_in(position, moves)});
  return lines;
}

std::string text_of(const char* fen, const char* uci, PointsClass cls,
                    const std::vector<std::pair<int, const char*>>& before,
                    const std::vector<std::pair<int, const char*>>& after) {
  const chess::Position position = chess::parse_fen(fen).value();
  const chess::Move move = chess::parse_uci(position, uci).value();
  const std::optional<motif::Step> previous;
  const auto lines_before = lines_in(position, before);
  const auto lines_after = lines_in(position.after(move), after);
  return explain({position, move, previous, {}, lines_before, lines_after, cls}).text;
}

TEST(Explanation, of_the_only_good_move_says_what_the_next_best_runs_into) {
  EXPECT_EQ(text_of("6k1/8/8/8/3n4/8/7P/R3K3 w - - 0 1", "e1d2", PointsClass::critical,
                    {{0, "e1d2 g8f7"}, {-500, "h2h3 d4c2 e1d2 c2a1"}}, {{0, "g8f7"}}),
            "h3, the next best, allows Nc2+, forking king and rook.");
  EXPECT_EQ(text_of("6k1/8/8/8/3n4/8/7P/R3K3 w - - 0 1", "e1d2", PointsClass::best,
                    {{0, "e1d2 g8f7"}, {-500, "h2h3 d4c2 e1d2 c2a1"}}, {{0, "g8f7"}}),
            "");
}

TEST(Explanation, of_a_sacrifice_says_what_it_gets) {
  const char* fen = "r5k1/5ppp/8/3q4/8/8/Q4PPP/3R2K1 w - - 0 1";
  EXPECT_EQ(text_of(fen, "a2a8", PointsClass::brilliant, {{900, "a2a8"}}, {{9'999, "d5d8 a8d8"}}),
            "Forces mate in 2 (mate on the back rank).");
}

INSTANTIATE_TEST_SUITE_P(Cases, ExplanationOf, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace pm::explain
