#include "pgn/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "chess/fen.h"
#include "chess/san.h"
#include "pgn/limits.h"
#include "pgn/main_line.h"
#include "pgn/writer.h"

namespace pm::pgn {
namespace {

std::vector<ReadGame> read_all(std::string_view text, std::size_t piece = std::string_view::npos) {
  MemorySource source(text, piece);
  GameReader reader(source);
  std::vector<ReadGame> games;
  while (auto game = reader.next()) games.push_back(std::move(*game));
  return games;
}

// The movetext as the writer gives it, on one line.
std::string movetext(const Game& game) {
  const std::string all = write_game(game);
  std::string text = all.substr(all.find("\n\n") + 2);
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

struct ReadCase {
  const char* name;
  const char* text;
  std::vector<const char*> games;     // movetext of each
  std::vector<const char*> problems;  // "line:column message", of all games
};

void PrintTo(const ReadCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Read : public testing::TestWithParam<ReadCase> {};

TEST_P(Read, gives_games_and_problems) {
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1}}) {
    std::vector<std::string> games;
    std::vector<std::string> problems;
    std::size_t number = 0;
    for (const ReadGame& read : read_all(GetParam().text, piece)) {
      ++number;
      games.push_back(movetext(read.game));
      for (const Problem& p : read.problems) {
        EXPECT_EQ(p.game, number);
        problems.push_back(std::to_string(p.place.line) + ":" + std::to_string(p.place.column) + " " + p.message);
      }
    }
    EXPECT_EQ(games, std::vector<std::string>(GetParam().games.begin(), GetParam().games.end()));
    EXPECT_EQ(problems, std::vector<std::string>(GetParam().problems.begin(), GetParam().problems.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    real_files, Read,
    testing::Values(
        ReadCase{"plain", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0\n", {"1. e4 e5 2. Nf3 1-0"}, {}},
        ReadCase{"no_tags", "1. e4 e5 1/2-1/2", {"1. e4 e5 1/2-1/2"}, {}},
        ReadCase{"no_result", "[Event \"x\"]\n\n1. e4 e5\n", {"1. e4 e5 *"}, {}},
        ReadCase{"no_result_before_the_next_game",
                 "[Event \"x\"]\n\n1. e4 e5\n\n[Event \"y\"]\n\n1. d4 *",
                 {"1. e4 e5 *", "1. d4 *"},
                 {}},
        ReadCase{"result_only_in_the_tag", "[Result \"0-1\"]\n\n1. e4", {"1. e4 0-1"}, {}},
        ReadCase{"tags_only", "[Event \"x\"]\n[Result \"1-0\"]\n\n[Event \"y\"]\n\n1. e4 *", {"1-0", "1. e4 *"}, {}},
        ReadCase{"no_moves", "[Event \"x\"]\n\n*\n", {"*"}, {}},
        ReadCase{"crlf", "[Event \"x\"]\r\n\r\n1. e4\r\ne5 *\r\n", {"1. e4 e5 *"}, {}},
        ReadCase{"byte_order_mark", "\xEF\xBB\xBF[Event \"x\"]\n\n1. e4 *", {"1. e4 *"}, {}},
        ReadCase{"percent_line", "[Event \"x\"]\n%engine data\n\n1. e4\n% more\ne5 *", {"1. e4 e5 *"}, {}},
        ReadCase{"semicolon_comment", "1. e4 ; best by test\ne5 *", {"1. e4 { best by test } 1... e5 *"}, {}},
        ReadCase{"comments_before_and_after",
                 "{start} 1. {first} e4 {good} {very} e5 *",
                 {"{ start } 1. { first } e4 { good } { very } 1... e5 *"},
                 {}},
        ReadCase{"comment_before_the_tags",
                 "; made by hand\n[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
                 {"{ made by hand } 1. O-O *"},
                 {}},
        ReadCase{"comment_at_the_end", "1. e4 *\n\n{ nothing more }\n", {"1. e4 *"}, {}},
        ReadCase{"commands_go_first",
                 "1. e4 {good [%clk 0:01:00] [%eval 0.3]} *",
                 {"1. e4 { [%clk 0:01:00] [%eval 0.3] good } *"},
                 {}},
        ReadCase{"glyphs", "1. e4! e5?! $14 2. Nf3!! $22 *", {"1. e4 $1 e5 $6 $14 2. Nf3 $3 $22 *"}, {}},
        ReadCase{"variations",
                 "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *",
                 {"1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *"},
                 {}},
        ReadCase{"variation_with_comments",
                 "1. e4 ( {why not} 1. d4 {solid} ) e5 *",
                 {"1. e4 (1. { why not } d4 { solid }) 1... e5 *"},
                 {}},
        ReadCase{"empty_variation", "1. e4 ({nothing here}) e5 *", {"1. e4 { nothing here } 1... e5 *"}, {}},
        ReadCase{"result_inside_a_variation", "1. e4 (1. d4 1-0) e5 *", {"1. e4 (1. d4) 1... e5 *"}, {}},
        ReadCase{
            "null_move_in_a_variation", "1. e4 (1. -- e5) (1. Z0) e5 *", {"1. e4 (1. -- e5) (1. --) 1... e5 *"}, {}},
        ReadCase{"castling_with_zeros_and_long_algebraic",
                 "1. e2-e4 e7e5 2. Ng1-f3 Nc6 3. Bb5 Nf6 4. 0-0 *",
                 {"1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *"},
                 {}},
        ReadCase{"black_to_move",
                 "[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 40\"]\n\n40... e1(Q)+ 41. Ka2 *",
                 {"40... e1=Q+ 41. Ka2 *"},
                 {}},
        ReadCase{
            "chess960",
            "[Variant \"Chess960\"]\n[FEN \"bqnbrk1r/pppppppp/8/8/8/8/PPPPPPPP/BQNBRK1R w HEhe - 0 1\"]\n\n1. O-O *",
            {"1. O-O *"},
            {}},
        ReadCase{"games_run_together",
                 "1. e4 e5 1-0 1. d4 d5 0-1 [Event \"x\"] 1. c4 *",
                 {"1. e4 e5 1-0", "1. d4 d5 0-1", "1. c4 *"},
                 {}},
        ReadCase{"games_run_together_without_results",
                 "1. e4 e5 2. Nf3\n\n1. d4 d5\n\n1. c4 *",
                 {"1. e4 e5 2. Nf3 *", "1. d4 d5 *", "1. c4 *"},
                 {}},
        ReadCase{"comment_after_the_result",
                 "1. e4 1-0 {on time} $1 ; really\n{second game} 1. d4 *",
                 {"1. e4 { on time } { really } 1-0", "{ second game } 1. d4 *"},
                 {}},
        ReadCase{
            "things_between_games", "1. e4 1-0\n\n42\n$1\n\xEF\xBB\xBF\n1. d4 *\x1a", {"1. e4 1-0", "1. d4 *"}, {}},
        ReadCase{
            "en_passant_marks", "1. e4 a6 2. e5 d5 3. exd6e.p. exd6 e.p. *", {"1. e4 a6 2. e5 d5 3. exd6 exd6 *"}, {}},
        ReadCase{"nothing", "", {}, {}}, ReadCase{"only_white_space", " \n\n ", {}, {}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    problems, Read,
    testing::Values(
        ReadCase{"bad_move",
                 "[Event \"x\"]\n\n1. e4 e5 2. Nf6 Nc6 1-0\n\n[Event \"y\"]\n\n1. d4 *",
                 {"1. e4 e5 *", "1. d4 *"},
                 {"3:13 Nf6 is not a legal move for White"}},
        ReadCase{
            "not_a_move", "1. e4 hello 1-0 1. d4 *", {"1. e4 *", "1. d4 *"}, {"1:7 expected a move, found 'hello'"}},
        ReadCase{"ambiguous_move",
                 "1. Nf3 d5 2. d3 d4 3. Nd2 *",
                 {"1. Nf3 d5 2. d3 d4 *"},
                 {"1:23 Nd2 fits more than one piece"}},
        ReadCase{"bad_move_in_a_variation",
                 "1. e4 (1. d4 d5 2. d5 (2. c4) e6) e5 1-0 1. d4 *",
                 {"1. e4 (1. d4 d5) 1... e5 1-0", "1. d4 *"},
                 {"1:20 d5 is not a legal move for White"}},
        ReadCase{"bad_byte_in_a_variation",
                 "1. e4 (1.&d4 (1. c4)) e5 *",
                 {"1. e4 e5 *"},
                 {"1:10 expected a move, a comment or a result, found '&'"}},
        ReadCase{"bracket_never_opened",
                 "1. e4 ) e5 1-0 1. d4 *",
                 {"1. e4 *", "1. d4 *"},
                 {"1:7 found ')' without the '(' it closes"}},
        ReadCase{"bracket_never_closed",
                 "1. e4 (1. d4 d5 1-0\n\n[Event \"y\"]\n\n1. c4 *",
                 {"1. e4 (1. d4 d5) *", "1. c4 *"},
                 {"1:7 this variation is never closed: expected ')'"}},
        ReadCase{"variation_before_any_move",
                 "(1. e4) 1-0 1. d4 *",
                 {"1. d4 *"},
                 {"1:1 expected a move, found '(': a variation needs a move to replace"}},
        ReadCase{"comment_never_closed",
                 "1. e4 {forgot\n1-0\n\n[Event \"y\"]\n\n1. d4 *",
                 {"1. e4 { forgot 1-0 } *", "1. d4 *"},
                 {"1:7 this comment is never closed: expected '}'"}},
        ReadCase{"stray_brace",
                 "1. e4 } e5 1-0 1. d4 *",
                 {"1. e4 *", "1. d4 *"},
                 {"1:7 expected a move, a comment or a result, found '}'"}},
        ReadCase{"bad_tag_costs_only_itself",
                 "[Event \"x]\n[White \"w\"]\n\n1. e4 *",
                 {"1. e4 *"},
                 {"1:1 bad tag: expected [Name \"value\"]"}},
        ReadCase{
            "tag_names_that_begin_with_a_digit", "[5Event \"y\"]\n[ 6x \"y\"]\n[_x \"y\"]\n\n1. d4 *", {"1. d4 *"}, {}},
        ReadCase{"bad_fen",
                 "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 e5 *\n\n[Event \"y\"]\n\n1. d4 *",
                 {"*", "1. d4 *"},
                 {"1:1 bad FEN tag: White has 0 kings; each side needs exactly one (character 1 of the FEN)"}},
        ReadCase{"bad_fen_of_a_game_without_moves",
                 "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1-0\n\n1. d4 *",
                 {"1-0", "1. d4 *"},
                 {"1:1 bad FEN tag: White has 0 kings; each side needs exactly one (character 1 of the FEN)"}},
        ReadCase{"other_variant",
                 "[Variant \"Atomic\"]\n\n1. e4 e5 1-0 1. d4 *",
                 {"*", "1. d4 *"},
                 {"1:1 the variant Atomic is not supported; expected standard chess or Chess960"}},
        ReadCase{"null_move_in_check",
                 "1. e4 f6 2. Qh5+ -- *",
                 {"1. e4 f6 2. Qh5+ *"},
                 {"1:18 -- is not a legal move for Black"}},
        ReadCase{"other_variant_spelt_otherwise",
                 "[Variant \"Three-check\"]\n\n1. e4 *",
                 {"*"},
                 {"1:1 the variant Three-check is not supported; expected standard chess or Chess960"}},
        ReadCase{"after_a_bad_move_numbers_start_again",
                 "1. e4 e5 2. Qe9 Nc6\n\n1. d4 d5 2. c4\n\n1. c4 *",
                 {"1. e4 e5 *", "1. d4 d5 2. c4 *", "1. c4 *"},
                 {"1:13 expected a move, found 'Qe9'"}},
        ReadCase{"bracket_never_closed_before_a_game_without_tags",
                 "1. e4 e5 2. Nf3 (2. f4 1-0\n\n1. d4 *",
                 {"1. e4 e5 2. Nf3 (2. f4) *", "1. d4 *"},
                 {"1:17 this variation is never closed: expected ')'"}},
        ReadCase{"comment_never_closed_before_an_indented_or_bare_tag",
                 "[White \"a\"]\n\n1. e4 {open 1-0\n\n[White \"b\"]\n\n1. e4 e5 {x} 1-0",
                 {"1. e4 { open 1-0 } *", "1. e4 e5 { x } 1-0"},
                 {"3:7 this comment is never closed: expected '}'"}},
        ReadCase{"comment_never_closed_and_nothing_else",
                 "{open",
                 {"{ open } *"},
                 {"1:1 this comment is never closed: expected '}'"}},
        ReadCase{"text_between_games",
                 "1. e4 e5 1-0\n\nAnd now\n\n[Event \"x\"]\n\n1. d4 *",
                 {"1. e4 e5 1-0", "1. d4 *"},
                 {"3:1 expected a move, found 'And'"}},
        ReadCase{"old_mac_lines",
                 "[Event \"a\"]\r[Round 1]\r\r1. e4 {open\r\r[Event \"b\"]\r\r1. d4 zz *\r",
                 {"1. e4 { open } *", "1. d4 *"},
                 {"2:1 bad tag: expected [Name \"value\"]", "4:7 this comment is never closed: expected '}'",
                  "8:7 expected a move, found 'zz'"}},
        ReadCase{"a_push_that_would_be_a_capture",
                 "1. d4 e5 2. e5 *",
                 {"1. d4 e5 *"},
                 {"1:13 e5 is not a legal move for White"}},
        ReadCase{"a_byte_that_means_nothing",
                 "1. e4 \x01 e5 *",
                 {"1. e4 *"},
                 {"1:7 expected a move, a comment or a result, found the byte 0x01"}},
        ReadCase{"rubbish", "once upon a time", {"*"}, {"1:1 expected a move, found 'once'"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Reader, tags_keep_their_order_and_lose_their_escapes) {
  const auto games = read_all("[White \"O'Neil \\\"the rook\\\" \\\\ co\"]\n[Black \"Andr\xE9\"]\n[Event \"e\"]\n\n*");
  ASSERT_EQ(games.size(), 1U);
  EXPECT_EQ(games[0].game.tags,
            (std::vector<Tag>{{"White", "O'Neil \"the rook\" \\ co"}, {"Black", "André"}, {"Event", "e"}}));
  EXPECT_EQ(*games[0].game.find_tag("Black"), "André");
  EXPECT_EQ(games[0].game.find_tag("Site"), nullptr);
}

TEST(Reader, comments_before_a_move_belong_to_it) {
  const auto games = read_all("{a} 1. {b} e4 {c} 1... {d} e5 ({e} 1... {f} c5) *");
  const Game& game = games.at(0).game;
  const NodeId e4 = game.main_move(Game::root);
  const NodeId e5 = game.main_move(e4);
  const NodeId c5 = game.next_alternative(e5);
  EXPECT_EQ(game.node(Game::root).after.at(0).text, "a");
  EXPECT_EQ(game.node(e4).before.at(0).text, "b");
  EXPECT_EQ(game.node(e4).after.at(0).text, "c");
  EXPECT_EQ(game.node(e5).before.at(0).text, "d");
  EXPECT_EQ(game.node(c5).before.at(0).text, "e");
  EXPECT_EQ(game.node(c5).before.at(1).text, "f");
}

TEST(Reader, trailing_comments_may_be_long_and_come_in_pieces) {
  const std::string text = "1. e4 1-0 {" + std::string(5'000, 'x') + "} {and more}\n1. d4 *";
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1}, std::size_t{999}}) {
    const auto games = read_all(text, piece);
    ASSERT_EQ(games.size(), 2U);
    EXPECT_EQ(games[0].game.node(games[0].game.main_move(Game::root)).after.size(), 2U);
    EXPECT_TRUE(games[1].game.node(Game::root).after.empty());
  }
}

// Bytes made on the fly: a head, a long run of one repeated text, a tail. Nothing of it is held in memory.
class RepeatedSource final : public ByteSource {
 public:
  RepeatedSource(std::string head, std::string unit, std::uint64_t times, std::string tail)
      : head_(std::move(head)), unit_(std::move(unit)), left_(unit_.size() * times), tail_(std::move(tail)) {}
  Expected<std::size_t> read(std::span<char> into) override {
    if (!head_.empty()) return give(head_, into);
    if (left_ > 0) {
      const auto n = std::min<std::uint64_t>(left_, into.size() / unit_.size() * unit_.size());
      if (unit_.size() == 1) {
        std::memset(into.data(), unit_[0], n);
      } else {
        for (std::size_t i = 0; i < n; i += unit_.size()) std::copy(unit_.begin(), unit_.end(), into.data() + i);
      }
      left_ -= n;
      return n;
    }
    return give(tail_, into);
  }

 private:
  static std::size_t give(std::string& text, std::span<char> into) {
    const std::size_t n = std::min(text.size(), into.size());
    std::copy_n(text.begin(), n, into.data());
    text.erase(0, n);
    return n;
  }
  std::string head_;
  std::string unit_;
  std::uint64_t left_;
  std::string tail_;
};

struct HostileCase {
  const char* name;
  const char* head;
  const char* unit;
  std::uint64_t times;
  const char* tail;
  const char* problem;  // start of the first problem's message
};

void PrintTo(const HostileCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Hostile : public testing::TestWithParam<HostileCase> {};

TEST_P(Hostile, is_bounded_and_the_next_game_is_read) {
  const HostileCase& c = GetParam();
  RepeatedSource source(c.head, c.unit, c.times, c.tail);
  GameReader reader(source);
  std::optional<ReadGame> last;
  std::string first_problem;
  while (auto read = reader.next()) {
    for (const Problem& p : read->problems) {
      if (first_problem.empty()) first_problem = p.message;
    }
    EXPECT_LE(read->problems.size(), max_problems);
    EXPECT_LE(read->game.size(), max_plies);
    last = std::move(read);
  }
  EXPECT_EQ(first_problem.substr(0, std::strlen(c.problem)), c.problem);
  ASSERT_TRUE(last);
  EXPECT_EQ(movetext(last->game), "1. d4 1-0");
}

TEST_P(Hostile, is_bounded_on_the_fast_path_too) {
  const HostileCase& c = GetParam();
  RepeatedSource source(c.head, c.unit, c.times, c.tail);
  MainLineReader reader(source);
  std::size_t moves = 0;
  while (const MainLine* line = reader.next()) {
    moves = line->moves.size();
    EXPECT_LE(line->problems.size(), max_problems);
  }
  EXPECT_EQ(moves, 1U);
}

constexpr const char* next_game = "\n\n[Event \"next\"]\n\n1. d4 1-0\n";

INSTANTIATE_TEST_SUITE_P(
    table, Hostile,
    testing::Values(
        HostileCase{"a_million_open_brackets", "1. e4 ", "(", 1'000'000, next_game, "expected a move, found '('"},
        HostileCase{"a_million_nested_variations", "1. e4 ", "(1. d4 ", 1'000'000, next_game,
                    "variations nested more than 100"},
        HostileCase{"a_million_closing_brackets", "1. e4 ", ")", 1'000'000, next_game, "found ')'"},
        HostileCase{"a_comment_of_two_gigabytes", "1. e4 {", "x", 2'000'000'000,
                    "} e5 *\n\n[Event \"next\"]\n\n1. d4 1-0\n", "a comment of more than"},
        HostileCase{"a_comment_that_never_ends", "1. e4 {", "x\n", 5'000'000, next_game,
                    "this comment is never closed"},
        HostileCase{"a_line_comment_of_ten_megabytes", "1. e4 ;", "x", 10'000'000, next_game, "a comment of more than"},
        HostileCase{"a_million_tags_on_one_line", "[A \"b\"]", "[A \"b\"]", 1'000'000, next_game,
                    "more than 1000 tags"},
        HostileCase{"ten_million_comments", "1. e4 ", "{x} ", 10'000'000, next_game, ""},
        HostileCase{"a_million_commands", "1. e4 {", "[%]", 300'000, "} *\n\n[Event \"next\"]\n\n1. d4 1-0\n", ""},
        HostileCase{"a_million_bad_tags", "", "[a\n", 1'000'000, next_game, "bad tag"},
        HostileCase{"a_tag_of_ten_megabytes", "[Event \"", "x", 10'000'000, next_game, "bad tag"},
        HostileCase{"a_million_tags", "", "[A \"b\"]\n", 1'000'000, "\n1. e4 *\n\n[Event \"next\"]\n\n1. d4 1-0\n",
                    "more than 1000 tags"},
        HostileCase{"a_million_variations_of_one_move", "1. e4 ", "(1. d4) ", 1'000'000, next_game,
                    "more than 250000 moves"},
        HostileCase{"a_million_comments", "1. e4 ", "{x} ", 1'000'000, next_game, ""},
        HostileCase{"a_million_glyphs", "1. e4 ", "! ", 1'000'000, next_game, ""},
        HostileCase{"a_game_that_never_ends", "1. Nf3 Nf6 ", "Ng1 Ng8 Nf3 Nf6 ", 1'000'000, next_game,
                    "more than 250000 moves"},
        HostileCase{"ten_megabytes_of_spaces", "1. e4 ", " ", 10'000'000, next_game, ""},
        HostileCase{"ten_megabytes_of_one_word", "1. e4 ", "x", 10'000'000, next_game, "expected a move"},
        HostileCase{"ten_megabytes_of_digits", "1. e4 ", "1", 10'000'000, next_game, ""},
        HostileCase{"ten_megabytes_of_zero_bytes_in_words", "1. e4 ", "\x01", 10'000'000, next_game,
                    "expected a move"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Reader, an_input_that_breaks_off_says_so) {
  class Broken final : public ByteSource {
   public:
    Expected<std::size_t> read(std::span<char> into) override {
      if (given_) return fail(ErrorCode::file_read, "the disk is on fire");
      given_ = true;
      constexpr std::string_view text = "1. e4 e5 ";
      std::copy(text.begin(), text.end(), into.data());
      return text.size();
    }
    bool given_ = false;
  };
  Broken source;
  GameReader reader(source);
  const auto game = reader.next();
  ASSERT_TRUE(game);
  EXPECT_EQ(movetext(game->game), "1. e4 e5 *");
  EXPECT_FALSE(reader.next());
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->sentence, "the disk is on fire");
}

}  // namespace
}  // namespace pm::pgn
