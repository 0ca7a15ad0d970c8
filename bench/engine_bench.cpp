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
#include "review/run.h"

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
    for (const review::Segment& segment : review::plan_game(game, limit)) {
      if (clear == Clear::segment) forget(engine);
      for (const std::size_t plies : segment.plies) {
        if (clear == Clear::position) forget(engine);
        const auto moves = std::span(segment.moves).first(plies);
        const auto e = engine.evaluate({segment.start, moves, limit}, {}).value();
        std::uint64_t most = 0;
        for (const auto& line : e.lines) most = std::max(most, line.nodes);
        nodes += most;
      }
    }
  }
  return nodes;
}

// All segments, then the pairs of close calls, handed out in order to so many engines.
double bare_seconds(const std::vector<pgn::Game>& games, const std::string& path, const engine::Limit& limit,
                    int jobs) {
  struct Work {
    const pgn::Game* game;
    review::Segment segment;
    std::vector<review::PositionEval> evals;
  };
  const auto run = [&](std::vector<Work>& all) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) {
      threads.emplace_back([&] {
        const auto engine = start(path);
        for (std::size_t at = next++; at < all.size(); at = next++) {
          forget(*engine);
          for (const std::size_t plies : all[at].segment.plies) {
            const auto moves = std::span(all[at].segment.moves).first(plies);
            auto e = engine->evaluate({all[at].segment.start, moves, all[at].segment.limit}, {}).value();
            all[at].evals.push_back({std::move(e.lines), e.shallow, false});
          }
        }
      });
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Work> all;
  for (const pgn::Game& game : games) {
    for (auto& segment : review::plan_game(game, limit)) all.push_back({&game, std::move(segment), {}});
  }
  run(all);
  std::vector<Work> pairs;
  for (const pgn::Game& game : games) {
    std::size_t positions = 1;
    for (auto n = game.main_move(0); n != pgn::Game::none; n = game.main_move(n)) ++positions;
    review::GameEvals evals(positions);
    for (const Work& work : all) {
      if (work.game != &game) continue;
      for (std::size_t i = 0; i < work.evals.size(); ++i) evals[work.segment.wanted[i]] = work.evals[i];
    }
    const auto review = review::assemble(game, evals, {});
    for (std::size_t ply = 0; ply < review.plies.size(); ++ply) {
      const auto& verdicts = review.plies[ply].verdicts;
      if (!verdicts || verdicts->points.confidence == verdict::Confidence::firm) continue;
      for (auto& segment : review::plan_pair(game, ply, review::deeper(limit))) {
        pairs.push_back({&game, std::move(segment), {}});
      }
    }
  }
  run(pairs);
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
    fmt::print("{:.3f}\n", bare_seconds(games, args[2], limit, args.size() > 4 ? std::atoi(args[4].c_str()) : 1));
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
