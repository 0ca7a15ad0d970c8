#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/test_run.h"

namespace pm::cli {
namespace {

const std::string opera_game = std::string(POSTMORTEM_SOURCE_DIR) + "/samples/opera-evals.pgn";

// Runs the command in a process of its own and sends it the signal once so many games are in its index; its exit code,
// or the signal. To be called before this process has threads.
int run_and_stop(const std::vector<std::string>& args, const std::string& index, int games, int signal) {
  const pid_t child = fork();
  if (child == 0) {
    nice(19);  // so that it does not finish before it is stopped
    _exit(run_with(args).code);
  }
  const auto lines = [&] {
    std::ifstream file(index, std::ios::binary);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n') - 1;  // a header
  };
  int status = 0;
  while (lines() < games && waitpid(child, &status, WNOHANG) == 0) std::this_thread::yield();
  ::kill(child, signal);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

class ReviewResumed : public CommandTest {
 protected:
  ReviewResumed() {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "[Round \"" + std::to_string(i) + "\"]\n" + contents(opera_game) + "\n";
    games_ = write("games.pgn", text);
  }
  std::vector<std::string> command(const std::string& format, const std::string& output) const {
    return {"review", "--evals", "pgn", "--no-people", "--quiet", "--format", format, "--output", output, games_};
  }
  std::string games_;
};

TEST_F(ReviewResumed, goes_on_where_it_was_killed_with_the_same_bytes) {
  const std::map<std::string, std::string> formats{
      {"json", "a"}, {"csv", "b"}, {"pgn", "c"}, {"text", "d.gz"}, {"html", "e.zst"}};
  for (const auto& [format, name] : formats) {
    const int signal = format == "csv" ? SIGINT : SIGKILL;
    const int code = run_and_stop(command(format, path(name)), path(name + ".part.index"), 20, signal);
    EXPECT_EQ(code, signal == SIGINT ? exit_interrupted : SIGKILL);
    EXPECT_TRUE(std::filesystem::exists(path(name + ".part"))) << format;
    EXPECT_FALSE(std::filesystem::exists(path(name))) << format;
  }
  for (const auto& [format, name] : formats) {
    std::ofstream(path(name + ".part"), std::ios::app) << "half a game";
    auto again = command(format, path(name));
    again.insert(again.end(), {"--jobs", "1", "--cache-limit", "500"});  // change no bytes
    const Outcome resumed = run_with(again);
    EXPECT_EQ(resumed.code, exit_done);
    EXPECT_TRUE(resumed.err.starts_with("postmortem: going on after ")) << resumed.err;
    EXPECT_FALSE(std::filesystem::exists(path(name + ".part")));
    EXPECT_EQ(run_with(command(format, path("whole" + name))).code, exit_done);
    EXPECT_TRUE(contents(path(name)) == contents(path("whole" + name))) << format;
  }
}

TEST_F(ReviewResumed, another_command_begins_anew_and_keeps_what_was_there) {
  const auto first = command("text", path("out"));
  EXPECT_EQ(run_and_stop(first, path("out.part.index"), 20, SIGKILL), SIGKILL);
  const std::string half = contents(path("out.part"));
  auto other = first;
  other.insert(other.end(), {"--scheme", "lichess"});
  const Outcome r = run_with(other);
  EXPECT_EQ(r.code, exit_done);
  EXPECT_EQ(r.err, "postmortem: " + path("out.part") + " is not of this command and these files: it is kept as " +
                       path("out.part.1") + ", and all is reviewed anew\n");
  EXPECT_EQ(contents(path("out.part.1")), half);
  other[8] = path("whole");
  EXPECT_EQ(run_with(other).code, exit_done);
  EXPECT_TRUE(contents(path("out")) == contents(path("whole")));
}

TEST_F(ReviewResumed, a_file_that_has_changed_is_reviewed_anew) {
  const auto first = command("csv", path("out"));
  EXPECT_EQ(run_and_stop(first, path("out.part.index"), 20, SIGKILL), SIGKILL);
  write("games.pgn", contents(opera_game));
  const Outcome r = run_with(first);
  EXPECT_EQ(r.code, exit_done);
  EXPECT_NE(r.err.find("all is reviewed anew"), std::string::npos) << r.err;
  EXPECT_EQ(contents(path("out")).find(",34,"), std::string::npos);
}

}  // namespace
}  // namespace pm::cli
