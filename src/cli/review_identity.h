// What makes the bytes of a review what they are, in one word: two runs with the same identity write the same bytes.
#pragma once

#include <string>

#include "cli/commands.h"

namespace pm::cli {

// From the command line, without what changes no bytes (--jobs, --quiet, --progress), this program's version, the size
// and time of every file that is read, and `sources`, the engine and the model that were found. Empty when a file can
// be read only once, such as standard input: nobody knows what will be in it the next time.
std::string review_identity(const ReviewCommand& command, const std::string& sources);

}  // namespace pm::cli
