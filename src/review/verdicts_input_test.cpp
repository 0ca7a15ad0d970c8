#include "review/verdicts_input.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chess/san.h"

namespace pm::review {
namespace {

using nlohmann::json;

json good() {
  return json::parse(R"({"positions": [{
    "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "move": "e2e4",
    "before": [{"cp": 31, "depth": 18, "pv": ["e2e4", "e7e5"]}, {"mate": 3, "depth": 18, "pv": ["d2d4"]}],
    "after": [{"cp": 25, "depth": 18, "pv": ["e7e5"]}]}]})");
}

TEST(GivenLines, are_read_in_full) {
  const auto file = parse_given(good().dump());
  ASSERT_TRUE(file);
  ASSERT_EQ(file->size(), 1U);
  const auto move = file->move(0);
  ASSERT_TRUE(move);
  EXPECT_EQ(chess::format_san(move->before, move->move), "e4");
  ASSERT_EQ(move->lines_before.size(), 2U);
  EXPECT_EQ(move->lines_before[0].score, score::WhiteScore(score::Centipawns{31}));
  EXPECT_EQ(move->lines_before[0].pv.size(), 2U);
  EXPECT_EQ(move->lines_before[1].score, score::WhiteScore(score::Mate{3, true}));
  EXPECT_EQ(move->lines_after[0].depth, 18);
  EXPECT_TRUE(move->judged().is_best());
}

TEST(GivenLines, options_have_defaults_and_can_be_set) {
  EXPECT_TRUE(parse_given(good().dump())->options().theory);
  json set = good();
  set["options"] = {{"theory", false},          {"critical", false}, {"brilliant", false},
                    {"precedence", "critical"}, {"dual", "strict"},  {"soften_lost", true}};
  const auto options = parse_given(set.dump())->options();
  EXPECT_FALSE(options.theory || options.points.critical || options.points.brilliant || options.labels.brilliant);
  EXPECT_EQ(options.points.precedence, verdict::Precedence::critical);
  EXPECT_EQ(options.labels.dual, verdict::Dual::strict);
  EXPECT_TRUE(options.points.soften_lost);
}

TEST(GivenLines, mate_on_the_board_gets_its_sign) {
  json mate = good();
  auto& p = mate["positions"][0];
  p["fen"] = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
  p["move"] = "a1a8";
  p["before"] = json::parse(R"([{"mate": 1, "depth": 5, "pv": ["a1a8"]}])");
  p["after"] = json::parse(R"([{"mate": 0, "depth": 0, "pv": []}])");
  EXPECT_EQ(parse_given(mate.dump())->move(0)->lines_after[0].score, score::WhiteScore(score::Mate{0, true}));
}

// What is put where, and what is said about it.
struct BadCase {
  const char* name;
  const char* pointer;
  const char* value;
  const char* sentence;
};

class BadLines : public testing::TestWithParam<BadCase> {};

