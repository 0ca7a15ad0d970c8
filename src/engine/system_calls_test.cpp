// Every call to the kernel fails once: the first, the second, and so on until a run needs no more calls. Each run must
// end in a sentence or as if nothing had happened, and leave no descriptor open and no process behind.
#include "engine/system_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "engine/engine_pool.h"
#include "engine/evaluation_codec.h"
#include "engine/process.h"

namespace pm::engine {
namespace {

using namespace std::chrono_literals;

const SystemCalls& real_calls() {
  static const SystemCalls calls = system_calls();
  return calls;
}

std::atomic<int> calls_left = 0;  // until the one that fails; below zero: it has failed
std::atomic<int> failure = 0;     // errno

bool is_due() {
  if (--calls_left != 0) return false;
  errno = failure;
  return true;
}

// One kind of call, and how it may fail.
struct Fault {
  const char* name;
  int error;
  bool harmless;  // it is simply tried again
  void (*arm)(SystemCalls& calls);
};

const Fault faults[] = {
    {"socketpair", EMFILE, false,
     [](SystemCalls& calls) {
       calls.socketpair = [](int domain, int type, int protocol, int* pair) {
         return is_due() ? -1 : real_calls().socketpair(domain, type, protocol, pair);
       };
     }},
    {"pipe2", ENFILE, false,
     [](SystemCalls& calls) {
       calls.pipe2 = [](int* pair, int flags) { return is_due() ? -1 : real_calls().pipe2(pair, flags); };
     }},
    {"fork", EAGAIN, false,
     [](SystemCalls& calls) { calls.fork = [] { return is_due() ? -1 : real_calls().fork(); }; }},
    {"read", EIO, false,
     [](SystemCalls& calls) {
       calls.read = [](int descriptor, void* into, std::size_t bytes) {
         return is_due() ? ssize_t{-1} : real_calls().read(descriptor, into, bytes);
       };
     }},
    {"read, interrupted", EINTR, true, [](SystemCalls& calls) { faults[3].arm(calls); }},
    {"send", ECONNRESET, false,
     [](SystemCalls& calls) {
       calls.send = [](int socket, const void* from, std::size_t bytes, int flags) {
         return is_due() ? ssize_t{-1} : real_calls().send(socket, from, bytes, flags);
       };
     }},
    {"send, interrupted", EINTR, true, [](SystemCalls& calls) { faults[5].arm(calls); }},
    {"send, no room", EAGAIN, true, [](SystemCalls& calls) { faults[5].arm(calls); }},
    {"poll", ENOMEM, true,
     [](SystemCalls& calls) {
       calls.poll = [](pollfd* descriptors, nfds_t count, int milliseconds) {
         return is_due() ? -1 : real_calls().poll(descriptors, count, milliseconds);
       };
     }},
    {"poll, interrupted", EINTR, true, [](SystemCalls& calls) { faults[8].arm(calls); }},
    {"waitpid, interrupted", EINTR, true,
     [](SystemCalls& calls) {
       calls.waitpid = [](pid_t pid, int* status, int options) {
         return is_due() ? pid_t{-1} : real_calls().waitpid(pid, status, options);
       };
     }},
};

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return std::distance(begin(open), end(open));
}

class FailingCalls : public testing::Test {
 protected:
  FailingCalls() {
    real_calls();
    setup_.path = POSTMORTEM_BAD_ENGINE;
  }
  ~FailingCalls() override { system_calls() = real_calls(); }

  // `run` says whether it came to the usual end.
  static void fail_every_call(const std::function<bool()>& run) {
    const auto before = open_descriptors();
    for (const Fault& fault : faults) {
      for (int nth = 1; nth == 1 || calls_left <= 0; ++nth) {
        calls_left = nth;
        failure = fault.error;
        fault.arm(system_calls());
        const bool done = run();
        system_calls() = real_calls();
        EXPECT_EQ(open_descriptors(), before) << fault.name << ", call " << nth;
        EXPECT_TRUE(::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) << fault.name << ", call " << nth;
        EXPECT_TRUE(done || (calls_left <= 0 && !fault.harmless)) << fault.name << ", call " << nth;
        ASSERT_LT(nth, 10'000) << fault.name;
      }
    }
  }

  EngineSetup setup_;
};

TEST_F(FailingCalls, an_engine_answers_or_says_why_not) {
  const Search search{{chess::Position::start(), {}}, {Limit::Kind::depth, 4}};
  const auto expected = format_evaluation(start_uci_engine(setup_, {}).value()->evaluate(search, {}).value());
  fail_every_call([&] {
    const auto talk = [&]() -> Expected<Evaluation> {
      auto engine = start_uci_engine(setup_, {});
      if (!engine) return tl::make_unexpected(engine.error());
      if (auto begun = (*engine)->new_game({}); !begun) return tl::make_unexpected(begun.error());
      return (*engine)->evaluate(search, {});
    };
    const auto found = talk();
    EXPECT_TRUE(found || !found.error().sentence.empty());
    if (found) {
      EXPECT_EQ(format_evaluation(*found), expected);
    }
    return found.has_value();
  });
}

TEST_F(FailingCalls, a_pool_answers_with_another_engine) {
  const Segment segment{{chess::Position::start(), {}}, {0}, {0}, {Limit::Kind::depth, 4}};
  const StartEngine start = [this](const std::stop_token& stop) { return start_uci_engine(setup_, stop); };
  std::string expected;
  const auto run = [&] {
    const auto pool = EnginePool::open(start, 1, {}, nullptr, {});
    if (!pool) {
      EXPECT_FALSE(pool.error().sentence.empty());
      return false;
    }
    const SegmentResult result = (*pool)->submit(segment).get();
    const std::string found = format_evaluation(result.evaluations.front());
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << result.trouble;
    return true;
  };
  ASSERT_TRUE(run());
  fail_every_call(run);
}

TEST_F(FailingCalls, what_cannot_be_started_leaves_nothing) {
  setup_.path = "no/such/engine";
  fail_every_call([&] {
    const auto engine = start_uci_engine(setup_, {});
    EXPECT_FALSE(engine);
    EXPECT_TRUE(engine.error().sentence.starts_with("cannot start the engine no/such/engine: "));
    return engine.error().sentence.ends_with(": No such file or directory");
  });
}

}  // namespace

TEST(ChildProcess, needs_no_standard_streams_of_ours) {
  const pid_t alone = ::fork();
  if (alone == 0) {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(standard);
    auto child = ChildProcess::start("/bin/cat");
    const auto deadline = Clock::now() + std::chrono::minutes(1);
    const bool answers = child && child->write_line("hello", deadline) && child->read_line(deadline, {}) == "hello";
    ::_exit(answers ? 0 : 1);
  }
  int status = -1;
  ::waitpid(alone, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace pm::engine
