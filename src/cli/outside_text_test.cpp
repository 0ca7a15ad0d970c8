// Whatever names, games and engines bring along, a terminal is not moved by it.
#include <gtest/gtest.h>

#include "base/printable.h"
#include "cli/test_run.h"

namespace pm::cli {
namespace {

const std::string hostile_text = "a\x1b[2J\x07\u009b31m\u202eb\u2066c\u061c\u200f";
const std::string hostile = hostile_text + "\r\x9b";

std::string hostile_tag(const std::string& name) { return "[" + name + " \"" + hostile_text + "\"]\n"; }

class OutsideText : public CommandTest {
 protected:
  OutsideText() {
    std::filesystem::create_symlink(POSTMORTEM_BAD_ENGINE, path("engine-name"));  // says a hostile one
    std::filesystem::create_symlink(POSTMORTEM_BAD_ENGINE, path(hostile + "-x"));
  }

  std::string game() const {
    return write(hostile + ".pgn", hostile_tag("White") + hostile_tag("Black") + hostile_tag("Event") +
                                       hostile_tag("Site") + hostile_tag("Date") + hostile_tag("ECO") +
                                       "\n1. e4 { [%eval 0.3] " + hostile_text + " } e5 { [%eval 5.2] } 2. Nf3 *\n");
  }
  std::string broken_game() const {
    return write(hostile + "-broken.pgn", hostile_tag("Variant") + "\n1. e4 *\n\n" + hostile_tag("FEN") +
                                              "\n1. e4 *\n\n[White \"x\"]\n\n1. e4 " + hostile + " *\n");
  }
};

void expect_harmless(const Outcome& outcome, const std::vector<std::string>& args) {
  for (const std::string& text : {outcome.out, outcome.err}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(is_printable(line)) << testing::PrintToString(args) << " says " << testing::PrintToString(line);
    }
  }
}

TEST_F(OutsideText, moves_no_terminal) {
  const std::string& name = hostile;
  const std::string bad_json = write(name + ".json", "{\"" + std::string("\\u001b\\u202e") + "\": 1}");
  const std::string puzzles =
      write(name + ".csv", "PuzzleId,FEN,Moves,Themes\n" + name + ",4k3/8/8/8/8/8/4P3/4K2R w - - 0 1,e2e4 e8d8,x\nx," +
                               name + ",e2e4,y\n");
  const std::string model = write(name + ".net", "no network");
  const std::string engine = path("engine-name");
  const std::vector<std::vector<std::string>> commands{
      {"check", game(), broken_game(), name},
      {"review", "--no-people", "--no-cache", "--depth", "1", "--engine", engine, game()},
      {"review", "--no-people", "--no-cache", "--depth", "1", "--engine", path(name + "-x"), game(), broken_game()},
      {"review", "--no-people", "--no-cache", "--engine", engine, "--engine-option", name + "=" + name, game()},
      {"review", "--no-people", "--no-cache", "--engine", name, game()},
      {"review", "--evals", "pgn", "--no-people", game(), broken_game(), name},
      {"review", "--evals", "pgn", "--no-people", "--book", name, game()},
      {"review", "--evals", "pgn", "--no-people", "--games", name, game()},
      {"review", "--evals", "pgn", "--no-people", "--player", name + "x", game()},
      {"review", "--evals", "pgn", "--no-people", "--output", path("no/" + name), game()},
      {"review", "--evals", "pgn", "--models", model, game()},
      {"review", "--evals", "pgn", "--format", name, game()},
      {"human", game()},
      {"human", broken_game()},
      {"human", name},
      {"human", "startpos", "moves", name},
      {"human", "startpos", "--models", name},
      {"models", "--models", model},
      {"models", name},
      {"expect", game(), "--engine", engine, "--no-cache", "--depth", "1", "--searches", "1"},
      {"expect", "startpos", "--moves", name},
      {"doctor", "--engine", engine, "--models", model},
      {"doctor", "--engine", name},
      {"verdicts", bad_json},
      {"verdicts", name},
      {"motifs", puzzles},
      {"motifs", name},
      {"perft", name, "--depth", "1"},
      {"perft", "startpos", "--depth", name},
      {name},
      {"check", "--" + name, "x"},
      {"check", "-" + name, "x"},
  };
  for (const auto& args : commands) expect_harmless(run_with(args), args);
}

TEST_F(OutsideText, stays_in_the_comments_of_the_file) {
  const Outcome pgn = run_with({"review", "--evals", "pgn", "--no-people", "--format", "pgn", game()});
  EXPECT_EQ(pgn.code, exit_done) << pgn.err;
  std::istringstream lines(pgn.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[") && !line.starts_with("[%")) {
      EXPECT_TRUE(is_printable(line)) << line;
    }
  }
  EXPECT_NE(pgn.out.find("\u202eb\u2066c"), std::string::npos) << pgn.out;
}

}  // namespace
}  // namespace pm::cli
