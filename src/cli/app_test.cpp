#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/test_run.h"

namespace pm::cli {
namespace {

using App = CommandTest;

TEST_F(App, help_and_version_go_to_stdout) {
  const Outcome version = run_with({"--version"});
  EXPECT_EQ(version.code, exit_done);
  EXPECT_EQ(version.out.rfind("postmortem ", 0), 0U);
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"--help"}, {"check", "--help"}, {"perft", "--help"}, {}}) {
    const Outcome help = run_with(args);
    EXPECT_EQ(help.code, exit_done);
    EXPECT_NE(help.out.find("Usage: postmortem"), std::string::npos);
    EXPECT_TRUE(help.err.empty());
  }
  EXPECT_NE(run_with({"perft", "--help"}).out.find("Examples:"), std::string::npos);
}

TEST_F(App, help_is_a_command_too) {
  EXPECT_EQ(run_with({"help"}).out, run_with({"--help"}).out);
  EXPECT_EQ(run_with({"help", "help"}).out, run_with({"--help"}).out);
  for (const char* command : {"review", "perft"}) {
    const Outcome help = run_with({"help", command});
    EXPECT_EQ(help.code, exit_done);
    EXPECT_TRUE(help.out.find(std::string("Usage: postmortem ") + command) != std::string::npos) << help.out;
    EXPECT_EQ(help.out.size(), run_with({command, "--help"}).out.size());  // some lists come in any order
  }
}

TEST_F(App, slips_get_a_suggestion) {
  const struct {
    std::vector<std::string> args;
    const char* err;
  } cases[] = {
      {{"reveiw", "x.pgn"}, "unknown command reveiw; did you mean review? (see postmortem --help)"},
      {{"help", "reveiw"}, "unknown command reveiw; did you mean review? (see postmortem --help)"},
      {{"hlep"}, "unknown command hlep; did you mean help? (see postmortem --help)"},
      {{"nonsense", "--help"}, "unknown command nonsense (see postmortem --help)"},
      {{"review", "--plyer=x", "y"}, "unknown option --plyer; did you mean --player? (see postmortem review --help)"},
      {{"review", "--formt", "csv"}, "unknown option --formt; did you mean --format? (see postmortem review --help)"},
      {{"perft", "startpos", "--dept", "3"},
       "unknown option --dept; did you mean --depth? (see postmortem perft --help)"},
      {{"check", "--unheard-of", "x"}, "unknown option --unheard-of (see postmortem check --help)"},
      {{"--vresion"}, "unknown option --vresion; did you mean --version? (see postmortem --help)"},
  };
  for (const auto& each : cases) {
    const Outcome outcome = run_with(each.args);
    EXPECT_EQ(outcome.code, exit_usage);
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_EQ(outcome.err, std::string("postmortem: ") + each.err + "\n");
  }
}

TEST_F(App, mistakes_are_one_line_and_exit_2) {
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"nonsense"},
                                             {"check"},
                                             {"check", "--unknown", "x"},
                                             {"check", "/no/such/file.pgn"},
                                             {"perft", "startpos"},
                                             {"perft", "startpos", "--depth", "x"},
                                             {"perft", "startpos", "--depth", "-1"},
                                             {"perft", "8/8/8/8/8/8/8/8 w - - 0 1", "--depth", "1"}}) {
    const Outcome outcome = run_with(args);
    EXPECT_EQ(outcome.code, exit_usage);
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_TRUE(is_one_line(outcome.err)) << outcome.err;
  }
}

TEST_F(App, a_bad_number_is_named_and_so_is_the_command_that_helps) {
  EXPECT_EQ(run_with({"human", "startpos", "--rating", "abc"}).err,
            "postmortem: --rating: expected a number, found abc (see postmortem human --help)\n");
  EXPECT_NE(run_with({"nonsense"}).err.find("(see postmortem --help)"), std::string::npos);
}

TEST_F(App, perft_counts) {
  const Outcome text = run_with({"perft", "startpos", "--depth", "4"});
  EXPECT_EQ(text.code, exit_done);
  EXPECT_EQ(text.out.rfind("197281 nodes at depth 4", 0), 0U);
  EXPECT_EQ(run_with({"perft", "startpos", "--depth", "0"}).out.rfind("1 node at", 0), 0U);
}

