#include "pgn/writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "pgn/reader.h"

namespace pm::pgn {
namespace {

Game read(std::string_view text) {
  MemorySource source(text);
  GameReader reader(source);
  auto game = reader.next();
  EXPECT_TRUE(game && game->problems.empty()) << text;
  return game ? std::move(game->game) : Game();
}

TEST(Writer, export_format) {
  const Game game = read(
      "[Round \"3\"]\n[White \"A \\\"B\\\"\"]\n[WhiteElo \"1500\"]\n[Event \"Club\"]\n\n"
      "{A short one} 1. e4 e5 2. Nf3 ({or} 2. f4 exf4 3. Nf3 {[%eval 0.10] fine}) 2... Nc6!? 3. Bb5 a6 1/2-1/2");
  EXPECT_EQ(write_game(game), R"([Event "Club"]
[Site "?"]
[Date "????.??.??"]
[Round "3"]
[White "A \"B\""]
[Black "?"]
[Result "1/2-1/2"]
[WhiteElo "1500"]

{ A short one } 1. e4 e5 2. Nf3 (2. { or } f4 exf4 3. Nf3 { [%eval 0.10] fine }
) 2... Nc6 $5 3. Bb5 a6 1/2-1/2

)");
}

TEST(Writer, a_start_position_gets_its_tags) {
  Game game;
  game.start = chess::parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").value();
  const std::string text = write_game(game);
  EXPECT_NE(text.find("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n"), std::string::npos);
  EXPECT_TRUE(same_tree(read(text), game));
}

TEST(Writer, lines_stay_within_79_characters) {
  std::string text = "1. e4 {";
  for (int i = 0; i < 200; ++i) text += "word" + std::to_string(i) + " ";
  text += "} e5 *";
  std::istringstream lines(write_game(read(text)));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 79U);
}

TEST(Writer, comments_that_could_be_misread_survive) {
  const std::string long_text(70, 'x');
  const std::vector<std::string> comments{"%at the start of a line", long_text + " % y", long_text + " [Event \"z\"]",
                                          "; ( ) $1", "[%eval"};
  for (const std::string& comment : comments) {
    Game game;
    const NodeId e4 = game.add_move(Game::root, chess::Move::plain(chess::Square::e2, chess::Square::e4));
    game.add_move(e4, chess::Move::plain(chess::Square::e7, chess::Square::e5));
    game.node(e4).after.push_back({{}, comment});
    EXPECT_TRUE(same_tree(read(write_game(game)), game)) << write_game(game);
  }
}

TEST(Writer, a_closing_brace_in_a_comment_becomes_a_bracket) {
  const Game game = read("1. e4 ; a } b\n*");
  EXPECT_EQ(game.node(1).after.at(0).text, "a ) b");
  EXPECT_NE(write_game(game).find("1. e4 { a ) b } *"), std::string::npos);
}

TEST(SameTree, sees_every_difference) {
  const Game game = read("1. e4 {x} (1. d4 $1) 1... e5 1-0");
  EXPECT_TRUE(same_tree(game, read("1. e4 {x} (1. d4 $1) e5 1-0")));
  for (const char* other :
       {"1. e4 {y} (1. d4 $1) 1... e5 1-0", "1. e4 {x} (1. d4) 1... e5 1-0", "1. e4 {x} 1... e5 1-0",
        "1. e4 {x} (1. d4 $1) 1... e5 0-1", "1. e4 {x} (1. d4 $1) 1... c5 1-0", "1. e4 {x} (1. d4 $1) (1. c4) 1-0",
        "1. {x} e4 (1. d4 $1) 1... e5 1-0"}) {
    EXPECT_FALSE(same_tree(game, read(other))) << other;
  }
}

// A random game: random moves, now and then a variation, glyphs and comments.
Game random_game() {
  Game game;
  game.result = *rc::gen::element(Result::unknown, Result::white_wins, Result::black_wins, Result::draw);
  const auto plies = *rc::gen::inRange(0, 60);
  std::vector<std::pair<NodeId, chess::Position>> places{{Game::root, game.start}};
  for (int i = 0; i < plies; ++i) {
    const bool go_on = *rc::gen::inRange(0, 4) != 0;
    const auto at = go_on ? places.size() - 1 : *rc::gen::inRange<std::size_t>(0, places.size());
    const auto [parent, position] = places[at];
    const chess::MoveList moves = chess::legal_moves(position);
    if (moves.empty()) continue;
    const chess::Move m = moves[*rc::gen::inRange<std::size_t>(0, moves.size())];
    const NodeId id = game.add_move(parent, m);
    places.emplace_back(id, position.after(m));
    Node& node = game.node(id);
    if (*rc::gen::inRange(0, 5) == 0) node.nags.push_back(*rc::gen::inRange<std::uint8_t>(0, 255));
    const auto comment = [] {
      return parse_comment(*rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab {}[]%;()$1-0\n\"\\é"))));
    };
    for (auto* list : {&node.before, &node.after}) {
      if (*rc::gen::inRange(0, 6) != 0) continue;
      if (const Comment c = comment(); !c.empty()) list->push_back(c);
    }
  }
  return game;
}

RC_GTEST_PROP(WriterProperty, reading_what_was_written_gives_the_same_tree, ()) {
  const Game game = random_game();
  const std::string text = write_game(game);
  MemorySource source(text);
  GameReader reader(source);
  const auto again = reader.next();
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->problems.empty());
  RC_ASSERT(same_tree(again->game, game));
  RC_ASSERT(!reader.next());
  RC_ASSERT(write_game(again->game) == text);
}

}  // namespace
}  // namespace pm::pgn
