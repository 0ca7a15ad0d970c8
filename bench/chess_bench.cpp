// The small costs everything else is made of, one thread. bench/run compares the large ones with other programs.
#include <benchmark/benchmark.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

using namespace pm::chess;

namespace {

constexpr const char* kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

void generate_moves(benchmark::State& state) {
  const Position position = parse_fen(kiwipete).value();
  for (auto _ : state) benchmark::DoNotOptimize(legal_moves(position));
}
BENCHMARK(generate_moves);

void count_moves(benchmark::State& state) {
  const Position position = parse_fen(kiwipete).value();
  for (auto _ : state) benchmark::DoNotOptimize(count_legal_moves(position));
}
BENCHMARK(count_moves);

void play_a_move(benchmark::State& state) {
  const Position position = parse_fen(kiwipete).value();
  const Move m = *parse_san(position, "Nxd7");
  for (auto _ : state) benchmark::DoNotOptimize(position.after(m));
}
BENCHMARK(play_a_move);

void read_san(benchmark::State& state) {
  const Position position = parse_fen(kiwipete).value();
  for (auto _ : state) benchmark::DoNotOptimize(resolve_san(position, "Qxf6"));
}
BENCHMARK(read_san);

void write_san(benchmark::State& state) {
  const Position position = parse_fen(kiwipete).value();
  const Move m = *parse_san(position, "Qxf6");
  for (auto _ : state) benchmark::DoNotOptimize(format_san(position, m));
}
BENCHMARK(write_san);

void read_fen(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_fen(kiwipete));
}
BENCHMARK(read_fen);

}  // namespace
