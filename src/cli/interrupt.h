// Ctrl-C as a std::stop_token: long jobs are handed the token and stop in order, keeping what is finished.
#pragma once

#include <stop_token>

namespace pm::cli {

// From now on SIGINT and SIGTERM ask the token to stop; a second one ends the process at once. Main thread only.
std::stop_token catch_interrupts();

// The same for a program that waits for no input: a thread of its own takes the signals, so that anything may be hung
// on the token. To be called before there are other threads.
std::stop_token await_interrupts();

}  // namespace pm::cli
