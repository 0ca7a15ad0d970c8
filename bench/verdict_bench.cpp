// What judging costs, one thread: all four schemes with their reasons, on real moves with engine lines. The moves come
// from the file named by POSTMORTEM_BENCH_LINES, in the format of `verdicts` (bench/run prepares it).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "book/openings.h"
#include "review/game_review.h"
#include "review/verdicts_input.h"

namespace {

std::vector<pm::review::GivenMove> given_moves() {
  std::vector<pm::review::GivenMove> moves;
  const char* path = std::getenv("POSTMORTEM_BENCH_LINES");
  if (path == nullptr) return moves;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto given = pm::review::parse_given(text);
  for (std::size_t i = 0; given && i < given->size(); ++i) {
    if (auto move = given->move(i)) moves.push_back(std::move(*move));
  }
  return moves;
}

// One iteration is one move.
void judge_a_move(benchmark::State& state) {
  const auto moves = given_moves();
  if (moves.empty()) {
    state.SkipWithError("POSTMORTEM_BENCH_LINES names no file with moves");
    return;
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pm::review::judge(moves[next], {}));
    next = next + 1 == moves.size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(judge_a_move);

void find_an_opening(benchmark::State& state) {
  const auto moves = given_moves();
  if (moves.empty()) {
    state.SkipWithError("POSTMORTEM_BENCH_LINES names no file with moves");
    return;
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pm::book::find_opening(moves[next].after));
    next = next + 1 == moves.size() ? 0 : next + 1;
  }
}
BENCHMARK(find_an_opening);

}  // namespace
