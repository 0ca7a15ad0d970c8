#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> args(argv + 1, argv + argc);
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: any value but the empty one
  const bool coloured = isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
  return pm::cli::run(args, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1, coloured});
}
