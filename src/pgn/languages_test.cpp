#include "pgn/languages.h"

#include <gtest/gtest.h>

#include <string>

#include "pgn/main_line.h"
#include "pgn/reader.h"
#include "pgn/writer.h"

namespace pm::pgn {
namespace {

// The main line in English, and what was told, note or problem.
struct LettersOutcome {
  std::string moves;
  std::vector<std::string> notes;
  std::vector<std::string> problems;
};

LettersOutcome read_letters(const std::string& text, std::size_t piece = std::string::npos) {
  MemorySource source(text, piece);
  GameReader reader(source);
  LettersOutcome outcome;
  const auto game = reader.next();
  chess::Position position = game->game.start;
  for (NodeId n = game->game.main_move(Game::root); n != Game::none; n = game->game.main_move(n)) {
    const chess::Move m = game->game.node(n).move;
    outcome.moves += (outcome.moves.empty() ? "" : " ") + chess::format_san(position, m);
    position.play(m);
  }
  for (const Problem& p : game->problems) (p.note ? outcome.notes : outcome.problems).push_back(p.message);
  return outcome;
}

TEST(Languages, games_of_other_languages_are_read_and_it_is_said) {
  struct Case {
    const char* language;
    const char* text;
    const char* moves;
  };
  const char* ruy = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd6 d4 exd4 Qxd4 Qxd4 Nxd4 Bd7 Kh1 O-O-O Re1";
  for (const Case& c :
       {Case{"German",
             "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. 0-0 Dd6 6. d4 exd4 7. Dxd4 Dxd4 8. Sxd4 Ld7 "
             "9. Kh1 0-0-0 10. Te1 *",
             ruy},
        Case{"French or Spanish",
             "[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n1. Rd2 Re7 2. Td1 Re6 3. e4 Rf6 4. e5+ Re6 *",
             "Kd2 Ke7 Rd1 Ke6 e4 Kf6 e5+ Ke6"}}) {
    const LettersOutcome outcome = read_letters(c.text);
    EXPECT_EQ(outcome.moves, c.moves);
    EXPECT_TRUE(outcome.problems.empty()) << c.text;
    EXPECT_EQ(outcome.notes, std::vector{"read with " + std::string(c.language) + " piece letters"});
    EXPECT_EQ(read_letters(c.text, 1).moves, outcome.moves);
  }
}

TEST(Languages, what_can_be_read_in_english_stays_english) {
  for (const char* text : {"1. e4 e5 2. Nf3 Nc6 *", "1. Pe4 Pe5 2. Pf3 *", "1. a4 a5 2. Ra3 Ra6 *", "1. Nf3 *",
                           "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n1. Ra2 Kd7 2. Re2 *"}) {
    EXPECT_TRUE(read_letters(text).notes.empty()) << text;
    EXPECT_TRUE(read_letters(text).problems.empty()) << text;
  }
}

TEST(Languages, faults_stay_faults) {
  struct Case {
    const char* text;
    const char* moves;
    const char* problem;
  };
  for (const Case& c : {Case{"1. e4 e5 2. Re2 *", "e4 e5", "Re2 is not a legal move for White"},
                        Case{"1. e4 e5 2. Nf3 Sc6 *", "e4 e5 Nf3", "expected a move, found 'Sc6'"},
                        Case{"1. e4 e5 2. Sf3 Nc6 *", "e4 e5", "expected a move, found 'Sf3'"},
                        Case{"1. e4 e5 2. Diagram Nf3 *", "e4 e5", "expected a move, found 'Diagram'"}}) {
    const LettersOutcome outcome = read_letters(c.text);
    EXPECT_TRUE(outcome.notes.empty()) << c.text;
    EXPECT_EQ(outcome.moves, c.moves);
    EXPECT_EQ(outcome.problems, std::vector<std::string>{c.problem});
  }
}

TEST(Languages, variations_follow_the_main_line) {
  const LettersOutcome german = read_letters("1. e4 (1. Sf3 Sf6) e5 2. Sf3 Sc6 (2... Lc5 3. Sxe5) 3. Lb5 *");
  EXPECT_TRUE(german.problems.empty());
  EXPECT_EQ(german.moves, "e4 e5 Nf3 Nc6 Bb5");
  const LettersOutcome english = read_letters("1. e4 (1. Sf3 Sf6) e5 2. Nf3 Nc6 *");
  EXPECT_EQ(english.moves, "e4 e5 Nf3 Nc6");
  EXPECT_EQ(english.problems, std::vector<std::string>{"expected a move, found 'Sf3'"});
  EXPECT_TRUE(english.notes.empty());
}

TEST(Languages, each_game_has_its_own) {
  const std::string text = "1. e4 e5 2. Sf3 *\n\n1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Ab5 *";
  MemorySource source(text);
  MainLineReader reader(source);
  for (const char* note : {"read with German piece letters", "", "read with Spanish piece letters"}) {
    const MainLine* game = reader.next();
    ASSERT_NE(game, nullptr);
    EXPECT_EQ(game->problems.empty() ? "" : game->problems.front().message, note);
  }
}

TEST(Languages, a_fault_later_on_names_the_move_as_it_was_written) {
  std::string text = "1. Sf3 Sf6 ";
  for (int i = 0; i < 30; ++i) text += "Sg1 Sg8 Sf3 Sf6 ";
  const LettersOutcome outcome = read_letters(text + "Sf4 *");
  EXPECT_EQ(outcome.problems, std::vector<std::string>{"Sf4 is not a legal move for White"});
  EXPECT_EQ(outcome.notes.size(), 1U);
}

TEST(Languages, a_long_comment_does_not_hide_the_moves_before_it) {
  const LettersOutcome outcome = read_letters("1. e4 e5 2. Sf3 {" + std::string(20'000, 'x') + "} Sc6 *");
  EXPECT_EQ(outcome.moves, "e4 e5 Nf3 Nc6");
}

}  // namespace
}  // namespace pm::pgn
