#include "book/openings.h"

#include <gtest/gtest.h>

#include <sstream>

#include "chess/fen.h"
#include "chess/san.h"

namespace pm::book {
namespace {

chess::Position after(const char* moves) {
  chess::Position position = chess::Position::start();
  std::istringstream words(moves);
  for (std::string san; words >> san;) position.play(chess::parse_san(position, san).value());
  return position;
}

TEST(Openings, are_named_by_position) {
  struct Case {
    const char* moves;
    const char* eco;
    const char* name;
  };
  for (const Case& c : {Case{"e4", "B00", "King's Pawn Game"}, Case{"e4 e5 Nf3 d6", "C41", "Philidor Defense"},
                        Case{"e4 c5", "B20", "Sicilian Defense"}, Case{"d4 d5 c4", "D06", "Queen's Gambit"}}) {
    const Opening* opening = find_opening(after(c.moves));
    ASSERT_NE(opening, nullptr) << c.moves;
    EXPECT_EQ(opening->eco, c.eco) << c.moves;
    EXPECT_EQ(opening->name, c.name) << c.moves;
  }
}

TEST(Openings, transpositions_count) {
  EXPECT_EQ(find_opening(after("e4 e5 Nf3 Nc6")), find_opening(after("Nf3 Nc6 e4 e5")));
  EXPECT_NE(find_opening(after("e4 e5 Nf3 Nc6")), nullptr);
}

TEST(Openings, castling_and_en_passant_rights_do_not_matter_but_the_side_to_move_does) {
  const auto named = [](const char* fen) { return find_opening(chess::parse_fen(fen).value()); };
  const Opening* kings_pawn = named("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
  ASSERT_NE(kings_pawn, nullptr);
  EXPECT_EQ(named("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 7 9"), kings_pawn);
  EXPECT_NE(named("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), kings_pawn);
}

TEST(Openings, checkmates_are_left_out) {
  EXPECT_EQ(find_opening(after("f3 e5 g4 Qh4#")), nullptr);
  EXPECT_NE(find_opening(after("f3")), nullptr);
}

TEST(Openings, there_are_thousands) { EXPECT_GT(opening_count(), 3'000U); }

TEST(Openings, a_position_of_the_middlegame_has_no_name) {
  EXPECT_EQ(find_opening(chess::parse_fen("r4rk1/pp3ppp/8/8/2B5/8/PP3PPP/R1B2RK1 w - - 0 12").value()), nullptr);
}

}  // namespace
}  // namespace pm::book
