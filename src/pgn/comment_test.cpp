#include "pgn/comment.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pm::pgn {
namespace {

using std::chrono::milliseconds;

TEST(Comment, commands_and_text_are_taken_apart) {
  const Comment c = parse_comment(" [%eval 0.24] good [%clk\n0:09:58] move [%foo a b] ");
  EXPECT_EQ(c.text, "good move");
  EXPECT_EQ(c.commands, (std::vector<Command>{{"eval", "0.24"}, {"clk", "0:09:58"}, {"foo", "a b"}}));
  EXPECT_EQ(format_comment(c), "[%eval 0.24] [%clk 0:09:58] [%foo a b] good move");
}

TEST(Comment, half_a_command_is_text) {
  EXPECT_EQ(parse_comment("[%eval 0.2").text, "[%eval 0.2");
  EXPECT_TRUE(parse_comment("[%eval 0.2").commands.empty());
}

TEST(Comment, latin_1_is_converted) { EXPECT_EQ(parse_comment("Andr\xE9!").text, "André!"); }

struct EvalCase {
  const char* args;
  std::optional<Eval> eval;
};

TEST(Comment, evals) {
  using Kind = Eval::Kind;
  const std::vector<EvalCase> cases{
      {"0.24", Eval{Kind::centipawns, 24, false, {}}},
      {"-1.5", Eval{Kind::centipawns, -150, true, {}}},
      {"+3", Eval{Kind::centipawns, 300, false, {}}},
      {"0.005", Eval{Kind::centipawns, 1, false, {}}},
      {"0.004", Eval{Kind::centipawns, 0, false, {}}},
      {".5", Eval{Kind::centipawns, 50, false, {}}},
      {"-0.00", Eval{Kind::centipawns, 0, true, {}}},
      {"#3", Eval{Kind::mate, 3, false, {}}},
      {"#-12", Eval{Kind::mate, -12, true, {}}},
      {"#-0", Eval{Kind::mate, 0, true, {}}},
      {"0.24,18", Eval{Kind::centipawns, 24, false, 18}},
      {"", {}},
      {"#", {}},
      {"#+-3", {}},
      {"1.2.3", {}},
      {"abc", {}},
      {".", {}},
      {"0.2,x", {}},
      {"99999999999", {}},
      {"#99999", {}},
  };
  for (const EvalCase& c : cases) {
    EXPECT_EQ(parse_eval(c.args), c.eval) << c.args;
    if (!c.eval) continue;
    EXPECT_EQ(parse_eval(format_eval(*c.eval)), c.eval) << c.args;
  }
  EXPECT_EQ(format_eval({Kind::centipawns, -5, true, {}}), "-0.05");
  EXPECT_EQ(format_eval({Kind::mate, -3, true, 20}), "#-3,20");
}

TEST(Comment, clocks) {
  EXPECT_EQ(parse_clock("1:02:03"), milliseconds(3'723'000));
  EXPECT_EQ(parse_clock("0:00:05.5"), milliseconds(5'500));
  EXPECT_EQ(parse_clock("0:00:05.0419"), milliseconds(5'041));
  EXPECT_EQ(parse_clock("5:09"), milliseconds(309'000));
  EXPECT_EQ(parse_clock("7"), milliseconds(7'000));
  for (const char* bad :
       {"", "a", "1:2:3:4", "-1", "1:-2", "1::2", "0:00:05.", "99999999999", "0:00:05.x", "0:01.123x"}) {
    EXPECT_EQ(parse_clock(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(format_clock(milliseconds(3'723'000)), "1:02:03");
  EXPECT_EQ(format_clock(milliseconds(5'040)), "0:00:05.04");
}

TEST(Comment, shapes) {
  using chess::Square;
  const Comment c = parse_comment("[%csl Ge4,Rd5] [%cal Gc2c4, xx, Yz9a1,Ba1h8]");
  EXPECT_EQ(find_shapes(c), (std::vector<Shape>{{'G', Square::e4, Square::e4},
                                                {'R', Square::d5, Square::d5},
                                                {'G', Square::c2, Square::c4},
                                                {'B', Square::a1, Square::h8}}));
  EXPECT_EQ(format_shapes(find_shapes(c)), "Ge4,Rd5,Gc2c4,Ba1h8");
}

TEST(Comment, known_commands_are_found) {
  const Comment c = parse_comment("[%eval #-3] [%clk 0:01:00] [%emt 0:00:02]");
  EXPECT_EQ(find_eval(c)->value, -3);
  EXPECT_EQ(find_clock(c), milliseconds(60'000));
  EXPECT_EQ(find_elapsed(c), milliseconds(2'000));
  EXPECT_EQ(find_eval(Comment{}), std::nullopt);
  EXPECT_EQ(find_clock(Comment{}), std::nullopt);
  EXPECT_EQ(find_elapsed(Comment{}), std::nullopt);
}

RC_GTEST_PROP(CommentProperty, reading_what_was_written_gives_the_same, ()) {
  const auto raw = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("[]%% evalck019.#-ab\n")));
  const Comment c = parse_comment(raw);
  RC_ASSERT(parse_comment(format_comment(c)) == c);
}

}  // namespace
}  // namespace pm::pgn
