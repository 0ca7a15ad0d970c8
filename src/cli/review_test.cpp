#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/shared_data.h"
#include "cli/test_run.h"
#include "engine/find_engine.h"

namespace pm::cli {
namespace {

using nlohmann::json;

const std::string samples = std::string(POSTMORTEM_SOURCE_DIR) + "/samples/";
const std::string opera = samples + "opera-evals.pgn";

std::vector<json> lines_of(const std::string& ndjson) {
  std::vector<json> result;
  std::istringstream in(ndjson);
  for (std::string line; std::getline(in, line);) result.push_back(json::parse(line));
  return result;
}

using Review = CommandTest;

TEST_F(Review, prints_a_text_report) {
  const Outcome r = run_with({"review", "--evals", "pgn", opera});
  EXPECT_EQ(r.code, exit_done);
  EXPECT_EQ(r.out.rfind("Morphy, Paul - Duke Karl / Count Isouard  1-0\n", 0), 0U) << r.out;
  EXPECT_NE(r.out.find("C41 Philidor Defense, to move 3"), std::string::npos);
  EXPECT_NE(r.out.find("9... b5?!        +3.14  INACCURACY"), std::string::npos) << r.out;
  EXPECT_TRUE(r.err.empty()) << r.err;
}

TEST_F(Review, prints_json_one_game_a_line) {
  for (const std::vector<std::string>& format : {std::vector<std::string>{"--json"}, {"--format", "json"}}) {
    std::vector<std::string> args{"review", "--evals", "pgn", opera, opera};
    args.insert(args.end(), format.begin(), format.end());
    const auto games = lines_of(run_with(args).out);
    ASSERT_EQ(games.size(), 2U);
    EXPECT_EQ(games[0]["schema"], "postmortem.review/1");
    EXPECT_EQ(games[0]["plies"].size(), 33U);
    EXPECT_EQ(games[0], games[1]);
  }
}

TEST_F(Review, annotated_pgn_gives_the_same_verdicts_again) {
  const std::string annotated = path("annotated.pgn");
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--format", "pgn", "--output", annotated, opera}).code, exit_done);
  EXPECT_EQ(run_with({"check", "--strict", annotated}).code, exit_done);
  const auto first = lines_of(run_with({"review", "--evals", "pgn", "--json", opera}).out).at(0);
  const auto again = lines_of(run_with({"review", "--evals", "pgn", "--json", annotated}).out).at(0);
  EXPECT_EQ(first["plies"], again["plies"]);
  EXPECT_EQ(first["summary"], again["summary"]);
  EXPECT_NE(contents(annotated).find("INACCURACY: "), std::string::npos) << contents(annotated);
}

TEST_F(Review, schemes_and_their_options_reach_the_report) {
  EXPECT_NE(run_with({"review", "--evals", "pgn", "--scheme", "lichess", opera}).out.find("inaccuracies"),
            std::string::npos);
  EXPECT_NE(run_with({"review", "--evals", "pgn", "--scheme", "labels", opera}).out.find("Book"), std::string::npos);
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--no-theory", opera}).out.find("THEORY"), std::string::npos);
  const auto strict = lines_of(run_with({"review", "--evals", "pgn", "--json", "--dual", "strict", opera}).out).at(0);
  const auto lenient = lines_of(run_with({"review", "--evals", "pgn", "--json", opera}).out).at(0);
  EXPECT_NE(strict["summary"]["black"]["labels"], lenient["summary"]["black"]["labels"]);
}

TEST_F(Review, chooses_games_by_number_and_player) {
  const std::string games = write("games.pgn",
                                  "[White \"Anna\"]\n\n1. e4 { [%eval 0.1] } *\n\n[White \"Ben\"]\n[Black \"ANNA\"]\n\n"
                                  "1. d4 { [%eval 0.1] } *\n\n[White \"Carl\"]\n\n1. c4 { [%eval 0.1] } *\n");
  const auto count = [&](const std::vector<std::string>& extra) {
    std::vector<std::string> args{"review", "--evals", "pgn", "--json", games};
    args.insert(args.end(), extra.begin(), extra.end());
    return lines_of(run_with(args).out).size();
  };
  EXPECT_EQ(count({}), 3U);
  EXPECT_EQ(count({"--games", "2"}), 1U);
  EXPECT_EQ(count({"--games", "2-"}), 2U);
  EXPECT_EQ(count({"--games=-2"}), 2U);
  EXPECT_EQ(count({"--games", "2-3"}), 2U);
  EXPECT_EQ(count({"--games", "1,3"}), 2U);
  EXPECT_EQ(count({"--player", "anna"}), 2U);
  EXPECT_EQ(count({"--player", "ben", "--player", "carl"}), 2U);
  EXPECT_EQ(count({"--player", "anna", "--games", "2-"}), 1U);
  const Outcome none = run_with({"review", "--evals", "pgn", "--json", games, "--games", "4"});
  EXPECT_EQ(none.code, exit_failed);
  EXPECT_EQ(none.err, "postmortem: no game was chosen\n");
}

TEST_F(Review, suggests_names_of_the_file_when_nobody_has_the_one_given) {
  const std::string game =
      write("game.pgn", "[White \"Carlsen, Magnus\"]\n[Black \"Ben\"]\n\n1. e4 { [%eval 0.1] } *\n");
  const Outcome wrong = run_with({"review", "--evals", "pgn", game, "--player", "Magnus Carlson"});
  EXPECT_EQ(wrong.code, exit_failed);
  EXPECT_EQ(wrong.err, "postmortem: --player Magnus Carlson: no game of that player; did you mean Carlsen, Magnus?\n");
  EXPECT_TRUE(wrong.out.empty());
  const Outcome one_of_two = run_with({"review", "--evals", "pgn", game, "--player", "Dora", "--player", "ben"});
  EXPECT_EQ(one_of_two.code, exit_done);
  EXPECT_EQ(one_of_two.err, "postmortem: --player Dora: no game of that player\n");
  EXPECT_FALSE(one_of_two.out.empty());
}

TEST_F(Review, tells_programs_how_far_it_is) {
  const auto last_line = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"review", "--evals", "pgn", "--no-people", "--progress", "json"});
    const Outcome r = run_with(more);
    EXPECT_EQ(r.code, exit_done) << r.err;
    return lines_of(r.err).back();
  };
  const json two = last_line({opera, opera});
  EXPECT_EQ(two["schema"], "postmortem.progress/1");
  EXPECT_EQ(two["games_done"], 2);
  EXPECT_EQ(two["games"], 2);
  EXPECT_EQ(two["plies_done"], 66);
  EXPECT_EQ(two["plies"], 66);
  EXPECT_EQ(two["seconds_left"], 0.0);
  EXPECT_GT(two["positions_per_second"], 0.0);
  EXPECT_EQ(last_line({opera, opera, "--games", "2"})["games"], 1);
  EXPECT_EQ(last_line({opera, samples + "opera.pgn", "--player", "Paul Morphy", "--games", "-1"})["plies"], 33);
  EXPECT_TRUE(run_with({"review", "--evals", "pgn", "--progress", "none", opera}).err.empty());
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--progress", "none", "--quiet", opera}).code, exit_usage);
}

