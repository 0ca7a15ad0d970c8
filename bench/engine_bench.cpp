// Engines at work, for bench/engine:
//
//   engine_bench nodes GAMES ENGINE DEPTH        nodes searched when the hash is kept through a game, cleared for every
//                                                position, and cleared for every segment, as a review does
//   engine_bench bare GAMES ENGINE DEPTH JOBS    the searches of a review and nothing else: seconds
//
// GAMES are taken from the start of the file, those of 70 to 90 plies, five of them.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "pgn/reader.h"
#include "review/reviewer.h"

using namespace pm;

namespace {

constexpr std::size_t games_wanted = 5;

std::vector<pgn::Game> read_games(const std::string& path) {
  std::vector<pgn::Game> games;
  const auto source = pgn::open_source(path);
  if (!source) return games;
  pgn::GameReader reader(**source);
  while (games.size() < games_wanted) {
    auto read = reader.next();
    if (!read) break;
    std::size_t plies = 0;
    for (auto n = read->game.main_move(0); n != pgn::Game::none; n = read->game.main_move(n)) ++plies;
    if (plies >= 70 && plies <= 90) games.push_back(std::move(read->game));
  }
  return games;
}

std::unique_ptr<engine::Engine> start(const std::string& path) {
  engine::EngineSetup setup;
  setup.path = path;
  return engine::start_uci_engine(setup, {}).value();
}

void forget(engine::Engine& engine) {
  if (!engine.new_game({})) std::abort();
}

// Searches the segments on one engine; `clear` says when it forgets.
enum class Clear : std::uint8_t { game, segment, position };

std::uint64_t nodes_searched(const std::vector<pgn::Game>& games, engine::Engine& engine, const engine::Limit& limit,
                             Clear clear) {
  std::uint64_t nodes = 0;
  for (const pgn::Game& game : games) {
    forget(engine);
    for (const engine::Segment& segment : review::GamePlan(game).segments(limit)) {
      if (clear == Clear::segment) forget(engine);
      for (const std::size_t plies : segment.plies) {
        if (clear == Clear::position) forget(engine);
        chess::GameState state = segment.state;
        state.moves.resize(plies);
        const auto e = engine.evaluate({std::move(state), limit}, {}).value();
        std::uint64_t most = 0;
        for (const auto& line : e.lines) most = std::max(most, line.nodes);
        nodes += most;
      }
    }
  }
  return nodes;
}

// Searches in groups, before each of which the engine forgets everything.
using Groups = std::vector<std::vector<engine::Search>>;

// Writes down what an engine is asked.
class RecordingEngine final : public engine::Engine {
 public:
  RecordingEngine(std::unique_ptr<engine::Engine> engine, Groups& groups, std::mutex& mutex)
      : engine_(std::move(engine)), groups_(groups), mutex_(mutex) {}
  const std::string& name() const override { return engine_->name(); }
  Expected<void> new_game(const std::stop_token& stop) override {
    const std::scoped_lock lock(mutex_);
    group_ = groups_.size();
    groups_.emplace_back();
    return engine_->new_game(stop);
  }
  Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token& stop) override {
    {
      const std::scoped_lock lock(mutex_);
      groups_[group_].push_back(search);
    }
    return engine_->evaluate(search, stop);
  }

 private:
  std::unique_ptr<engine::Engine> engine_;
  Groups& groups_;
  std::mutex& mutex_;
  std::size_t group_ = 0;
};

class NoSink final : public review::ReviewSink {
  void progress(const review::ReviewProgress& /*progress*/) override {}
};

// What a review of the games asks its engines, close calls and contradictions included.
Groups searches_of(const std::vector<pgn::Game>& games, const std::string& path, const engine::Limit& limit, int jobs) {
  Groups groups;
  std::mutex mutex;
  const auto begin = [&](const std::stop_token& /*stop*/) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<RecordingEngine>(start(path), groups, mutex);
  };
  const auto pool = engine::EnginePool::open(begin, jobs, {}, nullptr, {}).value();
  review::Sources sources;
  sources.pool = pool.get();
  NoSink sink;
  for (const pgn::Game& game : games) {
    review::ReviewRequest request;
    request.limit = limit;
    review::Reviewer(game, sources, request).gather(sink);
  }
  return groups;
}

// The same searches handed out in order to so many engines, with nothing around them.
double bare_seconds(const Groups& groups, const std::string& path, int jobs) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) {
      threads.emplace_back([&] {
        const auto engine = start(path);
        for (std::size_t at = next++; at < groups.size(); at = next++) {
          forget(*engine);
          for (const engine::Search& search : groups[at]) {
            if (!engine->evaluate(search, {})) std::abort();
          }
        }
      });
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() < 4) {
    std::fputs("usage: engine_bench nodes|bare GAMES ENGINE DEPTH [JOBS]\n", stderr);
    return 2;
  }
  const auto games = read_games(args[1]);
  const engine::Limit limit{engine::Limit::Kind::depth, static_cast<std::uint64_t>(std::atoi(args[3].c_str()))};
  if (args[0] == "bare") {
    const int jobs = args.size() > 4 ? std::atoi(args[4].c_str()) : 1;
    fmt::print("{:.3f}\n", bare_seconds(searches_of(games, args[2], limit, jobs), args[2], jobs));
    return 0;
  }
  const auto engine = start(args[2]);
  const auto kept = static_cast<double>(nodes_searched(games, *engine, limit, Clear::game));
  const auto segments = static_cast<double>(nodes_searched(games, *engine, limit, Clear::segment));
  const auto cleared = static_cast<double>(nodes_searched(games, *engine, limit, Clear::position));
  fmt::print(
      "nodes at depth {}, {} games: {:.1f} million with the hash kept; cleared every {} plies {:.3f} of that, "
      "every position {:.3f}\n",
      args[3], games.size(), kept / 1e6, review::segment_length, segments / kept, cleared / kept);
}
