#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "cli/test_run.h"
#include "nn/tiny_network.h"

namespace pm::cli {
namespace {

using Json = nlohmann::json;

// The real Stockfish, and small networks of random numbers for people.
class ExpectCommandTest : public CommandTest {
 protected:
  ExpectCommandTest() {
    std::filesystem::create_directories(folder_ / "models");
    for (const int level : {1100, 1500, 1900}) {
      const auto network = nn::tiny::Maker(static_cast<unsigned>(level)).make(8, 1, 2, 2, 4);
      write("models/maia-" + std::to_string(level) + ".pb.gz", nn::tiny::packed(nn::tiny::written(network)));
    }
  }
  Outcome expect(std::vector<std::string> args) const {
    args.insert(args.begin(), "expect");
    args.insert(args.end(), {"--models", path("models"), "--cache", path("cache.sqlite"), "--depth", "6"});
    return run_with(args);
  }
};

constexpr const char* middlegame = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";

TEST_F(ExpectCommandTest, RanksTheSensibleMoves) {
  const Outcome o = expect({middlegame, "--tree"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("What each sensible move scores for White, rated 1500, against people rated 1500."),
            std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("move     expected"), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find("not known"), std::string::npos) << "the whole game is known";
  EXPECT_NE(o.err.find("positions evaluated"), std::string::npos) << o.err;
}

// Where the evaluations came from is all that may be another the next time.
std::string but_for_the_cache(std::string json) {
  for (const char* word : {"\"fresh\"", "\"partly\"", "\"cached\""}) {
    for (auto at = json.find(word); at != std::string::npos; at = json.find(word)) {
      json.replace(at, std::string_view(word).size(), "\"?\"");
    }
  }
  return json;
}

TEST_F(ExpectCommandTest, GivesEverythingAsJsonAndTheSameBytesAgain) {
  const Outcome first = expect({middlegame, "--json", "--threshold", "0.05"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Json json = Json::parse(first.out);
  EXPECT_EQ(json["schema"], "postmortem.expect/1");
  EXPECT_EQ(json["history"], "full");
  EXPECT_EQ(json["phase"], "complete");
  EXPECT_EQ(json["parameters"]["threshold"], 0.05);
  EXPECT_EQ(json["engine"]["options"]["Hash"], "16");
  ASSERT_FALSE(json["moves"].empty());
  double last = 1;
  for (const Json& move : json["moves"]) {
    for (const char* field :
         {"san", "uci", "expected_win_rate", "engine_win_rate", "human_probability", "confidence", "confidence_label",
          "tree_depth", "max_depth", "branches", "raw", "leaf_mass", "interval", "seconds", "cache", "tree"}) {
      EXPECT_TRUE(move.contains(field)) << field;
    }
    EXPECT_LE(move["expected_win_rate"], last);
    last = move["expected_win_rate"];
    for (const char* field :
         {"fen", "san", "uci", "probability", "cumulative_probability", "win_rate", "kind", "reason", "children"}) {
      EXPECT_TRUE(move["tree"].contains(field)) << field;
    }
  }
  const Outcome again = expect({middlegame, "--json", "--threshold", "0.05"});
  EXPECT_EQ(but_for_the_cache(again.out), but_for_the_cache(first.out));
  EXPECT_EQ(Json::parse(first.out)["moves"][0]["cache"], "fresh");
  EXPECT_EQ(Json::parse(again.out)["moves"][0]["cache"], "cached");
  EXPECT_NE(again.err.find(" 0 positions evaluated"), std::string::npos) << again.err;
}

TEST_F(ExpectCommandTest, SearchesUntilTheRankingIsSettled) {
  const Outcome o = run_with({"expect", middlegame, "--models", path("models"), "--no-cache", "--depth", "10",
                              "--threshold", "0.02", "--json", "--effort", "settled"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("the ranking is settled"), std::string::npos) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["stopped"], "settled");
  ASSERT_FALSE(json["moves"].empty());
  for (const Json& move : json["moves"]) {
    EXPECT_LE(move["interval"][0], move["expected_win_rate"]);
    EXPECT_GE(move["interval"][1], move["expected_win_rate"]);
    EXPECT_TRUE(move["seconds"].is_null()) << "the same bytes again";
  }
}

TEST_F(ExpectCommandTest, GivesTheSameBytesForTheSameNumberOfSearches) {
  const auto run_fresh = [&](const char* jobs) {
    return run_with({"expect", middlegame, "--models", path("models"), "--no-cache", "--depth", "10", "--threshold",
                     "0.02", "--json", "--effort", "settled", "--searches", "60", "--jobs", jobs});
  };
  const Outcome one = run_fresh("1");
  EXPECT_EQ(Json::parse(one.out)["stopped"], "searches");
  EXPECT_EQ(run_fresh("3").out, one.out);
  EXPECT_NE(one.err.find("the searches were up"), std::string::npos) << one.err;
}

TEST_F(ExpectCommandTest, StopsWhenTheTimeIsUp) {
  const Outcome o = run_with({"expect", middlegame, "--models", path("models"), "--no-cache", "--depth", "30",
                              "--threshold", "0.01", "--json", "--time", "0.5"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(Json::parse(o.out)["stopped"], "time");
  EXPECT_TRUE(Json::parse(o.out)["moves"][0]["seconds"].is_number());
  EXPECT_NE(o.err.find("the time was up"), std::string::npos) << o.err;
}

TEST_F(ExpectCommandTest, FollowsTheDesignToTheLetterWhenAsked) {
  const Json json = Json::parse(expect({middlegame, "--json", "--literal"}).out);
  EXPECT_EQ(json["parameters"]["map"], "logistic");
  EXPECT_EQ(json["parameters"]["pruning"], "player");
  EXPECT_EQ(json["parameters"]["uncovered"], "root");
  EXPECT_EQ(json["parameters"]["effort"], "exact");
}

TEST_F(ExpectCommandTest, ForecastsAsWellAsItCanUnlessToldOtherwise) {
  const Json usual = Json::parse(expect({middlegame, "--json"}).out)["parameters"];
  EXPECT_EQ(usual["map"], "people");
  EXPECT_EQ(usual["pruning"], "none");
  EXPECT_EQ(usual["uncovered"], "local");
  EXPECT_EQ(usual["effort"], "settled");
  const Json others = Json::parse(expect({middlegame, "--json", "--uncovered", "candidate"}).out)["parameters"];
  EXPECT_EQ(others["effort"], "exact") << "it needs whole trees";
}

TEST_F(ExpectCommandTest, KnowsWhatALeadInRatingIsWorth) {
  const auto first_of = [&](const char* rating) {
    const Outcome o =
        expect({middlegame, "--json", "--map", "people", "--rating", rating, "--opponent-rating", "1500"});
    return Json::parse(o.out)["moves"][0]["engine_win_rate"].get<double>();
  };
  EXPECT_GT(first_of("1900"), first_of("1500") + .1);
}

TEST_F(ExpectCommandTest, PaysOnlyForWhatIsNew) {
  const auto evaluated = [](const std::string& err) {
    const std::size_t end = err.find(" positions evaluated");
    const std::size_t begin = err.rfind(' ', end - 1) + 1;
    return std::stoi(err.substr(begin, end - begin));
  };
  const int coarse = evaluated(expect({middlegame, "--effort", "exact", "--threshold", "0.1"}).err);
  const int fine = evaluated(expect({middlegame, "--effort", "exact", "--threshold", "0.04"}).err);
  const int other_sums = evaluated(expect({middlegame, "--threshold", "0.04", "--uncovered", "root"}).err);
  EXPECT_GT(coarse, 20);
  EXPECT_GT(fine, 0);
  EXPECT_EQ(other_sums, 0);
}

TEST_F(ExpectCommandTest, IsTheSameWhateverTheNumberOfEngines) {
  const auto run_fresh = [&](const char* jobs) {
    return run_with({"expect", middlegame, "--models", path("models"), "--no-cache", "--depth", "6", "--threshold",
                     "0.05", "--json", "--jobs", jobs})
        .out;
  };
  EXPECT_EQ(run_fresh("1"), run_fresh("3"));
}

TEST_F(ExpectCommandTest, TakesRatingsFromTheGame) {
  const std::string game = write("game.pgn",
                                 "[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"1120\"]\n[BlackElo \"2400\"]\n\n"
                                 "1. e4 e5 2. Nf3 Nc6 *\n");
  const Json json = Json::parse(expect({game, "--ply", "3", "--json", "--moves", "Nc6"}).out);
  EXPECT_EQ(json["parameters"]["rating"], 1900);
  EXPECT_EQ(json["parameters"]["opponent_rating"], 1100);
  ASSERT_EQ(json["moves"].size(), 1U);
  EXPECT_EQ(json["moves"][0]["san"], "Nc6");
}

TEST_F(ExpectCommandTest, UsesTheEnginesOwnCountWhenAsked) {
  const Json json = Json::parse(expect({middlegame, "--json", "--map", "wdl"}).out);
  EXPECT_EQ(json["parameters"]["map"], "wdl");
  EXPECT_EQ(json["engine"]["options"]["UCI_ShowWDL"], "true");
}

TEST_F(ExpectCommandTest, SaysWhenOnlyAPositionIsKnown) {
  const Outcome o = expect({"8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("The moves before this position are not known"), std::string::npos) << o.out;
}

TEST_F(ExpectCommandTest, HasNothingToSayAfterMate) {
  const Outcome o = expect({"startpos moves f2f3 e7e5 g2g4 d8h4"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("There is no move: checkmate."), std::string::npos) << o.out;
}

TEST_F(ExpectCommandTest, ExplainsBadInputInOneLine) {
  struct Case {
    std::vector<std::string> args;
    const char* part;
  };
  const Case cases[] = {
      {{}, "expected a FEN or GAME.pgn --ply N"},
      {{"startpos", "--loss", "0.1"}, "loss: expected 0 or a negative number such as -0.1"},
      {{"startpos", "--threshold", "0"}, "threshold: expected a probability above 0"},
      {{"startpos", "--threshold", "1.5"}, "threshold: expected a probability above 0"},
      {{"startpos", "--rating", "900"}, "covers ratings from 1100 to 1900, not 900"},
      {{"startpos", "--moves", "e5"}, "--moves e5: "},
      {{"startpos", "--tree", "Qh5"}, "--tree Qh5: "},
      {{"startpos", "--map", "linear"}, "expected people, logistic or wdl, found linear"},
      {{"startpos", "--effort", "exact", "--time", "3"}, "goes with effort settled, not exact"},
      {{"startpos", "--searches", "0"}, "searches: expected 1 or more"},
      {{"startpos", "--time", "3", "--uncovered", "root"}, "effort settled goes with uncovered local, not root"},
      {{"startpos", "--literal", "--map", "people"}, "--literal"},
      {{"startpos", "--engine", "nowhere"}, "nowhere"},
  };
  for (const Case& c : cases) {
    const Outcome o = expect(c.args);
    EXPECT_EQ(o.code, 2) << c.part << o.out;
    EXPECT_TRUE(is_one_line(o.err)) << o.err;
    EXPECT_NE(o.err.find(c.part), std::string::npos) << o.err;
  }
}

// What people play is mostly sensible, and the ranked list says whose people they are.
void expect_sensible_people(const std::string& models, const std::string& name) {
  const Outcome o = run_with({"expect", middlegame, "--models", models, "--no-cache", "--depth", "8", "--json",
                              "--rating", "1500", "--threshold", "0.05"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["model"]["name"], name);
  double people = 0;
  for (const Json& move : json["moves"]) people += move["human_probability"].get<double>();
  EXPECT_GT(people, 0.8);
  EXPECT_GT(json["moves"][0]["expected_win_rate"], 0.4);
}

TEST(ExpectCommand, RunsWithTheBuiltInNetwork) { expect_sensible_people("built-in", "Postmortem-2"); }

TEST(ExpectCommand, RunsWithThePublishedNetworks) {
  const auto models = shared_data("maia1");
  if (!models) GTEST_SKIP() << no_shared_data;
  expect_sensible_people(*models, "Maia-1");
}

}  // namespace
}  // namespace pm::cli