TEST_F(Review, says_when_there_is_nothing_to_review) {
  EXPECT_EQ(run_with({"review", "--evals", "pgn", write("empty.pgn", "")}).code, exit_failed);
  const Outcome bare = run_with({"review", "--evals", "pgn", samples + "opera.pgn"});
  EXPECT_EQ(bare.code, exit_done);
  EXPECT_NE(bare.err.find("no move could be judged"), std::string::npos);
  EXPECT_NE(bare.out.find("no score after this move"), std::string::npos);
}

TEST_F(Review, problems_are_told_and_the_next_game_is_reviewed) {
  const std::string faulty =
      write("faulty.pgn", "1. e4 { [%eval 0.1] } Qe9 *\n\n[Event \"x\"]\n\n1. d4 { [%eval 0] } *\n");
  const Outcome r = run_with({"review", "--evals", "pgn", "--json", faulty});
  EXPECT_EQ(r.code, exit_done);
  EXPECT_EQ(lines_of(r.out).size(), 2U);
  EXPECT_NE(r.err.find(faulty + ":1:23: game 1: expected a move, found 'Qe9'"), std::string::npos) << r.err;
}

TEST_F(Review, mistakes_are_one_line_and_exit_2) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"review"},
        {"review", "--evals", "nonsense", opera},
        {"review", "--evals", "pgn", "no/such/file.pgn"},
        {"review", "--evals", "pgn", "--scheme", "stars", opera},
        {"review", "--evals", "pgn", "--scheme", "1", opera},
        {"review", "--engine", "no/such/engine", "--no-cache", opera},
        {"review", "--depth", "0", opera},
        {"review", "--depth", "9", "--nodes", "9", opera},
        {"review", "--engine-option", "Hash", opera},
        {"review", "--engine", POSTMORTEM_BAD_ENGINE, "--no-cache", "--engine-option", "Spped=1", opera},
        {"review", "--evals", "pgn", "--games", "x", opera},
        {"review", "--evals", "pgn", "--games", "3-2", opera},
        {"review", "--evals", "pgn", "--games", "-", opera},
        {"review", "--evals", "pgn", "--games", "1,,2", opera},
        {"review", "--evals", "pgn", "--player", "", opera},
        {"review", "--evals", "pgn", "--book", "no/such/book.bin", opera},
        {"review", "--evals", "pgn", "--output", "no/such/folder/x", opera},
        {"review", "--evals", "pgn", "--json", "--format", "text", opera},
        {"verdicts"},
        {"verdicts", "no/such/file.json"}}) {
    const Outcome r = run_with(args);
    EXPECT_EQ(r.code, exit_usage) << r.err;
    EXPECT_TRUE(r.out.empty());
    EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r.err;
  }
}

