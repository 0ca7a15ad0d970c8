// Maia-3 on our kernels, beside ONNX Runtime doing the same work in the same run (bench/maia3 starts both).
//
//   build/bench/bench/maia3_bench GRAPH.onnx
//
// Reads lines "BATCH THREADS" and answers each with positions a second over a second, for each kind of kernels that
// runs here, the best last: "AVX-512 203.1". The caller takes turns with its peer, so that both have the same luck with
// the machine.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "nn/onnx_file.h"
#include "nn/transformer.h"

namespace pm::nn {
namespace {

struct Asked {
  Maia3Squares squares;
  std::vector<Maia3Move> moves;
};

std::vector<Asked> positions(std::size_t count, std::size_t boards) {
  std::mt19937 random(1);
  std::vector<Asked> all;
  chess::PositionHistory history(chess::Position::start());
  while (all.size() < count) {
    const chess::MoveList moves = chess::legal_moves(history.newest());
    if (moves.empty() || history.newest().move_number() > 40) {
      history = chess::PositionHistory(chess::Position::start());
      continue;
    }
    Asked asked{encode_maia3(history, boards), {}};
    for (const chess::Move m : moves) asked.moves.push_back(maia3_move(m, history.newest().side_to_move()));
    all.push_back(std::move(asked));
    history.play(moves[random() % moves.size()]);
  }
  return all;
}

double speed(const Maia3Network& network, const std::vector<Maia3Input>& inputs, std::size_t batch,
             std::size_t threads) {
  using Clock = std::chrono::steady_clock;
  std::vector<NetworkOutput> outputs(batch);
  const auto part = [&](std::size_t begin, std::size_t end) {
    network.run(std::span(inputs).subspan(begin, end - begin), true, std::span(outputs).subspan(begin, end - begin));
  };
  const auto begin = Clock::now();
  std::chrono::duration<double> taken{};
  std::size_t done = 0;
  while (taken.count() < 1) {
    {
      std::vector<std::jthread> others;
      for (std::size_t t = 1; t < threads; ++t) {
        others.emplace_back([&, t] { part(batch * t / threads, batch * (t + 1) / threads); });
      }
      part(0, batch / threads);
    }
    done += batch;
    taken = Clock::now() - begin;
  }
  return static_cast<double>(done) / taken.count();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int answer(const std::string& path) {
  const std::string graph = bytes_of(path);
  const auto beside = external_file(graph);
  const std::string data =
      beside ? bytes_of((std::filesystem::path(path).parent_path() / *beside).string()) : std::string();
  const auto weights = parse_maia3(graph, data);
  if (!weights) {
    fmt::print(stderr, "{}: {}\n", path, weights.error().sentence);
    return 1;
  }
  constexpr std::size_t most = 64;
  const auto all = positions(most, weights->boards);
  std::vector<Maia3Input> inputs;
  inputs.reserve(all.size());
  for (const Asked& asked : all) inputs.push_back({&asked.squares, 1500, 1500, asked.moves});
  std::size_t batch = 0;
  std::size_t threads = 0;
  while (std::cin >> batch >> threads) {
    if (batch == 0 || batch > most || threads == 0) return 2;
    for (const Kernels* kernels : usable_kernels()) {
      fmt::print("{} {:.1f}\n", kernels->name, speed(Maia3Network(*weights, *kernels), inputs, batch, threads));
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace pm::nn

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: maia3_bench GRAPH.onnx\n");
    return 2;
  }
  return pm::nn::answer(argv[1]);
}
