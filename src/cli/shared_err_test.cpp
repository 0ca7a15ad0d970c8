#include "cli/shared_err.h"

#include <fmt/ostream.h>

#include "cli/test_run.h"

namespace pm::cli {
namespace {

TEST(SharedErr, lines_of_several_threads_are_never_mixed) {
  std::ostringstream out;
  std::ostringstream err;
  {
    SharedErr shared({out, err});
    const auto tell = shared.tell();
    const auto talk = [&] {
      for (int i = 0; i < 200; ++i) tell("something");
    };
    const std::jthread one(talk);
    const std::jthread two(talk);
    for (int i = 0; i < 200; ++i) fmt::print(shared.streams().err, "{} of {} positions\n", i, 200);
  }
  std::istringstream lines(err.str());
  int told = 0;
  int shown = 0;
  for (std::string line; std::getline(lines, line);) ++(line == "postmortem: something" ? told : shown);
  EXPECT_EQ(told, 400);
  EXPECT_EQ(shown, 200);
}

TEST(SharedErr, a_line_of_progress_is_cleared_first) {
  std::ostringstream out;
  std::ostringstream err;
  SharedErr shared({out, err, true});
  shared.tell()("something");
  EXPECT_EQ(err.str(), "\r\x1b[Kpostmortem: something\n");
}

using Trouble = CommandTest;

TEST_F(Trouble, is_told_while_a_command_still_tries) {
  const std::string game = write("game.pgn", "1. e4 e5 *\n");
  const std::vector<std::string> engine{"--quiet",         "--no-cache", "--engine", POSTMORTEM_BAD_ENGINE,
                                        "--engine-option", "Fault=crash"};
  for (std::vector<std::string> args :
       {std::vector<std::string>{"review", "--no-people", game}, {"expect", "startpos"}}) {
    args.insert(args.end(), engine.begin(), engine.end());
    const Outcome outcome = run_with(args);
    EXPECT_EQ(outcome.code, exit_failed);
    EXPECT_EQ(outcome.err.rfind("postmortem: Bad Engine 1: the engine has died; trying again with a new process\n", 0),
              0U)
        << outcome.err;
  }
}

}  // namespace
}  // namespace pm::cli