TEST_F(App, perft_divides) {
  const Outcome text = run_with({"perft", "startpos", "--depth", "2", "--divide"});
  EXPECT_NE(text.out.find("e2e4: 20\n"), std::string::npos);
  const Outcome json = run_with({"perft", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-", "0", "1", "--depth", "2", "--json"});
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["nodes"], 66);
  EXPECT_EQ(parsed["divide"]["e1g1"], 3);
  EXPECT_GE(parsed["seconds"], 0.0);
}

TEST_F(App, perft_of_a_chess960_position_writes_king_takes_rook) {
  const Outcome json = run_with({"perft", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "--depth", "1", "--json"});
  EXPECT_TRUE(nlohmann::json::parse(json.out)["divide"].contains("e1f1"));
}

TEST_F(App, check_reports_text) {
  const std::string path = write("a.pgn", "1. e4 {x} (1. d4) e5 1-0\n\n1. e4 e6 2. d5 *\n");
  const Outcome outcome = run_with({"check", path});
  EXPECT_EQ(outcome.code, exit_done);
  EXPECT_EQ(outcome.out.rfind(path + ":3:13: game 2: d5 is not a legal move for White\n", 0), 0U) << outcome.out;
  EXPECT_NE(outcome.out.find(path + ": 2 games, 4 plies, 1 in variations, 1 comment, 1 problem; "), std::string::npos);
  EXPECT_TRUE(outcome.err.empty());
}

TEST_F(App, check_reports_json) {
  const std::string bad = write("bad.pgn", "1. e4 {x} (1. d4) e5 1-0\n\n1. e4 e6 2. d5 *\n");
  const std::string good = write("good.pgn", "1. e4 *\n");
  const auto json = nlohmann::json::parse(run_with({"check", "--json", bad, good}).out);
  EXPECT_EQ(json["schema"], "postmortem.check/1");
  ASSERT_EQ(json["files"].size(), 2U);
  const auto& file = json["files"][0];
  EXPECT_EQ(file["file"], bad);
  EXPECT_EQ(file["bytes"], 43);
  EXPECT_EQ(file["games"], 2);
  EXPECT_EQ(file["plies"], 4);
  EXPECT_EQ(file["variation_plies"], 1);
  EXPECT_EQ(file["comments"], 1);
  EXPECT_EQ(file["problem_count"], 1);
  EXPECT_EQ(file["problems"][0]["line"], 3);
  EXPECT_EQ(file["problems"][0]["column"], 13);
  EXPECT_EQ(file["problems"][0]["game"], 2);
  EXPECT_EQ(file["problems"][0]["message"], "d5 is not a legal move for White");
  EXPECT_EQ(json["files"][1]["problems"].size(), 0U);
}

TEST_F(App, check_notes_other_languages_and_does_not_mind) {
  const std::string path = write("german.pgn", "1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\n1. Nf3 *\n");
  const Outcome text = run_with({"check", "--strict", path});
  EXPECT_EQ(text.code, exit_done);
  EXPECT_EQ(text.out.rfind(path + ":1:13: game 1: read with German piece letters\n", 0), 0U) << text.out;
  EXPECT_NE(text.out.find(path + ": 2 games, 6 plies, 0 problems, 1 note; "), std::string::npos) << text.out;
  const auto file = nlohmann::json::parse(run_with({"check", "--json", path}).out)["files"][0];
  EXPECT_EQ(file["problem_count"], 0);
  EXPECT_EQ(file["note_count"], 1);
  EXPECT_EQ(file["notes"][0]["game"], 1);
  EXPECT_EQ(file["notes"][0]["column"], 13);
  EXPECT_EQ(file["notes"][0]["message"], "read with German piece letters");
}

TEST_F(App, other_commands_say_in_which_language_a_game_was_read) {
  const std::string path = write("german.pgn", "1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n");
  const Outcome human = run_with({"human", path, "--rating", "1500", "--models", "built-in"});
  EXPECT_EQ(human.code, exit_done) << human.err;
  EXPECT_NE(human.err.find("read with German piece letters"), std::string::npos) << human.err;
  const Outcome review = run_with({"review", "--evals", "pgn", "--no-people", path});
  EXPECT_EQ(review.code, exit_done) << review.err;
  EXPECT_NE(review.err.find("game 1: read with German piece letters"), std::string::npos) << review.err;
  EXPECT_NE(review.out.find("Bb5"), std::string::npos) << review.out;
}

TEST_F(App, check_strict_exits_1_on_problems) {
  EXPECT_EQ(run_with({"check", "--strict", write("bad.pgn", "1. e5 *")}).code, exit_failed);
  EXPECT_EQ(run_with({"check", "--strict", write("good.pgn", "1. e4 *")}).code, exit_done);
}

TEST_F(App, an_unreadable_file_does_not_stop_the_others) {
  const std::string good = write("good.pgn", "1. e4 *\n");
  const Outcome outcome = run_with({"check", (folder_ / "missing").string(), good});
  EXPECT_EQ(outcome.code, exit_usage);
  EXPECT_NE(outcome.out.find(good + ": 1 game, 1 ply, 0 problems"), std::string::npos);
  EXPECT_TRUE(is_one_line(outcome.err));
  const auto json = nlohmann::json::parse(run_with({"check", "--json", (folder_ / "missing").string(), good}).out);
  EXPECT_TRUE(json["files"][0].contains("error"));
  EXPECT_EQ(json["files"][1]["games"], 1);
}

TEST_F(App, an_interrupt_keeps_what_is_finished_and_exits_130) {
  const std::string path = write("a.pgn", "1. e4 *\n");
  interrupt_this_process();
  const Outcome outcome = run_with({"check", "--json", path, path});
  EXPECT_EQ(outcome.code, exit_interrupted);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["files"].size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["files"][0]["error"], "interrupted");
  EXPECT_EQ(run_with({"perft", "startpos", "--depth", "7", "--divide"}).code, exit_interrupted);
}

