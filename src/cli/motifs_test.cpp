#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "cli/test_run.h"
#include "nn/tiny_network.h"
#include "pgn/source.h"

namespace pm::cli {
namespace {

using Json = nlohmann::json;

class MotifsCommandTest : public CommandTest {};

constexpr const char* header = "PuzzleId,FEN,Moves,Rating,Themes\n";
constexpr const char* back_rank = "abc,6k1/p4ppp/8/8/8/8/8/R5K1 b - - 0 1,a7a6 a1a6 h7h6 a6a8,900,endgame fork\n";
constexpr const char* mate =
    "\"d,\"\"e\",6k1/p4ppp/8/8/8/8/8/R5K1 b - - 0 1,a7a5 a1a5 g8h8 a5a8,900,mate backRankMate\r\n";

TEST_F(MotifsCommandTest, names_the_motifs_of_each_puzzle) {
  const Outcome o = run_with({"motifs", write("p.csv", std::string(header) + back_rank + mate)});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "abc: rookEndgame\nd,\"e: mate, mateIn2, backRankMate, rookEndgame\n");
}

TEST_F(MotifsCommandTest, writes_json) {
  const Outcome o = run_with({"motifs", "--json", write("p.csv", std::string(header) + back_rank + mate)});
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["schema"], "postmortem.motifs/1");
  ASSERT_EQ(json["puzzles"].size(), 2U);
  EXPECT_EQ(json["puzzles"][1]["id"], "d,\"e");
  EXPECT_EQ(json["puzzles"][1]["motifs"][2], "backRankMate");
  EXPECT_EQ(Json::parse(run_with({"motifs", "--json", write("none.csv", header)}).out)["puzzles"].size(), 0U);
}

TEST_F(MotifsCommandTest, scores_against_the_themes) {
  const Outcome o = run_with({"motifs", "--score", write("p.csv", std::string(header) + back_rank + mate)});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("fork                  0.0000  0.0000  0.0000       1       0"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("backRankMate          1.0000  1.0000  1.0000       1       1"), std::string::npos) << o.out;
}

TEST_F(MotifsCommandTest, says_how_hard_each_puzzle_is) {
  const std::string file = write("p.csv", std::string(header) + back_rank + mate);
  const std::vector<std::string> args{"motifs", "--difficulty", "--models", "built-in", file};
  const Outcome text = run_with(args);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out.rfind("abc: rookEndgame (about ", 0), 0U) << text.out;
  std::vector<std::string> more = args;
  more.emplace_back("--json");
  const Json json = Json::parse(run_with(more).out);
  for (const Json& each : json["puzzles"]) {
    EXPECT_GE(each["rating"], 400);
    EXPECT_LE(each["rating"], 3200);
  }
  more.back() = "--score";
  const Outcome score = run_with(more);
  EXPECT_NE(score.out.find("ratings by Postmortem-"), std::string::npos) << score.out;
  EXPECT_NE(score.out.find("over 2 puzzles"), std::string::npos) << score.out;
}

TEST_F(MotifsCommandTest, rates_puzzles_only_by_models_that_were_measured) {
  write("maia-1500.pb.gz", nn::tiny::packed(nn::tiny::written(nn::tiny::Maker(1).make(8, 1, 2, 2, 4))));
  const Outcome o = run_with({"motifs", "--difficulty", "--models", folder_.string(), write("p.csv", header)});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.err, "postmortem: Maia-1: nobody has measured how hard puzzles are by it\n");
}

TEST_F(MotifsCommandTest, says_which_line_is_no_puzzle_and_goes_on) {
  const std::string bad = "x,not a board,a2a4,1,\ny,6k1/8/8/8/8/8/8/R5K1 w - - 0 1,a1a9 a2a3,1,\nz\n";
  const Outcome o = run_with({"motifs", write("p.csv", header + bad + back_rank)});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("line 2: bad FEN"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("line 3: move 1: "), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("line 4: 1 columns, expected 5"), std::string::npos) << o.err;
  EXPECT_EQ(o.out, "abc: rookEndgame\n");
}

TEST_F(MotifsCommandTest, wants_the_columns_it_needs) {
  const Outcome o = run_with({"motifs", write("p.csv", "id,FEN,Moves\n")});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("no column PuzzleId"), std::string::npos) << o.err;
  EXPECT_TRUE(is_one_line(o.err));
  const Outcome unscored = run_with({"motifs", "--score", write("q.csv", "PuzzleId,FEN,Moves\n")});
  EXPECT_EQ(unscored.code, 2);
  EXPECT_NE(unscored.err.find("no column Themes"), std::string::npos);
  EXPECT_EQ(run_with({"motifs", path("nowhere.csv")}).code, 2);
}

TEST_F(MotifsCommandTest, does_not_read_a_line_without_end) {
  const Outcome o = run_with({"motifs", write("p.csv", header + std::string(1U << 20, 'x'))});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("line 2 is longer than a puzzle"), std::string::npos) << o.err;
}

// The definitions were read off the first 40,000 puzzles; these are the others.
TEST_F(MotifsCommandTest, agree_with_twenty_thousand_tagged_puzzles) {
  const auto shared = shared_data("puzzles/lichess-puzzles-60k.csv.zst");
  if (!shared) GTEST_SKIP() << no_shared_data;
  const auto source = pgn::open_source(*shared);
  ASSERT_TRUE(source);
  std::string text;
  std::string piece(1U << 16, ' ');
  for (std::size_t n = 1; n > 0; text.append(piece, 0, n)) n = (*source)->read({piece.data(), piece.size()}).value();
  std::istringstream lines(text);
  std::string rest;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (number == 0 || number > 40'000) rest += line + "\n";
  }
  ASSERT_EQ(number, 60'001U);
  const Outcome o = run_with({"motifs", "--score", "--quiet", write("p.csv", rest)});
  ASSERT_EQ(o.code, 0) << o.err;
  std::istringstream table(o.out);
  std::string row;
  std::getline(table, row);
  int themes = 0;
  while (std::getline(table, row)) {
    std::istringstream fields(row);
    std::string theme;
    double precision = 0;
    double recall = 0;
    if (!(fields >> theme >> precision >> recall)) break;
    ++themes;
    if (theme == "queensideAttack") continue;  // opinion
    EXPECT_GE(precision, .97) << theme;
    EXPECT_GE(recall, .97) << theme;
  }
  EXPECT_EQ(themes, 49) << "all but discoveredCheck, which nothing is tagged with, and all of them together";
}

}  // namespace
}  // namespace pm::cli
