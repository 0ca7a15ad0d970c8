#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "cli/test_run.h"
#include "nn/tiny_network.h"

namespace pm::cli {
namespace {

using Json = nlohmann::json;

// Small networks of random numbers: enough to show that everything is wired up.
class HumanCommandTest : public CommandTest {
 protected:
  HumanCommandTest() {
    std::filesystem::create_directories(folder_ / "models");
    for (const int level : {1100, 1500, 1900}) {
      const auto network = nn::tiny::Maker(static_cast<unsigned>(level)).make(8, 1, 2, 2, 4);
      write("models/maia-" + std::to_string(level) + ".pb.gz", nn::tiny::packed(nn::tiny::written(network)));
    }
  }
  Outcome human(std::vector<std::string> args) const {
    args.insert(args.begin(), "human");
    args.insert(args.end(), {"--models", path("models")});
    return run_with(args);
  }
};

constexpr const char* bare_fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

TEST_F(HumanCommandTest, ShowsAllLevelsSideBySide) {
  const Outcome o = human({"startpos"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("1100"), std::string::npos);
  EXPECT_NE(o.out.find("1900"), std::string::npos);
  EXPECT_NE(o.out.find("\nwin "), std::string::npos);
  EXPECT_NE(o.out.find("half at\n"), std::string::npos) << o.out;
  EXPECT_EQ(human({"startpos", "--rating", "1500"}).out.find("half at"), std::string::npos);
  EXPECT_EQ(o.out.find("weaker"), std::string::npos) << "the start needs no history";
}

TEST_F(HumanCommandTest, SaysWhenOnlyAPositionIsKnown) {
  const Outcome text = human({bare_fen});
  EXPECT_NE(text.out.find("Only the position is known"), std::string::npos) << text.out;
  const Outcome json = human({bare_fen, "--json", "--rating", "1500"});
  EXPECT_EQ(Json::parse(json.out)["history"], "fen");
  const Outcome game = human({"startpos", "moves", "e2e4", "--json", "--rating", "1500"});
  EXPECT_EQ(Json::parse(game.out)["history"], "full");
}

TEST_F(HumanCommandTest, PrintsOneObjectPerRating) {
  const Outcome o = human({"startpos", "--json"});
  std::istringstream lines(o.out);
  std::vector<int> ratings;
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line);
    ratings.push_back(json["rating"]);
    EXPECT_EQ(json["moves"].size(), 20U);
    EXPECT_EQ(json["wdl"].size(), 3U);
    EXPECT_EQ(json["final_fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    double sum = 0;
    for (const auto& [move, probability] : json["moves"].items()) sum += probability.get<double>();
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  EXPECT_EQ(ratings, (std::vector{1100, 1500, 1900}));
}

TEST_F(HumanCommandTest, TakesAPlyOfAGame) {
  const std::string game = write("game.pgn", "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
  const Outcome o = human({game, "--ply", "3"});
  EXPECT_NE(o.out.find("Ann - Bob, after 2.Nf3\n"), std::string::npos) << o.out;
  const Outcome end = human({game});
  EXPECT_NE(end.out.find("after 2...Nc6"), std::string::npos) << end.out;
  const Outcome far = human({game, "--ply", "9"});
  EXPECT_EQ(far.code, 2);
  EXPECT_EQ(far.err, "postmortem: " + game + ": expected a ply up to 4, found 9\n");
  const Outcome no_game = human({game, "--game", "2"});
  EXPECT_EQ(no_game.err, "postmortem: " + game + ": expected a game number 2, found 1 game\n");
}

TEST_F(HumanCommandTest, TakesUcisOwnWords) {
  for (const char* text : {"position startpos moves e2e4", "startpos\tmoves\te2e4",
                           "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4"}) {
    const Outcome o = human({text, "--json", "--rating", "1500"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(Json::parse(o.out)["final_fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1") << text;
  }
  EXPECT_EQ(human({"position position startpos"}).code, 2);
  EXPECT_EQ(human({"startpos movesXYZ e2e4"}).code, 2);
}

TEST_F(HumanCommandTest, DoesNotAnswerForAGameThatCannotBeRead) {
  const std::string broken = write("broken.pgn", "[White \"Ann\"]\n\n1. e4 e5 2. Qh8 *\n");
  const Outcome end = human({broken});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("broken.pgn:3:"), std::string::npos) << end.err;
  const Outcome before = human({broken, "--ply", "2"});
  EXPECT_EQ(before.code, 0);
  EXPECT_NE(before.err.find("broken.pgn:3:"), std::string::npos) << before.err;
  EXPECT_EQ(human({write("note.txt", "hello\n")}).code, 2);
  EXPECT_EQ(human({write("empty.pgn", "")}).err,
            "postmortem: " + path("empty.pgn") + ": expected a game, found none\n");
  EXPECT_EQ(human({folder_.string()}).code, 2);
}

TEST_F(HumanCommandTest, WritesCastlingAsTheKingsMove) {
  const Outcome o = human({"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "--json", "--rating", "1500"});
  const Json moves = Json::parse(o.out)["moves"];
  EXPECT_TRUE(moves.contains("e1g1"));
  EXPECT_TRUE(moves.contains("e1c1"));
  EXPECT_FALSE(moves.contains("e1h1"));
}

TEST_F(HumanCommandTest, HasNothingToSayAfterMate) {
  const Outcome o = human({"startpos", "moves", "f2f3", "e7e5", "g2g4", "d8h4"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("There is no move: checkmate."), std::string::npos) << o.out;
}

TEST_F(HumanCommandTest, ExplainsBadInputInOneLine) {
  struct Case {
    std::vector<std::string> args;
    const char* part;
  };
  const Case cases[] = {
      {{"nonsense"}, "cannot open 'nonsense'"},
      {{"nonsense w - -"}, "bad FEN"},
      {{}, "expected a FEN, GAME.pgn --ply N or -"},
      {{"startpos", "moves", "e2e5"}, "move 1: "},
      {{"startpos", "e2e4"}, "expected \"moves\", found e2e4"},
      {{"startpos", "--ply", "3"}, "--ply: expected with a PGN file"},
      {{"nowhere.pgn"}, "nowhere.pgn"},
      {{"startpos", "--rating", "1000"}, "Maia-1 covers ratings from 1100 to 1900, not 1000"},
      {{"startpos", "--opponent-rating", "2500"}, "Maia-1 covers ratings from 1100 to 1900, not 2500"},
  };
  for (const Case& c : cases) {
    const Outcome o = human(c.args);
    EXPECT_EQ(o.code, 2) << c.part;
    EXPECT_TRUE(is_one_line(o.err)) << o.err;
    EXPECT_NE(o.err.find(c.part), std::string::npos) << o.err;
  }
}

TEST_F(HumanCommandTest, SaysWhereNetworksComeFrom) {
  const Outcome o = run_with({"human", "startpos", "--models", path("nothing")});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(is_one_line(o.err)) << o.err;
  EXPECT_NE(o.err.find("CSSLab/maia-chess"), std::string::npos) << o.err;
}

TEST_F(HumanCommandTest, NamesABadNetwork) {
  write("models/maia-1500.pb.gz", "rubbish");
  const Outcome o = human({"startpos", "--rating", "1500"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("maia-1500.pb.gz: file: expected gzip data"), std::string::npos) << o.err;
}

TEST_F(HumanCommandTest, ADamagedNetworkEndsAReviewBeforeItBeginsAndFailsTheDoctor) {
  const std::string game = write("game.pgn", "1. e4 e5 *\n");
  const std::vector<std::string> review{"review", "--evals", "pgn", "--models", path("models"), game};
  const std::vector<std::string> doctor{"doctor", "--engine", POSTMORTEM_BAD_ENGINE, "--models", path("models")};
  EXPECT_EQ(run_with(review).code, exit_done);
  EXPECT_EQ(run_with(doctor).code, exit_done);
  const std::string network = path("models/maia-1900.pb.gz");
  std::filesystem::resize_file(network, std::filesystem::file_size(network) - 10);
  const Outcome reviewed = run_with(review);
  EXPECT_EQ(reviewed.code, exit_usage);
  EXPECT_TRUE(reviewed.out.empty());
  EXPECT_TRUE(is_one_line(reviewed.err)) << reviewed.err;
  EXPECT_NE(reviewed.err.find("maia-1900.pb.gz: "), std::string::npos) << reviewed.err;
  const Outcome looked = run_with(doctor);
  EXPECT_EQ(looked.code, exit_failed);
  EXPECT_NE(looked.out.find("-> " + network + ": "), std::string::npos) << looked.out;
}

TEST(HumanCommand, HasAModelOnEveryMachine) {
  const Outcome one = run_with({"human", "startpos", "--rating", "1547", "--json", "--models", "built-in"});
  ASSERT_EQ(one.code, 0) << one.err;
  const Json json = Json::parse(one.out);
  EXPECT_EQ(json["model"]["name"], "Postmortem-2");
  EXPECT_EQ(json["rating"], 1547);
  EXPECT_EQ(json["opponent_rating"], 1547);
  EXPECT_GT(json["moves"]["e2e4"], 0.4);
  const Outcome all = run_with({"human", "startpos", "--models", "built-in"});
  EXPECT_NE(all.out.find("Postmortem-2 ("), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("\nrating    600 "), std::string::npos) << all.out;
  EXPECT_NE(all.out.find(" 2600  half at\n"), std::string::npos) << all.out;
}

TEST(HumanCommand, SaysWhomTheyPlayAgainstWhenThatMatters) {
  const std::vector<std::string> args{"human", "startpos", "--models", "built-in", "--opponent-rating",
                                      "1900",  "--rating", "1200"};
  EXPECT_NE(run_with(args).out.find("What people play here against people rated 1900, in percent"), std::string::npos);
  auto as_json = args;
  as_json.emplace_back("--json");
  EXPECT_EQ(Json::parse(run_with(as_json).out)["opponent_rating"], 1900);
}

TEST(HumanCommand, GivesThePublishedFigures) {
  const auto models = shared_data("maia1");
  if (!models) GTEST_SKIP() << no_shared_data;
  const Outcome o = run_with({"human", "startpos", "--rating", "1100", "--json", "--models", *models});
  ASSERT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_NEAR(json["moves"]["e2e4"], 0.66056, 1e-5);
  EXPECT_NEAR(json["moves"]["d2d4"], 0.20977, 1e-5);
  EXPECT_NEAR(json["wdl"][0], 0.50346, 1e-5);
}

}  // namespace
}  // namespace pm::cli
