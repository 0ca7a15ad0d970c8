#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>

#include "cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> args(argv + 1, argv + argc);
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: any value but the empty one
  pm::cli::Streams streams{std::cout, std::cerr};
  streams.err_is_terminal = isatty(STDERR_FILENO) == 1;
  streams.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  streams.no_colour = no_colour != nullptr && *no_colour != '\0';
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) streams.width = size.ws_col;
  try {
    return pm::cli::run(args, streams);
  } catch (const std::exception& error) {  // no memory, no threads: nothing we could do better with
    std::cerr << "postmortem: " << error.what() << '\n';
    return pm::cli::exit_failed;
  }
}
