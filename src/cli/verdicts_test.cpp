#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/test_run.h"

namespace pm::cli {
namespace {

using nlohmann::json;
using VerdictsCommand = CommandTest;

const std::string sample = std::string(POSTMORTEM_SOURCE_DIR) + "/samples/verdicts.json";

TEST_F(VerdictsCommand, judges_the_sample) {
  const Outcome r = run_with({"verdicts", sample});
  EXPECT_EQ(r.code, exit_done) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["schema"], "postmortem.verdicts/1");
  ASSERT_EQ(out["positions"].size(), 6U);
  EXPECT_EQ(out["positions"][2]["points"]["class"], "BRILLIANT");
  EXPECT_EQ(out["positions"][2]["points"]["nag"], 3);
  EXPECT_EQ(out["positions"][2]["points"]["reason"]["text"],
            "Offers the knight on b5; the best reply, Qb4+, does not take it and leaves +3.28.");
  for (const json& p : out["positions"]) {
    for (const char* scheme : {"points", "labels", "acpl", "lichess"}) {
      EXPECT_FALSE(p[scheme]["reason"]["text"].get<std::string>().empty());
      EXPECT_FALSE(p[scheme]["reason"]["rule"].get<std::string>().empty());
    }
  }
}

TEST_F(VerdictsCommand, a_bad_position_stops_unless_told_to_keep_going) {
  json input = json::parse(std::ifstream(sample));
  input["positions"][1]["move"] = "a1a8";
  const std::string file = write("bad.json", input.dump());
  const Outcome stopped = run_with({"verdicts", file});
  EXPECT_EQ(stopped.code, exit_usage);
  EXPECT_TRUE(stopped.out.empty());
  EXPECT_EQ(stopped.err, "postmortem: " + file + ": $.positions[1].move: a1a8 is not a legal move here\n");
  const Outcome kept = run_with({"verdicts", "--keep-going", file});
  EXPECT_EQ(kept.code, exit_usage);
  EXPECT_EQ(kept.err, stopped.err);
  const json out = json::parse(kept.out);
  ASSERT_EQ(out["positions"].size(), 6U);
  EXPECT_EQ(out["positions"][1]["error"], "$.positions[1].move: a1a8 is not a legal move here");
  EXPECT_TRUE(out["positions"][2].contains("points"));
}

TEST_F(VerdictsCommand, what_is_not_json_is_refused) {
  const std::string file = write("bad.json", "{\"positions\": [");
  const Outcome r = run_with({"verdicts", "--keep-going", file});
  EXPECT_EQ(r.code, exit_usage);
  EXPECT_EQ(r.err, "postmortem: " + file + ": line 1, column 16: not JSON\n");
}

TEST_F(VerdictsCommand, theory_is_looked_up_unless_turned_off) {
  json input = json::parse(R"({"positions": [{
    "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "move": "e2e4",
    "before": [{"cp": 31, "depth": 18, "pv": ["d2d4"]}], "after": [{"cp": 25, "depth": 18, "pv": []}]}]})");
  const auto judged = [&] {
    return json::parse(run_with({"verdicts", write("v.json", input.dump())}).out)["positions"][0];
  };
  EXPECT_EQ(judged()["points"]["class"], "THEORY");
  EXPECT_EQ(judged()["labels"]["label"], "Book");
  input["options"]["theory"] = false;
  EXPECT_EQ(judged()["points"]["class"], "BEST");
}

}  // namespace
}  // namespace pm::cli
