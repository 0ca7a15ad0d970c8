// The commands, each with its options as plain data. app.cpp fills these from the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"

namespace pm::cli {

struct CheckOptions {
  std::vector<std::string> files;  // "-" is standard input
  bool json = false;
  bool strict = false;  // any problem makes the exit code 1
  bool quiet = false;
};
int check(const CheckOptions& options, const Streams& streams);

struct PerftOptions {
  std::string fen;
  int depth = 0;
  bool divide = false;
  bool json = false;
};
int perft(const PerftOptions& options, const Streams& streams);

}  // namespace pm::cli
