#include "engine/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace pm::engine {
namespace {

using std::chrono::milliseconds;

// How often a wait looks whether it should stop.
constexpr milliseconds stop_interval{20};

// A file descriptor that is closed when forgotten.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

int milliseconds_left(Clock::time_point deadline, milliseconds most) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, milliseconds(0), most).count());
}

// In the child, where only async-signal-safe calls are allowed: becomes the engine, or tells why it cannot.
[[noreturn]] void become(char* const* argv, int input, int output, int tell, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before we could ask
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  ::execv(argv[0], argv);
  const int why = errno;
  [[maybe_unused]] const auto told = ::write(tell, &why, sizeof why);
  ::_exit(127);
}

tl::unexpected<Error> cannot_start(const std::string& path, int why) {
  return fail(ErrorCode::engine_start, fmt::format("cannot start the engine {}: {}", path, std::strerror(why)));
}

}  // namespace

Expected<ChildProcess> ChildProcess::start(const std::string& path, const std::vector<std::string>& arguments) {
  // The engine's input is a socket, so that writing to a dead engine is an error and not a signal.
  std::array<int, 2> input{-1, -1};
  std::array<int, 2> output{-1, -1};
  std::array<int, 2> tell{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) return cannot_start(path, errno);
  const Descriptor their_input(input[0]);
  Descriptor our_output(input[1]);
  if (::pipe2(output.data(), O_CLOEXEC) != 0) return cannot_start(path, errno);
  Descriptor our_input(output[0]);
  const Descriptor their_output(output[1]);
  if (::pipe2(tell.data(), O_CLOEXEC) != 0) return cannot_start(path, errno);
  const Descriptor told(tell[0]);
  Descriptor teller(tell[1]);

  std::vector<std::string> words{path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return cannot_start(path, errno);
  if (pid == 0) become(argv.data(), their_input.get(), their_output.get(), teller.get(), parent);

  ::close(teller.release());
  int why = 0;
  if (::read(told.get(), &why, sizeof why) == sizeof why) {  // nothing comes when exec has worked
    ::waitpid(pid, nullptr, 0);
    return cannot_start(path, why);
  }
  return ChildProcess(pid, our_output.release(), our_input.release());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      buffer_(std::move(other.buffer_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    to_ = std::exchange(other.to_, -1);
    from_ = std::exchange(other.from_, -1);
    buffer_ = std::move(other.buffer_);
  }
  return *this;
}

void ChildProcess::end() {
  if (pid_ < 0) return;
  ::close(to_);
  ::close(from_);
  ::kill(-pid_, SIGKILL);  // with whatever it has started itself
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void ChildProcess::give_way() {
  const sched_param none{};
  ::sched_setscheduler(pid_, SCHED_IDLE, &none);
}

Expected<void> ChildProcess::write_line(std::string_view line, Clock::time_point deadline) {
  std::string rest(line);
  rest += '\n';
  while (!rest.empty()) {
    const ssize_t n = ::send(to_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      rest.erase(0, static_cast<std::size_t>(n));
      continue;
    }
    const bool busy = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (!busy) return fail(ErrorCode::engine_died, "the engine has died");
    pollfd waiting{to_, POLLOUT, 0};
    const int left = milliseconds_left(deadline, milliseconds(1000));
    if (left == 0) return fail(ErrorCode::engine_silent, "the engine takes no commands");
    ::poll(&waiting, 1, left);
  }
  return {};
}

Expected<std::string> ChildProcess::read_line(Clock::time_point deadline, const std::stop_token& stop) {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos || buffer_.size() > max_line_bytes) {
      const std::size_t length = std::min({end, buffer_.size(), max_line_bytes});
      std::string line = buffer_.substr(0, length);
      buffer_.erase(0, end == std::string::npos ? length : end + 1);
      while (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    searched = buffer_.size();
    if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    pollfd waiting{from_, POLLIN, 0};
    const int left = milliseconds_left(deadline, stop_interval);
    const int ready = ::poll(&waiting, 1, left);
    if (ready == 0 && Clock::now() >= deadline) return fail(ErrorCode::engine_silent, "the engine does not answer");
    if (ready <= 0) continue;
    std::array<char, 1U << 14> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read fills it
    const ssize_t n = ::read(from_, piece.data(), piece.size());
    if (n > 0) {
      buffer_.append(piece.data(), static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      return fail(ErrorCode::engine_died, "the engine has died");
    }
  }
}

}  // namespace pm::engine
