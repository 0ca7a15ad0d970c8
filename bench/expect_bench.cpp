// Expected win rates beside a straightforward run of the same algorithm: every legal move and every node of every tree
// searched by an engine that has forgotten everything, each as often as it occurs.
//
//   build/bench/bench/expect_bench MODELS GAMES ENGINE COUNT [DEPTH [THRESHOLD]]
//
// The positions are those after 30 plies of the first games with at least 50. Both run on as many engines as there are
// cores. Prints searches and seconds of the quick round alone, of the whole, and of the straightforward run, and how
// far the answers lie apart.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "expect/analysis.h"
#include "human/models.h"
#include "pgn/reader.h"
#include "review/engine_evaluator.h"

using namespace pm;

namespace {

using Singles = std::vector<review::EnginePool::Single>;

constexpr std::size_t plies_played = 30;
constexpr std::size_t shortest_game = 50;

std::vector<human::Trail> read_positions(const char* path, std::size_t count) {
  std::vector<human::Trail> trails;
  const auto source = pgn::open_source(path);
  if (!source) return trails;
  pgn::GameReader reader(**source);
  while (trails.size() < count) {
    const auto read = reader.next();
    if (!read) break;
    human::Trail trail(read->game.start);
    std::size_t plies = 0;
    for (auto n = read->game.main_move(0); n != pgn::Game::none; n = read->game.main_move(n)) {
      if (plies++ < plies_played) trail.play(read->game.node(n).move);
    }
    if (plies >= shortest_game) trails.push_back(trail);
  }
  return trails;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Outcome {
  double seconds = 0;
  std::size_t searches = 0;
  double first_tree = 0;  // seconds until one could be shown
  double filtered = 0;    // seconds until all moves were looked at
  expect::Analysis analysis;
};

Outcome run(review::EnginePool& pool, human::HumanModel& model, const expect::Request& request) {
  review::EngineEvaluator evaluator(pool, nullptr, {});
  Outcome outcome;
  const double begin = now();
  outcome.analysis =
      expect::analyse(request, model, evaluator,
                      [&](const expect::Analysis& so_far) {
                        const bool tree = !so_far.candidates.empty() && so_far.candidates.front().tree.nodes.size() > 1;
                        if (tree && outcome.first_tree == 0) outcome.first_tree = now() - begin;
                        if (so_far.phase == expect::Phase::trees && outcome.filtered == 0)
                          outcome.filtered = now() - begin;
                      },
                      {});
  outcome.seconds = now() - begin;
  outcome.searches = outcome.analysis.evaluations;
  return outcome;
}

// Takes the finished trees, forgets their values, and searches for all of them again.
Outcome run_plainly(review::EnginePool& pool, const expect::Request& request, const expect::Analysis& done) {
  const chess::Colour player = request.trail.newest().side_to_move();
  const engine::Limit limit{engine::Limit::Kind::depth, static_cast<std::uint64_t>(request.parameters.depth)};
  Outcome outcome{0, 0, 0, 0, done};
  const double begin = now();
  struct Asked {
    std::size_t candidate;
    std::uint32_t node;
    std::future<review::SegmentResult> result;
  };
  std::vector<Asked> asked;
  for (const chess::Move move : chess::legal_moves(request.trail.newest())) {  // the filter
    const chess::Position after = request.trail.newest().after(move);
    if (chess::count_legal_moves(after) == 0) continue;
    asked.push_back({done.candidates.size(), 0, pool.submit(Singles{{after, limit}})});
  }
  for (std::size_t c = 0; c < done.candidates.size(); ++c) {
    const auto& nodes = done.candidates[c].tree.nodes;
    for (std::uint32_t n = 1; n < nodes.size(); ++n) {
      if (nodes[n].kind == expect::NodeKind::terminal) continue;
      asked.push_back({c, n, pool.submit(Singles{{nodes[n].position, limit}})});
    }
  }
  outcome.searches = asked.size();
  const expect::WinRate least(std::clamp(done.base->value() + request.parameters.loss, 0.0, 1.0));
  for (Asked& each : asked) {  // in the order of the nodes: parents before children
    const auto result = each.result.get();
    if (each.candidate == done.candidates.size() || result.evals[0].lines.empty()) continue;
    const auto& line = result.evals[0].lines[0];
    expect::set_win_rate(outcome.analysis.candidates[each.candidate].tree, each.node,
                         expect::win_rate({line.score, line.results}, player, request.parameters.map), least);
  }
  for (expect::Candidate& each : outcome.analysis.candidates) {
    each.summary = expect::summarise(each.tree, request.parameters.uncovered, *done.base);
  }
  outcome.seconds = now() - begin;
  return outcome;
}

std::string best_move(const expect::Analysis& analysis) {
  const expect::Candidate* best = nullptr;
  for (const expect::Candidate& each : analysis.candidates) {
    if (best == nullptr || each.summary.expected > best->summary.expected) best = &each;
  }
  return best != nullptr ? best->san : "";
}

double largest_difference(const expect::Analysis& a, const expect::Analysis& b) {
  double most = 0;
  for (const expect::Candidate& x : a.candidates) {
    for (const expect::Candidate& y : b.candidates) {
      if (x.move == y.move) most = std::max(most, std::abs(x.summary.expected - y.summary.expected));
    }
  }
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: expect_bench MODELS GAMES ENGINE COUNT [DEPTH [THRESHOLD]]\n");
    return 2;
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto model = human::open_model({argv[1], cores});
  const auto trails = read_positions(argv[2], std::strtoul(argv[4], nullptr, 10));
  engine::EngineSetup setup;
  setup.path = argv[3];
  setup.hash_mb = 16;
  setup.lines = 1;
  const auto pool = review::EnginePool::open(
      [&](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); }, cores, "bench", nullptr, {});
  if (!model || !pool || trails.empty()) {
    fmt::print(stderr, "expect_bench: model, engine or games are missing\n");
    return 1;
  }
  expect::Parameters parameters;
  parameters.depth = argc > 5 ? std::atoi(argv[5]) : 15;
  parameters.threshold = argc > 6 ? std::atof(argv[6]) : 0.01;
  double ours = 0;
  double plainly = 0;
  double rounds = 0;  // without the filter, which is the same for both
  double quick = 0;
  int same_as_plain = 0;
  int same_as_quick = 0;
  for (const human::Trail& trail : trails) {
    const expect::Request request{trail, parameters, {}, {}};
    expect::Request fast = request;
    fast.parameters.effort = expect::Effort::fast;
    const Outcome exact = run(**pool, **model, request);
    const Outcome hasty = run(**pool, **model, fast);
    const Outcome plain = run_plainly(**pool, request, exact.analysis);
    ours += exact.seconds;
    plainly += plain.seconds;
    rounds += exact.seconds - exact.filtered;
    quick += hasty.seconds - hasty.filtered;
    same_as_plain += best_move(exact.analysis) == best_move(plain.analysis) ? 1 : 0;
    same_as_quick += best_move(exact.analysis) == best_move(hasty.analysis) ? 1 : 0;
    fmt::print(
        "{} candidates, {} nodes, first tree after {:.2f} s, filter {:.1f} s: exact {} searches {:.1f} s; quick {} "
        "searches "
        "{:.1f} s, {:.4f} away; plain {} searches {:.1f} s, {:.4f} away\n",
        exact.analysis.candidates.size(), exact.analysis.nodes, exact.first_tree, exact.filtered, exact.searches,
        exact.seconds, hasty.searches, hasty.seconds, largest_difference(exact.analysis, hasty.analysis),
        plain.searches, plain.seconds, largest_difference(exact.analysis, plain.analysis));
    std::fflush(stdout);
  }
  fmt::print(
      "expect, depth {}, threshold {:g}, {} positions: {:.1f} s; straightforward {:.1f} s, ratio {:.2f}, same best "
      "move {} "
      "times; without the filter {:.1f} s, quick round {:.1f} s, ratio {:.2f}, same best move {} times\n",
      parameters.depth, parameters.threshold, trails.size(), ours, plainly, plainly / ours, same_as_plain, rounds,
      quick, rounds / quick, same_as_quick);
  return 0;
}
