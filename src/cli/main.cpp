#include <unistd.h>

#include <iostream>

#include "cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> args(argv + 1, argv + argc);
  return pm::cli::run(args, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1});
}
