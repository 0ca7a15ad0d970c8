#include <exception>
#include <iostream>

#include "cli/app.h"
#include "cli/say.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> args(argv + 1, argv + argc);
  pm::cli::Streams streams{std::cout, std::cerr};
  pm::cli::look_at_terminal(streams);
  try {
    return pm::cli::run(args, streams);
  } catch (const std::exception& error) {  // no memory, no threads: nothing we could do better with
    pm::cli::say(std::cerr, error.what());
    return pm::cli::exit_failed;
  }
}