TEST_P(BadLines, are_refused_with_their_place) {
  json text = good();
  text[json::json_pointer(GetParam().pointer)] = json::parse(GetParam().value);
  const auto file = parse_given(text.dump());
  if (!file) {
    EXPECT_EQ(file.error().sentence, GetParam().sentence);
    return;
  }
  const auto move = file->move(0);
  ASSERT_FALSE(move);
  EXPECT_EQ(move.error().sentence, GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    input, BadLines,
    testing::Values(
        BadCase{"whole", "", "[]", "$: expected an object with positions, found array"},
        BadCase{"unknown_field_at_the_top", "/positionz", "1",
                "$.positionz: unknown field; expected one of positions, options"},
        BadCase{"positions", "/positions", "7", "$.positions: expected an array, found number"},
        BadCase{"position", "/positions/0", "null", "$.positions[0]: expected an object, found null"},
        BadCase{"fen_type", "/positions/0/fen", "1", "$.positions[0].fen: expected a FEN, found number"},
        BadCase{"fen", "/positions/0/fen", "\"8/8/8/8/8/8/8/8 w - - 0 1\"",
                "$.positions[0].fen: White has 0 kings; each side needs exactly one (character 1)"},
        BadCase{"illegal_move", "/positions/0/move", "\"e2e5\"", "$.positions[0].move: e2e5 is not a legal move here"},
        BadCase{"no_move", "/positions/0/move", "\"castles\"",
                "$.positions[0].move: expected a move such as e2e4 or e7e8q"},
        BadCase{"unknown_field", "/positions/0/comment", "1",
                "$.positions[0].comment: unknown field; expected one of fen, move, before, after"},
        BadCase{"no_lines", "/positions/0/before", "[]", "$.positions[0].before: expected at least one line"},
        BadCase{"lines_type", "/positions/0/after", "{}",
                "$.positions[0].after: expected an array of lines, found object"},
        BadCase{"line_type", "/positions/0/after/0", "3", "$.positions[0].after[0]: expected an object, found number"},
        BadCase{"score_missing", "/positions/0/after/0", "{\"pv\": []}",
                "$.positions[0].after[0]: expected either cp or mate"},
        BadCase{"two_scores", "/positions/0/after/0/mate", "3", "$.positions[0].after[0]: expected either cp or mate"},
        BadCase{"cp_type", "/positions/0/after/0/cp", "\"25\"",
                "$.positions[0].after[0].cp: expected an integer, found string"},
        BadCase{"cp_fraction", "/positions/0/after/0/cp", "2.5",
                "$.positions[0].after[0].cp: expected an integer, found number"},
        BadCase{"cp_huge", "/positions/0/after/0/cp", "18446744073709551615",
                "$.positions[0].after[0].cp: 18446744073709551615 is out of range; expected -1000000 to 1000000"},
        BadCase{"mate_zero", "/positions/0/before/1/mate", "0",
                "$.positions[0].before[1].mate: mate 0 in a position that is not checkmate"},
        BadCase{"depth", "/positions/0/before/0/depth", "-1",
                "$.positions[0].before[0].depth: -1 is out of range; expected 0 to 10000"},
        BadCase{"pv_type", "/positions/0/before/0/pv", "\"e2e4\"",
                "$.positions[0].before[0].pv: expected an array of moves, found string"},
        BadCase{"pv_move_type", "/positions/0/before/0/pv/1", "5",
                "$.positions[0].before[0].pv[1]: expected a move such as e2e4, found number"},
        BadCase{"pv_contradicts", "/positions/0/before/0/pv/1", "\"e2e4\"",
                "$.positions[0].before[0].pv[1]: e2e4 is not a legal move here"},
        BadCase{"same_move_twice", "/positions/0/before/1/pv/0", "\"e2e4\"",
                "$.positions[0].before[1].pv: an earlier line begins with the same move"},
        BadCase{"options_type", "/options", "[]", "$.options: expected an object, found array"},
        BadCase{"option_unknown", "/options/speed", "1",
                "$.options.speed: unknown field; expected one of theory, critical, brilliant, precedence, dual, mates, "
                "soften_lost"},
        BadCase{"flag_type", "/options/theory", "1", "$.options.theory: expected true or false, found number"},
        BadCase{"choice", "/options/dual", "\"harsh\"", "$.options.dual: expected lenient or strict, found harsh"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(GivenLines, a_missing_field_is_named) {
  for (const char* field : {"fen", "move", "before", "after"}) {
    json text = good();
    text["positions"][0].erase(field);
    EXPECT_EQ(parse_given(text.dump())->move(0).error().sentence, fmt::format("$.positions[0]: {} is missing", field));
  }
  EXPECT_EQ(parse_given("{}").error().sentence, "$: positions is missing");
}

TEST(GivenLines, scores_that_contradict_a_finished_game_are_refused) {
  json text = good();
  auto& p = text["positions"][0];
  p["fen"] = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
  p["move"] = "a1a8";
  p["before"] = json::parse(R"([{"cp": 300, "pv": ["a1a8"]}])");
  p["after"] = json::parse(R"([{"cp": 300, "pv": []}])");
  EXPECT_EQ(parse_given(text.dump())->move(0).error().sentence,
            "$.positions[0].after[0].cp: the position is checkmate; expected mate 0");
  p["after"] = json::parse(R"([{"mate": -3, "pv": []}])");
  EXPECT_EQ(parse_given(text.dump())->move(0).error().sentence,
            "$.positions[0].after[0].mate: the game is over in this position");
  p["fen"] = "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1";
  p["move"] = "g5g6";
  p["before"] = json::parse(R"([{"cp": 300, "pv": []}])");
  p["after"] = json::parse(R"([{"cp": 300, "pv": []}])");
  EXPECT_EQ(parse_given(text.dump())->move(0).error().sentence,
            "$.positions[0].after[0].cp: the position is stalemate; expected 0");
}

TEST(GivenLines, what_is_not_json_is_refused_with_line_and_column) {
  EXPECT_EQ(parse_given("{\"positions\":\n [1,}").error().sentence, "line 2, column 5: not JSON");
  EXPECT_EQ(parse_given("").error().sentence, "line 1, column 1: not JSON");
  EXPECT_EQ(parse_given("{\"positions\": 1e999}").error().sentence, "not JSON: a number is out of range");
  EXPECT_FALSE(parse_given(std::string(1'000'000, '[')));
  EXPECT_FALSE(parse_given(std::string("{\"positions\": []}\0", 18)));
  EXPECT_FALSE(parse_given("{\"positions\": [\"\xff\"]}"));
}

}  // namespace
}  // namespace pm::review
