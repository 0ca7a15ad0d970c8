#include "cli/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace pm::cli {
namespace {

// Standard output and error are a terminal of 72 columns while it lives.
class TerminalTest : public testing::Test {
 protected:
  TerminalTest() : terminal_(posix_openpt(O_RDWR | O_NOCTTY)), out_(dup(STDOUT_FILENO)), err_(dup(STDERR_FILENO)) {
    grantpt(terminal_);
    unlockpt(terminal_);
    const int side = open(ptsname(terminal_), O_RDWR | O_NOCTTY);
    winsize size{};
    size.ws_col = 72;
    ioctl(side, TIOCSWINSZ, &size);
    dup2(side, STDOUT_FILENO);
    dup2(side, STDERR_FILENO);
    close(side);
  }
  ~TerminalTest() override {
    restore();
    close(terminal_);
  }
  Streams look() {
    Streams streams{stream_, stream_};
    look_at_terminal(streams);
    return streams;
  }
  void restore() const {
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
  }

  int terminal_;
  int out_;
  int err_;
  std::ostringstream stream_;
};

TEST_F(TerminalTest, is_seen_with_its_width) {
  setenv("TERM", "xterm", 1);
  setenv("NO_COLOR", "", 1);
  const Streams plain = look();
  setenv("NO_COLOR", "1", 1);
  const Streams colourless = look();
  restore();
  EXPECT_TRUE(plain.out_is_terminal);
  EXPECT_TRUE(plain.err_is_terminal);
  EXPECT_FALSE(plain.no_colour);
  EXPECT_EQ(plain.width, 72);
  EXPECT_TRUE(colourless.no_colour);
}

TEST_F(TerminalTest, that_is_dumb_gets_no_escape_sequences) {
  setenv("TERM", "dumb", 1);
  const Streams streams = look();
  restore();
  EXPECT_FALSE(streams.out_is_terminal);
  EXPECT_FALSE(streams.err_is_terminal);
  EXPECT_EQ(streams.width, 72);
}

}  // namespace
}  // namespace pm::cli
