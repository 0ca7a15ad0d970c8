#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <thread>

#include "cli/app.h"

namespace pm::cli {
namespace {

std::stop_source& source() {
  static std::stop_source stop;
  return stop;
}

volatile std::sig_atomic_t asked = 0;

// request_stop() with no callbacks registered only sets an atomic flag, which a signal handler may do.
void on_signal(int /*signal*/) {
  if (asked != 0) _exit(exit_interrupted);
  asked = 1;
  source().request_stop();
}

}  // namespace

std::stop_token catch_interrupts() {
  std::stop_token token = source().get_token();
  struct sigaction action{};
  action.sa_handler = on_signal;  // without SA_RESTART: a read that waits for input returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return token;
}

std::stop_token await_interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    source().request_stop();
    sigwait(&signals, &signal);
    _exit(exit_interrupted);
  }).detach();
  return source().get_token();
}

}  // namespace pm::cli
