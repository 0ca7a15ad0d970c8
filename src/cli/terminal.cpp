#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace pm::cli {

void look_at_terminal(Streams& streams) {
  const auto variable = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  const bool dumb = variable("TERM") == "dumb";
  streams.err_is_terminal = !dumb && isatty(STDERR_FILENO) == 1;
  streams.out_is_terminal = !dumb && isatty(STDOUT_FILENO) == 1;
  streams.no_colour = !variable("NO_COLOR").empty();
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) streams.width = size.ws_col;
}

}  // namespace pm::cli
