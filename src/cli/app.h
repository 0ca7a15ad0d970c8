// The command line as a function: arguments in, exit code out. main.cpp only calls it; tests call it too.
//
// Exit codes (also in --help): 0 done, 1 the job failed, 2 bad options or unreadable files, 130 interrupted.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"

namespace pm::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_interrupted = 130;

// Of a command whose engines could not be opened.
inline int exit_code_of(const Error& error) {
  if (error.code == ErrorCode::interrupted) return exit_interrupted;
  return error.code == ErrorCode::no_engine ? exit_failed : exit_usage;
}

// Where a command writes: results to out, progress and warnings to err.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  bool out_is_terminal = false;
  bool no_colour = false;  // somebody set NO_COLOR
  int width = 100;         // of the terminal
};

// args without the program's name.
int run(const std::vector<std::string>& args, const Streams& streams);

}  // namespace pm::cli
