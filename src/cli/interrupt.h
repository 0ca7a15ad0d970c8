// Ctrl-C as a std::stop_token: long jobs are handed the token and stop in order, keeping what is finished.
#pragma once

#include <stop_token>

namespace pm::cli {

// From now on SIGINT and SIGTERM ask the token to stop; a second one ends the process at once. Main thread only.
std::stop_token catch_interrupts();

}  // namespace pm::cli
