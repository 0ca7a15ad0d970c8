// Ctrl-C as a std::stop_token: long jobs are handed the token and stop in order, keeping what is finished.
#pragma once

#include <stop_token>

namespace pm::cli {

// From now on SIGINT and SIGTERM ask the token to stop; a second one ends the process at once. A thread of its own
// takes the signals, so that anything may be hung on the token. To be called by the main thread before there are
// others; where it waits for input, the call is interrupted once the token is stopped. Calling it again gives the same
// token.
std::stop_token catch_interrupts();

}  // namespace pm::cli
