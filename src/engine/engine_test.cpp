#include "engine/engine.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "engine/find_engine.h"
#include "engine/process.h"

namespace pm::engine {
namespace {

using namespace std::chrono_literals;
using chess::Position;

EngineSetup bad_engine(std::vector<std::pair<std::string, std::string>> options = {}) {
  EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  setup.options = std::move(options);
  setup.deadlines = {.answer = 5s, .silence = 1500ms, .search = 3s, .grace = 300ms};
  return setup;
}

Expected<Evaluation> evaluate(const EngineSetup& setup, const Position& position = Position::start()) {
  auto engine = start_uci_engine(setup, {});
  if (!engine) return tl::make_unexpected(engine.error());
  return (*engine)->evaluate({{position, {}}, {Limit::Kind::depth, 4}}, {});
}

TEST(Engine, gives_lines_from_whites_view_with_depth_nodes_and_legal_moves) {
  const auto white = evaluate(bad_engine());
  ASSERT_TRUE(white) << white.error().sentence;
  ASSERT_EQ(white->lines.size(), 2U);
  EXPECT_EQ(white->lines[0].depth, 4);
  EXPECT_EQ(white->lines[0].nodes, 400U);
  ASSERT_EQ(white->lines[0].pv.size(), 1U);
  const int key_score = static_cast<int>(Position::start().key() % 301) - 150;
  EXPECT_EQ(white->lines[0].score, score::WhiteScore(score::Centipawns{key_score + 4}));
  EXPECT_EQ(white->shallow, score::WhiteScore(score::Centipawns{key_score + 2}));

  const Position black = chess::parse_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").value();
  const auto from_black = evaluate(bad_engine(), black);
  ASSERT_TRUE(from_black);
  EXPECT_EQ(from_black->lines[0].score,
            score::WhiteScore(score::Centipawns{-(static_cast<int>(black.key() % 301) - 150 + 4)}));
}

TEST(Engine, a_position_with_one_move_has_one_line) {
  const auto forced = evaluate(bad_engine(), chess::parse_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1").value());
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->lines.size(), 1U);
}

TEST(Engine, plays_chess960) {
  const auto e = evaluate(bad_engine(), chess::parse_fen("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").value());
  EXPECT_TRUE(e) << e.error().sentence;
}

TEST(Engine, each_fault_is_an_error_and_never_a_hang) {
  struct Case {
    const char* fault;
    ErrorCode code;
  };
  for (const Case& c : {Case{"crash", ErrorCode::engine_died}, Case{"hang", ErrorCode::engine_silent},
                        Case{"rubbish", ErrorCode::engine_wrong}, Case{"chatter", ErrorCode::engine_silent},
                        Case{"illegal", ErrorCode::engine_wrong}, Case{"no_score", ErrorCode::engine_wrong},
                        Case{"mate_zero", ErrorCode::engine_wrong}, Case{"half_line", ErrorCode::engine_died}}) {
    const auto result = evaluate(bad_engine({{"Fault", c.fault}}));
    ASSERT_FALSE(result) << c.fault;
    EXPECT_EQ(result.error().code, c.code) << c.fault << ": " << result.error().sentence;
    EXPECT_FALSE(result.error().sentence.empty());
  }
}

TEST(Engine, what_is_no_engine_is_refused) {
  EngineSetup setup = bad_engine();
  setup.deadlines.answer = 300ms;
  setup.path = "no/such/engine";
  EXPECT_EQ(start_uci_engine(setup, {}).error().sentence,
            "cannot start the engine no/such/engine: No such file or directory");
  setup.path = "/bin/true";
  EXPECT_EQ(start_uci_engine(setup, {}).error().code, ErrorCode::engine_died);
  setup.path = "/bin/cat";
  EXPECT_EQ(start_uci_engine(setup, {}).error().sentence,
            "/bin/cat does not answer as a UCI engine (the engine does not answer)");
  EXPECT_EQ(start_uci_engine(bad_engine({{"Spped", "1"}}), {}).error().sentence, "Bad Engine 1 has no option Spped");
}

// The engine, called by a name that makes it misbehave at once.
class EarlyFault : public testing::Test {
 protected:
  EarlyFault()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_early_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~EarlyFault() override { std::filesystem::remove_all(folder_); }
  Expected<std::unique_ptr<Engine>> start(const std::string& fault, std::chrono::milliseconds patience = 5s) const {
    EngineSetup setup = bad_engine();
    setup.path = folder_ / ("bad_engine-" + fault);
    setup.deadlines.answer = patience;
    std::filesystem::create_symlink(POSTMORTEM_BAD_ENGINE, setup.path);
    return start_uci_engine(setup, {});
  }
  std::filesystem::path folder_;
};

TEST_F(EarlyFault, no_chatter_extends_the_handshake) {
  for (const char* fault : {"options", "info", "line"}) {
    const auto engine = start(fault, 300ms);
    ASSERT_FALSE(engine) << fault;
    EXPECT_EQ(engine.error().sentence, fmt::format("{} does not answer as a UCI engine (the engine does not answer)",
                                                   (folder_ / ("bad_engine-" + std::string(fault))).string()));
  }
}

TEST_F(EarlyFault, too_many_options_do_no_harm) {
  const auto engine = start("many", 60s);
  ASSERT_TRUE(engine) << engine.error().sentence;
  EXPECT_TRUE((*engine)->evaluate({{Position::start(), {}}, {Limit::Kind::depth, 4}}, {}));
}

TEST_F(EarlyFault, a_name_is_short_and_fit_for_a_terminal) {
  const auto engine = start("name", 60s);
  ASSERT_TRUE(engine) << engine.error().sentence;
  EXPECT_EQ((*engine)->name(), "?]0;Bad? Engine ?" + std::string((*engine)->name().size() - 17, 'x'));
  EXPECT_LE((*engine)->name().size(), 200U);
}

TEST(Engine, a_stop_is_answered_at_once) {
  auto engine = start_uci_engine(bad_engine({{"Delay", "60000"}}), {}).value();
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(50ms);
    stop.request_stop();
  });
  const auto result = engine->evaluate({{Position::start(), {}}, {Limit::Kind::movetime, 100'000}}, stop.get_token());
  EXPECT_EQ(result.error().code, ErrorCode::interrupted);
}

TEST(ChildProcess, is_gone_with_its_object) {
  pid_t pid = -1;
  {
    auto child = ChildProcess::start("/bin/cat").value();
    pid = child.pid();
    EXPECT_TRUE(child.write_line("hello", Clock::now() + 1s));
    EXPECT_EQ(child.read_line(Clock::now() + 5s, {}).value(), "hello");
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1);  // reaped: no zombie either
}

TEST(ChildProcess, what_is_too_long_for_a_line_is_no_line) {
  auto child =
      ChildProcess::start("/bin/sh", {"-c", "head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo bestmove"}).value();
  const auto deadline = Clock::now() + 60s;
  EXPECT_EQ(child.read_line(deadline, {}).value(), std::string(max_line_bytes, 'x'));
  EXPECT_EQ(child.read_line(deadline, {}).value(), "bestmove");
  EXPECT_EQ(child.read_line(deadline, {}).error().code, ErrorCode::engine_died);
}

TEST(ChildProcess, after_the_deadline_only_what_has_come_is_handed_out) {
  auto child = ChildProcess::start("/bin/sh", {"-c", "while :; do echo line; done"}).value();
  const auto deadline = Clock::now() + 100ms;
  Expected<std::string> line;
  do line = child.read_line(deadline, {});
  while (line);
  EXPECT_EQ(line.error().code, ErrorCode::engine_silent);
}

TEST(ChildProcess, gives_way) {
  auto child = ChildProcess::start("/bin/cat").value();
  EXPECT_EQ(::sched_getscheduler(child.pid()), SCHED_OTHER);
  child.give_way();
  EXPECT_EQ(::sched_getscheduler(child.pid()), SCHED_IDLE);
}

TEST(ChildProcess, leaks_no_descriptors) {
  const auto count = [] {
    const std::filesystem::directory_iterator open("/proc/self/fd");
    return std::distance(begin(open), end(open));
  };
  const auto before = count();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(ChildProcess::start("/bin/cat"));
    EXPECT_FALSE(ChildProcess::start("no/such/program"));
  }
  EXPECT_EQ(count(), before);
}

TEST(ChildProcess, dies_with_us) {
  // A child of ours starts an engine, tells its number, and is killed.
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto child = ChildProcess::start("/bin/cat");
    const pid_t pid = child ? child->pid() : -1;
    [[maybe_unused]] const auto told = ::write(pipe[1], &pid, sizeof pid);
    for (;;) ::pause();
  }
  pid_t engine = -1;
  ASSERT_EQ(::read(pipe[0], &engine, sizeof engine), static_cast<ssize_t>(sizeof engine));
  ASSERT_GT(engine, 0);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  const auto gone = [&] {  // killed; whoever inherits it may take a moment to reap it
    std::ifstream status("/proc/" + std::to_string(engine) + "/status");
    std::string line;
    while (std::getline(status, line)) {
      if (line.starts_with("State:")) return line.find('Z') != std::string::npos;
    }
    return true;
  };
  for (int i = 0; i < 500 && !gone(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(gone());
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(ChildProcess, writing_to_the_dead_is_an_error_not_a_signal) {
  auto child = ChildProcess::start("/bin/true").value();
  EXPECT_EQ(child.read_line(Clock::now() + 5s, {}).error().code, ErrorCode::engine_died);
  Expected<void> written;
  for (int i = 0; i < 100 && written; ++i) {
    written = child.write_line("hello", Clock::now() + 1s);
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(written.error().code, ErrorCode::engine_died);
}

class Stockfish : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = find_engine();
    if (!path) GTEST_SKIP() << "stockfish is not installed";
    EngineSetup setup;
    setup.path = *path;
    setup.hash_mb = 16;
    engine_ = start_uci_engine(setup, {}).value();
  }
  std::unique_ptr<Engine> engine_;
};

TEST_F(Stockfish, finds_a_mate_and_the_second_best_move) {
  const Position position = chess::parse_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").value();
  const auto e = engine_->evaluate({{position, {}}, {Limit::Kind::depth, 8}}, {});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->lines[0].score, score::WhiteScore(score::Mate{1, true}));
  EXPECT_EQ(chess::format_san(position, e->lines[0].pv[0]), "Ra8#");
  ASSERT_EQ(e->lines.size(), 2U);
  EXPECT_TRUE(e->shallow);
}

TEST_F(Stockfish, gives_the_same_answer_after_a_new_game) {
  const Search search{{Position::start(), {}}, {Limit::Kind::nodes, 20'000}};
  ASSERT_TRUE(engine_->new_game({}));
  const auto first = engine_->evaluate(search, {});
  ASSERT_TRUE(engine_->new_game({}));
  const auto second = engine_->evaluate(search, {});
  ASSERT_TRUE(first && second);
  ASSERT_EQ(first->lines.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(first->lines[i].score, second->lines[i].score);
    EXPECT_EQ(first->lines[i].pv, second->lines[i].pv);
    EXPECT_EQ(first->lines[i].nodes, second->lines[i].nodes);
  }
}

TEST_F(Stockfish, castles_in_both_kinds_of_chess) {
  for (const char* fen : {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1"}) {
    const Position position = chess::parse_fen(fen).value();
    const std::vector<chess::Move> moves{chess::parse_san(position, "O-O").value()};
    EXPECT_TRUE(engine_->evaluate({{position, moves}, {Limit::Kind::depth, 4}}, {})) << fen;
  }
}

}  // namespace
}  // namespace pm::engine
