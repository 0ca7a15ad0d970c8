// Lines for people on standard error. Sentences quote file names, options and what engines print: whatever they are, a
// terminal shows them as they are (base/printable.h), and one sentence stays one line.
#pragma once

#include <ostream>
#include <string_view>

#include <fmt/ostream.h>

#include "base/printable.h"

namespace pm::cli {

// In the program's name.
inline void say(std::ostream& err, std::string_view sentence) {
  fmt::print(err, "postmortem: {}\n", printable(sentence));
}

// As compilers write them, beginning with the file.
inline void say_problem(std::ostream& err, std::string_view problem) { fmt::print(err, "{}\n", printable(problem)); }

}  // namespace pm::cli