TEST_F(Review, an_interrupt_exits_130) {
  interrupt_this_process();
  EXPECT_EQ(run_with({"review", "--evals", "pgn", opera}).code, exit_interrupted);
  EXPECT_EQ(run_with({"verdicts", samples + "verdicts.json"}).code, exit_interrupted);
}

TEST_F(Review, a_full_disk_is_a_failure) {
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--output", "/dev/full", opera}).code, exit_failed);
}

TEST_F(Review, threads_give_the_same_bytes_in_every_format) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += i % 7 == 3 ? "[White \"Nobody\"]\n\n*\n\n" : contents(opera) + "\n";
    text += "[White \"" + std::to_string(i) + "\"]\n\n1. e4 { [%eval 0.1] } Zz9 *\n\n";
  }
  const std::string games = write("games.pgn", text);
  for (const char* format : {"text", "pgn", "json", "csv", "html"}) {
    const auto run = [&](const char* jobs) {
      return run_with({"review", "--evals", "pgn", "--quiet", "--format", format, "--jobs", jobs, games});
    };
    const Outcome one = run("1");
    const Outcome three = run("3");
    EXPECT_EQ(one.code, exit_done);
    EXPECT_EQ(three.code, exit_done);
    EXPECT_TRUE(one.out == three.out) << format;
    EXPECT_EQ(one.err, three.err);
  }
}

TEST_F(Review, three_thousand_games_end_to_end) {
  const auto games = shared_data("games/lichess-3000.pgn.zst");
  if (!games) GTEST_SKIP() << no_shared_data;
  const Outcome r = run_with({"review", "--evals", "pgn", "--json", "--quiet", "--no-people", *games});
  EXPECT_EQ(r.code, exit_done);
  std::size_t count = 0;
  std::size_t silent = 0;
  std::istringstream in(r.out);
  for (std::string line; std::getline(in, line); ++count) {
    if (count % 50 != 0) continue;  // every line comes from the same code; parsing them all takes a minute
    const json game = json::parse(line);
    for (const json& ply : game["plies"]) {
      if (ply["verdicts"].is_null()) ++silent;
    }
  }
  EXPECT_EQ(count, 3000U);
  EXPECT_LE(silent, 60U);
}