TEST_F(App, results_that_cannot_be_written_are_a_failure) {
  std::ofstream full("/dev/full");
  std::ostringstream err;
  EXPECT_EQ(run({"perft", "startpos", "--depth", "1"}, {full, err}), exit_failed);
  EXPECT_TRUE(is_one_line(err.str()));
}

TEST_F(App, devices_folders_and_pipes_are_no_files) {
  const std::string game = write("game.pgn", "1. e4 { [%eval 0.3] } e5 *\n");
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto review = [&](const char* option, const std::string& file) {
    return std::vector<std::string>{"review", "--evals", "pgn", "--no-people", option, file, game};
  };
  const struct {
    std::vector<std::string> args;
    std::string why;
  } cases[] = {
      {review("--book", "/dev/zero"), "the book: cannot read /dev/zero: it is a device, expected a file"},
      {review("--book", folder_), "the book: cannot read " + folder_.string() + ": it is a folder, expected a file"},
      {review("--book", pipe), "the book: cannot read " + pipe + ": it is a pipe, expected a file"},
      {{"check", "/dev/zero"}, "cannot read /dev/zero: it is a device, expected a PGN file"},
      {{"motifs", "/dev/zero"}, "cannot read /dev/zero: it is a device, expected a PGN file"},
      {{"verdicts", "/dev/zero"}, "cannot read /dev/zero: it is a device, expected a PGN file"},
      {{"review", "--no-people", "--no-cache", "--engine", pipe, game},
       "cannot start the engine " + pipe + ": Permission denied"},
      {{"review", "--no-people", "--no-cache", "--engine", "/dev/zero", game},
       "cannot start the engine /dev/zero: Permission denied"},
  };
  for (const auto& each : cases) {
    const Outcome outcome = run_with(each.args);
    EXPECT_EQ(outcome.code, exit_usage);
    EXPECT_EQ(outcome.err, "postmortem: " + each.why + "\n");
  }
}

TEST_F(App, rubbish_does_not_fill_the_memory) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "1. e5 *\n";
  const Outcome outcome = run_with({"check", write("rubbish.pgn", text)});
  EXPECT_NE(outcome.out.find("4000 more problems not shown"), std::string::npos);
  EXPECT_NE(outcome.out.find("5000 problems"), std::string::npos);
}

}  // namespace
}  // namespace pm::cli
