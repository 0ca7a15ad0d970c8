#include "chess/piece_letters.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"

namespace pm::chess {
namespace {

TEST(PieceLetters, become_english) {
  struct Case {
    Language language;
    const char* move;
    const char* english;
  };
  for (const Case& c :
       {Case{Language::german, "Sf3", "Nf3"}, Case{Language::german, "Lxb5+!?", "Bxb5+!?"},
        Case{Language::german, "e8=D+", "e8=Q+"}, Case{Language::german, "e8(S)", "e8(N)"},
        Case{Language::german, "e8T", "e8R"}, Case{Language::german, "O-O-O", "O-O-O"},
        Case{Language::german, "0-0", "0-0"}, Case{Language::german, "Z0", "Z0"}, Case{Language::french, "Re2", "Ke2"},
        Case{Language::french, "Fb5", "Bb5"}, Case{Language::french, "Cbd7", "Nbd7"},
        Case{Language::spanish, "Ab5", "Bb5"}, Case{Language::spanish, "T1e2", "R1e2"},
        Case{Language::dutch, "Pg1-f3", "Ng1-f3"}, Case{Language::english, "Nf3", "Nf3"}}) {
    EXPECT_EQ(in_english(c.move, c.language), c.english) << c.move;
  }
}

TEST(PieceLetters, of_another_language_are_refused) {
  for (const Language language : other_languages) EXPECT_FALSE(in_english("Nf3", language)) << language_name(language);
  EXPECT_FALSE(in_english("Fb5", Language::german));
  EXPECT_FALSE(in_english("e8=Q", Language::dutch));
}

TEST(PieceLetters, errors_name_the_move_as_it_was_written) {
  const Position start = Position::start();
  EXPECT_EQ(parse_san(start, "Sf3", Language::german).value(), parse_san(start, "Nf3").value());
  EXPECT_EQ(parse_san(start, "Sf4", Language::german).error().sentence, "Sf4 is not a legal move for White");
  EXPECT_EQ(parse_san(start, "Nf3", Language::german).error().sentence, "expected a move, found 'Nf3'");
}

}  // namespace
}  // namespace pm::chess