std::vector<std::string> with_engine(std::vector<std::string> more) {
  std::vector<std::string> args{"review", "--engine", POSTMORTEM_BAD_ENGINE, "--quiet"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST_F(Review, runs_an_engine_and_says_which) {
  const Outcome r = run_with(with_engine({"--no-cache", "--depth", "4", samples + "opera.pgn"}));
  EXPECT_EQ(r.code, exit_done) << r.err;
  EXPECT_NE(r.out.find("Bad Engine 1, depth 4"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("Better: "), std::string::npos) << r.out;
}

TEST_F(Review, gives_the_same_bytes_whatever_the_jobs_and_from_the_cache) {
  const std::string cache = path("cache.sqlite");
  const auto json = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--json", "--nodes", "100", samples + "opera.pgn", samples + "opera.pgn"});
    const Outcome r = run_with(with_engine(std::move(more)));
    EXPECT_EQ(r.code, exit_done) << r.err;
    return r.out;
  };
  const std::string fresh = json({"--no-cache", "--jobs", "1"});
  EXPECT_EQ(json({"--no-cache", "--jobs", "3"}), fresh);
  EXPECT_EQ(json({"--cache", cache}), fresh);
  EXPECT_EQ(json({"--cache", cache}), fresh);
  const auto games = lines_of(fresh);
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(games[0]["engine"]["name"], "Bad Engine 1");
  EXPECT_EQ(games[0]["engine"]["limit"], "nodes 100");
  EXPECT_EQ(games[0]["plies"][5]["before"].size(), 2U);
  EXPECT_EQ(games[0]["plies"][5]["before"][0]["nodes"], 400);
}

TEST_F(Review, keeps_the_annotators_variations_beside_the_engines) {
  const Outcome r = run_with(with_engine({"--no-cache", "--depth", "4", "--format", "pgn", samples + "opera.pgn"}));
  std::string one_line = r.out;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  EXPECT_NE(one_line.find("4... dxe5 5. Qxd8+ Kxd8 6. Nxe5 { wins a pawn })"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("Hash=64, depth 4, effort adaptive\"]\n[ReviewPeople \"Postmortem-2, sha256 "),
            std::string::npos);
  const std::string annotated = write("annotated.pgn", r.out);
  EXPECT_EQ(run_with({"check", "--strict", annotated}).code, exit_done);
  EXPECT_EQ(run_with({"review", "--evals", "pgn", annotated}).code, exit_done);
}

TEST_F(Review, an_engines_verdicts_are_read_back_from_the_annotated_game) {
  const auto classes = [](const std::string& ndjson) {
    std::vector<std::string> result;
    const json game = lines_of(ndjson).at(0);
    for (const json& ply : game["plies"]) result.push_back(ply["verdicts"]["points"]["class"]);
    return result;
  };
  for (const char* engine : {POSTMORTEM_BAD_ENGINE, ""}) {
    if (*engine == '\0' && !engine::find_engine()) continue;
    std::vector<std::string> args{"review", "--quiet", "--no-cache", "--depth", "6", samples + "opera.pgn"};
    if (*engine != '\0') args.insert(args.end(), {"--engine", engine});
    std::vector<std::string> json_args = args;
    json_args.emplace_back("--json");
    args.insert(args.end(), {"--format", "pgn"});
    const auto expected = classes(run_with(json_args).out);
    const std::string annotated = write("annotated.pgn", run_with(args).out);
    EXPECT_EQ(classes(run_with({"review", "--evals", "pgn", "--json", annotated}).out), expected);
    const std::string again = run_with({"review", "--evals", "pgn", "--format", "pgn", annotated}).out;
    EXPECT_EQ(classes(run_with({"review", "--evals", "pgn", "--json", write("again.pgn", again)}).out), expected);
  }
}

// From the first command on: the built-in model and the real engine say what 8. Nc3 is worth against people.
TEST_F(Review, compares_moves_with_the_built_in_model) {
  if (!engine::find_engine()) GTEST_SKIP() << "stockfish is not installed";
  const Outcome r = run_with(
      {"review", "--quiet", "--no-cache", "--json", "--depth", "8", "--people", "full", samples + "opera.pgn"});
  ASSERT_EQ(r.code, exit_done) << r.err;
  const json game = lines_of(r.out).at(0);
  EXPECT_EQ(game["human"]["name"], "Postmortem-2");
  int compared = 0;
  for (const json& ply : game["plies"]) {
    EXPECT_GT(ply["human"]["probability"].get<double>(), 0) << ply["san"];
    if (!ply.contains("expected_win_rate")) continue;
    ++compared;
    EXPECT_GT(ply["expected_win_rate"]["played"].get<double>(), 0);
    EXPECT_GT(ply["expected_win_rate"]["best"].get<double>(), 0);
  }
  EXPECT_GE(compared, 5) << "White gave something away a few times, Black more often";
}

// White's score as the mover's centipawns, as `acpl` counts them.
int counted(const json& line, bool white) {
  int cp = line.contains("cp") ? std::clamp(line["cp"].get<int>(), -1000, 1000) : 0;
  if (line.contains("mate")) cp = line["mate"] == 0 ? (white ? 1000 : -1000) : line["mate"] > 0 ? 1000 : -1000;
  return white ? cp : -cp;
}

// The figures of a review follow from its JSON, and nothing in it contradicts anything else.
void expect_consistent(const json& game) {
  const json& plies = game["plies"];
  for (std::size_t i = 0; i + 1 < plies.size(); ++i) EXPECT_EQ(plies[i]["after"], plies[i + 1]["before"]) << i;
  for (const char* colour : {"white", "black"}) {
    int moves = 0;
    int losses = 0;
    double accuracy = 0;
    std::map<std::string, int> classes;
    for (const json& ply : plies) {
      if (ply["colour"] != colour || ply["verdicts"].is_null()) continue;
      const json& verdicts = ply["verdicts"];
      const bool white = ply["colour"] == "white";
      const int loss = std::max(0, counted(ply["before"][0], white) - counted(ply["after"][0], white));
      EXPECT_EQ(verdicts["acpl"]["loss"], loss) << ply["ply"];
      ++moves;
      losses += loss;
      accuracy += verdicts["points"]["accuracy"].get<double>();
      ++classes[verdicts["points"]["class"].get<std::string>()];
      EXPECT_LE(ply["win_after"].get<double>(), ply["win_before"].get<double>() + .01 + 1e-6) << ply["ply"];
      if (ply["best"].is_null() || ply["best"]["uci"] != ply["uci"]) continue;
      EXPECT_EQ(verdicts["points"]["value"], 5) << ply["ply"];
      EXPECT_EQ(verdicts["labels"]["severity"], "Best") << ply["ply"];
      EXPECT_TRUE(verdicts["acpl"]["error"].is_null() && verdicts["lichess"]["judgement"].is_null()) << ply["ply"];
    }
    const json& sum = game["summary"][colour];
    ASSERT_GT(moves, 0);
    EXPECT_NEAR(sum["acpl"]["exact"].get<double>(), static_cast<double>(losses) / moves, 1e-6);
    EXPECT_NEAR(sum["points"]["accuracy"].get<double>(), accuracy / moves, .051);
    for (const auto& [name, count] : sum["points"]["counts"].items()) EXPECT_EQ(count, classes[name]) << name;
  }
}

TEST_F(Review, does_not_contradict_itself_on_real_games) {
  const auto games = shared_data("games/lichess-3000.pgn.zst");
  if (!games || !engine::find_engine()) GTEST_SKIP() << no_shared_data;
  const Outcome r = run_with(
      {"review", "--quiet", "--no-cache", "--no-people", "--json", "--depth", "6", "--games", "2001-2004", *games});
  ASSERT_EQ(r.code, exit_done) << r.err;
  ASSERT_EQ(lines_of(r.out).size(), 4U);
  for (const json& game : lines_of(r.out)) expect_consistent(game);
}

// Text offers no move as the better one that was played.
TEST_F(Review, better_is_never_the_move_played) {
  for (const char* scheme : {"points", "labels", "acpl", "lichess"}) {
    const Outcome text = run_with({"review", "--quiet", "--no-cache", "--no-people", "--engine", POSTMORTEM_BAD_ENGINE,
                                   "--scheme", scheme, samples + "opera.pgn"});
    ASSERT_EQ(text.code, exit_done) << text.err;
    std::istringstream lines(text.out);
    std::string played;
    int offered = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string number;
      std::string move;
      words >> number >> move;
      const bool row = line.find_first_not_of(' ') < 8;  // else a line of moves that goes on
      if (row && number.ends_with('.') && std::isdigit(static_cast<unsigned char>(number[0])) != 0)
        played = move.substr(0, move.find_first_of("!?"));
      const std::size_t better = line.find("Better: ");
      if (better == std::string::npos) continue;
      std::istringstream rest(line.substr(better + 8));
      rest >> number >> move;
      EXPECT_NE(move, played) << scheme << line;
      ++offered;
    }
    EXPECT_GT(offered, 3) << scheme;
  }
}

TEST_F(Review, stockfish_gives_the_same_bytes_whatever_the_jobs) {
  if (!engine::find_engine()) GTEST_SKIP() << "stockfish is not installed";
  const auto json = [](const char* jobs) {
    const Outcome r =
        run_with({"review", "--quiet", "--no-cache", "--json", "--depth", "8", "--jobs", jobs, samples + "opera.pgn"});
    EXPECT_EQ(r.code, exit_done) << r.err;
    return r.out;
  };
  EXPECT_EQ(json("1"), json("3"));
}

TEST_F(Review, writes_a_table_of_all_games) {
  const Outcome r = run_with(with_engine({"--no-cache", "--depth", "4", "--format", "csv", opera, opera}));
  std::istringstream in(r.out);
  std::string line;
  std::getline(in, line);
  const auto commas = std::count(line.begin(), line.end(), ',');
  EXPECT_EQ(line.rfind("game,white,black,result,ply,number,colour,san", 0), 0U);
  std::size_t rows = 0;
  for (; std::getline(in, line); ++rows) {
    std::size_t fields = 0;
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) ++fields;
    }
    EXPECT_EQ(fields, static_cast<std::size_t>(commas)) << line;
    EXPECT_NE(line.find(",\"Bad Engine 1, depth 4\","), std::string::npos) << line;
    EXPECT_NE(line.find(",Postmortem-2 ("), std::string::npos) << line;
  }
  EXPECT_EQ(rows, 66U);
}

