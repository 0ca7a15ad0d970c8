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
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/system_calls.h"

namespace pm::engine {
namespace {

using std::chrono::milliseconds;

// How often a wait looks whether it should stop.
constexpr milliseconds stop_interval{20};

// A file descriptor that is closed when forgotten.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  void close() const {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd_ = -1;
};

int milliseconds_left(Clock::time_point deadline, milliseconds most) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, milliseconds(0), most).count());
}

// A copy beyond standard input, output and error: where these were closed, ours have taken their places.
int above_standard(int descriptor) {
  return descriptor > STDERR_FILENO ? descriptor : ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
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
  tell = above_standard(tell);
  input = above_standard(input);
  output = above_standard(output);
  const int nowhere = above_standard(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0) ::execv(argv[0], argv);
  const int why = errno;
  [[maybe_unused]] const auto told = ::write(tell, &why, sizeof why);
  ::_exit(127);
}

tl::unexpected<Error> cannot_start(const std::string& path, int why) {
  return fail(ErrorCode::engine_start, fmt::format("cannot start the engine {}: {}", path, std::strerror(why)));
}

void reap(pid_t pid) {
  while (system_calls().waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// What a child that has just been forked says of its becoming an engine: why it could not, or nothing.
std::optional<int> hear_from(int told) {
  int why = 0;
  ssize_t n = -1;
  do n = system_calls().read(told, &why, sizeof why);
  while (n < 0 && errno == EINTR);
  if (n < 0) return errno;
  return n == sizeof why ? std::optional(why) : std::nullopt;
}

// Two descriptors; nothing: errno says why.
template <class Make>
std::optional<std::pair<Descriptor, Descriptor>> make_descriptors(const Make& make) {
  std::array<int, 2> pair{-1, -1};
  if (make(pair.data()) != 0) return std::nullopt;
  return std::pair(Descriptor(pair[0]), Descriptor(pair[1]));
}

}  // namespace

Expected<ChildProcess> ChildProcess::start(const std::string& path, const std::vector<std::string>& arguments) {
  const SystemCalls& calls = system_calls();
  // The engine's input is a socket, so that writing to a dead engine is an error and not a signal.
  auto input =
      make_descriptors([&](int* pair) { return calls.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair); });
  if (!input) return cannot_start(path, errno);
  const auto pipe = [&](int* pair) { return calls.pipe2(pair, O_CLOEXEC); };
  auto output = make_descriptors(pipe);
  if (!output) return cannot_start(path, errno);
  auto tell = make_descriptors(pipe);
  if (!tell) return cannot_start(path, errno);

  std::vector<std::string> words{path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = calls.fork();
  if (pid < 0) return cannot_start(path, errno);
  if (pid == 0) become(argv.data(), input->first.get(), output->second.get(), tell->second.get(), parent);

  tell->second = Descriptor();
  if (const auto why = hear_from(tell->first.get())) {
    ::kill(pid, SIGKILL);
    reap(pid);
    return cannot_start(path, *why);
  }
  return ChildProcess(pid, input->second.release(), output->first.release());
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
  reap(pid_);
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
    const ssize_t n = system_calls().send(to_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      rest.erase(0, static_cast<std::size_t>(n));
      continue;
    }
    const bool busy = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (!busy) return fail(ErrorCode::engine_died, "the engine has died");
    pollfd waiting{to_, POLLOUT, 0};
    const int left = milliseconds_left(deadline, milliseconds(1000));
    if (left == 0) return fail(ErrorCode::engine_silent, "the engine takes no commands");
    system_calls().poll(&waiting, 1, left);
  }
  return {};
}

Expected<std::string> ChildProcess::read_line(Clock::time_point deadline, const std::stop_token& stop) {
  for (bool late = Clock::now() >= deadline;; late = Clock::now() >= deadline) {
    if (auto line = buffer_.take_line()) return std::move(*line);
    if (late) return fail(ErrorCode::engine_silent, "the engine does not answer");
    if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    pollfd waiting{from_, POLLIN, 0};
    const int ready = system_calls().poll(&waiting, 1, milliseconds_left(deadline, stop_interval));
    if (ready <= 0) continue;
    std::array<char, 1U << 14> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read fills it
    const ssize_t n = system_calls().read(from_, piece.data(), piece.size());
    if (n > 0) {
      buffer_.add({piece.data(), static_cast<std::size_t>(n)});
    } else if (n == 0 || errno != EINTR) {
      return fail(ErrorCode::engine_died, "the engine has died");
    }
  }
}

}  // namespace pm::engine
