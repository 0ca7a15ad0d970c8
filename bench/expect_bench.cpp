// Expected win rates beside a straightforward run of the same algorithm: every legal move and every node of every tree
// searched by an engine that has forgotten everything, each as often as it occurs.
//
//   build/bench/bench/expect_bench MODELS GAMES ENGINE COUNT [DEPTH [THRESHOLD]]
//
// The positions are those after 30 plies of the first games with at least 50. Both run on as many engines as there are
// cores. Prints searches and seconds of the quick round alone, of the whole, and of the straightforward run, with its
// quick round and without, and how far the answers lie apart.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <thread>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "engine/pool_evaluator.h"
#include "expect/analysis.h"
#include "expect/worth.h"
#include "human/models.h"
#include "pgn/reader.h"

using namespace pm;

namespace {

using Searches = std::vector<engine::Search>;

constexpr std::size_t plies_played = 30;
constexpr std::size_t shortest_game = 50;

std::vector<chess::PositionHistory> read_positions(const char* path, std::size_t count) {
  std::vector<chess::PositionHistory> histories;
  const auto source = pgn::open_source(path);
  if (!source) return histories;
  pgn::GameReader reader(**source);
  while (histories.size() < count) {
    const auto read = reader.next();
    if (!read) break;
    chess::PositionHistory history(read->game.start);
    std::size_t plies = 0;
    for (auto n = read->game.main_move(0); n != pgn::Game::none; n = read->game.main_move(n)) {
      if (plies++ < plies_played) history.play(read->game.node(n).move);
    }
    if (plies >= shortest_game) histories.push_back(history);
  }
  return histories;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Outcome {
  double seconds = 0;
  std::size_t searches = 0;
  double first_tree = 0;  // seconds until one could be shown
  double filtered = 0;    // seconds until all moves were looked at
  expect::Analysis analysis;
};

Outcome run(engine::EnginePool& pool, human::HumanModel& model, const expect::Request& request) {
  engine::PoolEvaluator evaluator(pool, nullptr);
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

// Searches every position by itself, with an engine that has forgotten everything.
std::vector<engine::Evaluation> search_plainly(engine::EnginePool& pool, const Searches& positions) {
  std::vector<engine::Evaluation> evals(positions.size());
  std::latch missing(static_cast<std::ptrdiff_t>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    pool.submit(Searches{positions[i]},
                [&, i](std::size_t, const engine::Evaluation& eval, const std::string&) {
                  evals[i] = eval;
                  missing.count_down();
                },
                {});
  }
  missing.wait();
  return evals;
}

engine::Limit depth_limit(int depth) { return {engine::Limit::Kind::depth, static_cast<std::uint64_t>(depth)}; }

// Seconds of the parts of a straightforward run.
struct Plain {
  double filter = 0;
  double quick = 0;
  double exact = 0;
  std::size_t searches = 0;  // of filter and exact round
  expect::Analysis analysis;
};

// Takes the finished trees, forgets their values, and searches for all of them again.
Plain run_plainly(engine::EnginePool& pool, const expect::Request& request, const expect::Analysis& done) {
  const chess::Colour player = request.history.newest().side_to_move();
  const int depth = request.parameters.depth;
  Searches legal;
  for (const chess::Move move : chess::legal_moves(request.history.newest())) {
    const chess::Position after = request.history.newest().after(move);
    if (chess::count_legal_moves(after) > 0) legal.push_back({{after, {}}, depth_limit(depth)});
  }
  Searches quick;
  Searches exact;
  std::vector<std::pair<std::size_t, std::uint32_t>> places;
  for (std::size_t c = 0; c < done.candidates.size(); ++c) {
    const auto& nodes = done.candidates[c].tree.nodes;
    for (std::uint32_t n = 1; n < nodes.size(); ++n) {
      if (nodes[n].kind == expect::NodeKind::terminal) continue;
      places.emplace_back(c, n);
      quick.push_back(
          {{nodes[n].position, {}}, depth_limit(expect::fast_depth(depth, nodes[n].cumulative_probability))});
      exact.push_back({{nodes[n].position, {}}, depth_limit(depth)});
    }
  }
  Plain plain;
  plain.analysis = done;
  plain.searches = legal.size() + exact.size();
  const double begin = now();
  search_plainly(pool, legal);
  plain.filter = now() - begin;
  search_plainly(pool, quick);
  plain.quick = now() - begin - plain.filter;
  const auto evals = search_plainly(pool, exact);
  plain.exact = now() - begin - plain.filter - plain.quick;
  const expect::WinRate least(std::clamp(done.base->value() + request.parameters.loss, 0.0, 1.0));
  for (std::size_t i = 0; i < places.size(); ++i) {  // parents before children
    if (evals[i].lines.empty()) continue;
    const auto& line = evals[i].lines[0];
    expect::set_win_rate(plain.analysis.candidates[places[i].first].tree, places[i].second,
                         expect::Worth(request.parameters, player)({line.score, line.results}), least);
  }
  for (expect::Candidate& each : plain.analysis.candidates) {
    each.summary = expect::summarise(each.tree, request.parameters.uncovered, *done.base);
  }
  return plain;
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
  const auto histories = read_positions(argv[2], std::strtoul(argv[4], nullptr, 10));
  engine::EngineSetup setup;
  setup.path = argv[3];
  setup.hash_mb = 16;
  setup.lines = 1;
  const auto pool =
      engine::EnginePool::open([&](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); },
                               cores, {16, 1, {}}, nullptr, {});
  if (!model || !pool || histories.empty()) {
    fmt::print(stderr, "expect_bench: model, engine or games are missing\n");
    return 1;
  }
  expect::Parameters parameters;
  parameters.depth = argc > 5 ? std::atoi(argv[5]) : 15;
  parameters.threshold = argc > 6 ? std::atof(argv[6]) : 0.01;
  double ours = 0;
  double plain_exact = 0;  // filter and exact round
  double plain_both = 0;   // and the quick round before it, as the algorithm has it
  double rounds = 0;       // without the filter, which is the same for both
  double quick = 0;
  int same_as_plain = 0;
  int same_as_quick = 0;
  for (const chess::PositionHistory& history : histories) {
    const expect::Request request{history, parameters, {}, {}};
    expect::Request fast = request;
    fast.parameters.effort = expect::Effort::fast;
    const Outcome exact = run(**pool, **model, request);
    const Outcome hasty = run(**pool, **model, fast);
    const Plain plain = run_plainly(**pool, request, exact.analysis);
    ours += exact.seconds;
    plain_exact += plain.filter + plain.exact;
    plain_both += plain.filter + plain.quick + plain.exact;
    rounds += exact.seconds - exact.filtered;
    quick += hasty.seconds - hasty.filtered;
    same_as_plain += best_move(exact.analysis) == best_move(plain.analysis) ? 1 : 0;
    same_as_quick += best_move(exact.analysis) == best_move(hasty.analysis) ? 1 : 0;
    fmt::print(
        "{} candidates, {} nodes, first tree after {:.2f} s: filter {:.1f} s, then exact {:.1f} s ({} searches in all) "
        "or quick {:.1f} s, {:.4f} away; straightforward: filter {:.1f} s, exact {:.1f} s ({} searches), {:.4f} away, "
        "quick {:.1f} s\n",
        exact.analysis.candidates.size(), exact.analysis.nodes, exact.first_tree, exact.filtered,
        exact.seconds - exact.filtered, exact.searches, hasty.seconds - hasty.filtered,
        largest_difference(exact.analysis, hasty.analysis), plain.filter, plain.exact, plain.searches,
        largest_difference(exact.analysis, plain.analysis), plain.quick);
    std::fflush(stdout);
  }
  fmt::print("expect, depth {}, threshold {:g}, {} positions: {:.1f} s\n", parameters.depth, parameters.threshold,
             histories.size(), ours);
  fmt::print(
      "straightforward, both rounds: {:.1f} s, ratio {:.2f}; exact round alone: {:.1f} s, ratio {:.2f}; same best "
      "move {} times\n",
      plain_both, plain_both / ours, plain_exact, plain_exact / ours, same_as_plain);
  fmt::print("without the filter {:.1f} s, quick round {:.1f} s, ratio {:.2f}, same best move {} times\n", rounds,
             quick, rounds / quick, same_as_quick);
  return 0;
}