TEST_F(Review, writes_a_page_that_carries_its_data) {
  const std::string evil =
      write("evil.pgn", "[White \"</script><script>alert(1)</script>\"]\n\n1. e4 { [%eval 0.1] } *\n");
  const Outcome r = run_with({"review", "--evals", "pgn", "--format", "html", evil, opera});
  EXPECT_EQ(r.code, exit_done);
  EXPECT_EQ(r.out.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_EQ(r.out.find("<script>alert"), std::string::npos);
  EXPECT_NE(r.out.find("content=\"default-src 'none'; img-src data:;"), std::string::npos);  // nothing can be fetched
}

TEST_F(Review, an_output_file_appears_whole_or_not_at_all) {
  const std::string game = write("game.pgn", contents(opera));
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--format", "pgn", "--output", game, game}).code, exit_done);
  EXPECT_NE(contents(game).find("INACCURACY"), std::string::npos);
  const std::string kept = write("kept.pgn", "old");
  EXPECT_EQ(run_with({"review", "--evals", "pgn", "--output", kept, path("missing.pgn")}).code, exit_usage);
  EXPECT_EQ(contents(kept), "old");
  EXPECT_FALSE(std::filesystem::exists(kept + ".part"));
}

TEST_F(Review, an_engine_that_fails_is_told_and_the_rest_is_reviewed) {
  const Outcome r = run_with(with_engine({"--no-cache", "--engine-option", "Fault=crash", "--engine-option",
                                          "FaultAt=12", "--jobs", "1", "--people", "off", samples + "opera.pgn"}));
  EXPECT_EQ(r.code, exit_done) << r.err;
  EXPECT_NE(r.err.find("some positions could not be evaluated: the engine has died"), std::string::npos) << r.err;
  EXPECT_NE(r.out.find("the engine failed here"), std::string::npos) << r.out;
}

TEST_F(Review, a_damaged_cache_is_moved_aside_and_the_run_goes_on) {
  const std::string cache = write("cache.sqlite", std::string(4096, 'x'));
  const Outcome r = run_with(with_engine({"--cache", cache, "--depth", "4", samples + "opera.pgn"}));
  EXPECT_EQ(r.code, exit_done);
  EXPECT_NE(r.err.find(".damaged"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace pm::cli
