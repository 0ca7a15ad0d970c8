#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

#include "cli/app.h"

namespace pm::cli {
namespace {

std::stop_source& source() {
  static std::stop_source stop;
  return stop;
}

constexpr timespec between_kicks{0, 50'000'000};

void begin() {
  struct sigaction kicked{};
  kicked.sa_handler = [](int) {};  // without SA_RESTART: a read that waits for input returns
  sigaction(SIGUSR1, &kicked, nullptr);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, main = pthread_self()] {
    int signal = 0;
    sigwait(&signals, &signal);
    source().request_stop();
    // Again and again: a kick between two reads would be lost on the second.
    while (sigtimedwait(&signals, nullptr, &between_kicks) < 0) pthread_kill(main, SIGUSR1);
    _exit(exit_interrupted);
  }).detach();
}

}  // namespace

std::stop_token catch_interrupts() {
  static std::once_flag begun;
  std::call_once(begun, begin);
  return source().get_token();
}

}  // namespace pm::cli
