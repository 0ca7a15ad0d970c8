// Expected win rates until the ranking is settled, beside the exact ones and beside a straightforward run of the same
// algorithm: every legal move and every node of every tree searched by an engine that has forgotten everything, each as
// often as it occurs.
//
//   build/bench/bench/expect_bench MODELS GAMES ENGINE COUNT
//
// The positions are those after 30 plies of the first games with at least 50. All run on as many engines as there are
// cores, in turns, without a cache but for the exact run, which goes on from what the settled one has evaluated. Prints
// seconds, when the first complete ranking was there, whether the best move is that of the straightforward run, and how
// many intervals of settled runs hold the exact value.
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
  double first_ranking = 0;  // seconds until every candidate had a value
  double filtered = 0;       // seconds until the candidates were chosen
  expect::Analysis analysis;
};

bool is_ranked(const expect::Analysis& so_far) {
  return !so_far.candidates.empty() &&
         std::all_of(so_far.candidates.begin(), so_far.candidates.end(), [](const expect::Candidate& each) {
           return each.summary.pending_mass <= expect::probability_slack;
         });
}

Outcome run(engine::EnginePool& pool, human::HumanModel& model, const expect::Request& request,
            store::Store* store = nullptr) {
  engine::PoolEvaluator evaluator(pool, store);
  Outcome outcome;
  const double begin = now();
  const auto on_progress = [&](const expect::Analysis& so_far) {
    if (outcome.first_ranking == 0 && is_ranked(so_far)) outcome.first_ranking = now() - begin;
    if (outcome.filtered == 0 && so_far.phase == expect::Phase::evaluation) outcome.filtered = now() - begin;
  };
  outcome.analysis = expect::analyse(request, model, evaluator, on_progress, {});
  outcome.seconds = now() - begin;
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

// Takes the finished trees, forgets their values, and searches for all of them again, and for all legal moves.
Outcome run_plainly(engine::EnginePool& pool, const expect::Request& request, const expect::Analysis& done) {
  const chess::Colour player = request.history.newest().side_to_move();
  const engine::Limit limit = depth_limit(request.parameters.depth);
  Searches searches;
  std::vector<std::pair<std::size_t, std::uint32_t>> places;
  for (std::size_t c = 0; c < done.candidates.size(); ++c) {
    const auto& nodes = done.candidates[c].tree.nodes;
    for (std::uint32_t n = 1; n < nodes.size(); ++n) {
      if (nodes[n].kind == expect::NodeKind::terminal) continue;
      places.emplace_back(c, n);
      searches.push_back({{nodes[n].position, {}}, limit});
    }
  }
  for (const chess::Move move : chess::legal_moves(request.history.newest())) {
    const chess::Position after = request.history.newest().after(move);
    if (chess::count_legal_moves(after) > 0) searches.push_back({{after, {}}, limit});
  }
  Outcome plain;
  plain.analysis = done;
  const double begin = now();
  const auto evals = search_plainly(pool, searches);
  plain.seconds = now() - begin;
  const expect::Parameters& p = request.parameters;
  const expect::WinRate least(p.pruning == expect::Pruning::player ? std::clamp(done.base->value() + p.loss, 0.0, 1.0)
                                                                   : 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {  // parents before children
    if (evals[i].lines.empty()) continue;
    const auto& line = evals[i].lines[0];
    expect::set_win_rate(plain.analysis.candidates[places[i].first].tree, places[i].second,
                         expect::Worth(p, player)({line.score, line.results}), least);
  }
  for (expect::Candidate& each : plain.analysis.candidates) {
    each.summary = expect::summarise(each.tree, p.uncovered, *done.base);
  }
  expect::sort_by_rank(plain.analysis.candidates);
  return plain;
}

const expect::Candidate* find(const expect::Analysis& analysis, chess::Move move) {
  const auto found = std::find_if(analysis.candidates.begin(), analysis.candidates.end(),
                                  [&](const expect::Candidate& each) { return each.move == move; });
  return found != analysis.candidates.end() ? &*found : nullptr;
}

// How much less the best move of one is worth by the values of the other.
double behind_best(const expect::Analysis& of, const expect::Analysis& by) {
  if (of.candidates.empty() || by.candidates.empty()) return 0;
  const expect::Candidate* found = find(by, of.candidates.front().move);
  return found == nullptr ? 1 : by.candidates.front().summary.expected - found->summary.expected;
}

struct Held {
  std::size_t inside = 0;
  std::size_t all = 0;
  double widths = 0;
};

// Of the intervals of a settled run, those with the exact value in them.
void count_held(const expect::Analysis& settled, const expect::Analysis& exact, Held& held) {
  for (const expect::Candidate& each : settled.candidates) {
    const expect::Candidate* found = find(exact, each.move);
    if (found == nullptr) continue;
    constexpr double rounding = 1e-9;
    ++held.all;
    held.widths += each.interval.width();
    held.inside += found->summary.expected >= each.interval.low.value() - rounding &&
                           found->summary.expected <= each.interval.high.value() + rounding
                       ? 1
                       : 0;
  }
}

using Positions = std::vector<chess::PositionHistory>;

// Settled, exact and straightforward runs, in turns.
void compare(engine::EnginePool& pool, human::HumanModel& model, const Positions& positions,
             const expect::Parameters& parameters) {
  constexpr double a_point = .01;
  double settled_seconds = 0;
  double plain_seconds = 0;
  double first_rankings = 0;
  double latest_ranking = 0;
  int same_best = 0;
  int good_best = 0;
  Held held;
  for (const chess::PositionHistory& history : positions) {
    const expect::Request request{history, parameters, {}, {}};
    expect::Request whole = request;
    whole.parameters.effort = expect::Effort::exact;
    store::MemoryStore store;
    const Outcome settled = run(pool, model, request, &store);
    const Outcome exact = run(pool, model, whole, &store);
    const Outcome plain = run_plainly(pool, whole, exact.analysis);
    settled_seconds += settled.seconds;
    plain_seconds += plain.seconds;
    first_rankings += settled.first_ranking;
    latest_ranking = std::max(latest_ranking, settled.first_ranking);
    const double behind = behind_best(settled.analysis, plain.analysis);
    same_best += behind == 0 ? 1 : 0;
    good_best += behind <= a_point ? 1 : 0;
    Held here;
    count_held(settled.analysis, exact.analysis, here);
    held.inside += here.inside;
    held.all += here.all;
    held.widths += here.widths;
    fmt::print(
        "{} candidates: ranking after {:.2f} s, settled after {:.1f} s ({} searches, {}), {} of {} intervals hold the "
        "exact value, after {} searches more, {} nodes; straightforward {:.1f} s; best move {:.2f} points "
        "behind\n",
        settled.analysis.candidates.size(), settled.first_ranking, settled.seconds, settled.analysis.evaluations,
        expect::word_of(settled.analysis.stopped), here.inside, here.all, exact.analysis.evaluations,
        exact.analysis.nodes, plain.seconds, 100 * behind);
    std::fflush(stdout);
  }
  const auto n = static_cast<double>(positions.size());
  fmt::print("threshold {:g}%, depth {}, {} positions, seconds each: settled {:.2f}, straightforward {:.2f}\n",
             100 * parameters.threshold, parameters.depth, positions.size(), settled_seconds / n, plain_seconds / n);
  fmt::print(
      "settled takes {:.3f} of the straightforward run; first ranking after {:.2f} s, at the latest "
      "{:.2f} s\n",
      settled_seconds / plain_seconds, first_rankings / n, latest_ranking);
  fmt::print("best move as in the straightforward run {} times, within a point of it {} times\n", same_best, good_best);
  fmt::print("intervals with the exact value: {} of {} ({:.1f}%), {:.2f} points wide on average\n\n", held.inside,
             held.all,
             100.0 * static_cast<double>(held.inside) / static_cast<double>(std::max<std::size_t>(1, held.all)),
             100 * held.widths / static_cast<double>(std::max<std::size_t>(1, held.all)));
}

// Settled runs alone.
void time_settled(engine::EnginePool& pool, human::HumanModel& model, const Positions& positions,
                  const expect::Parameters& parameters) {
  double seconds = 0;
  double longest = 0;
  for (const chess::PositionHistory& history : positions) {
    const Outcome settled = run(pool, model, {history, parameters, {}, {}});
    seconds += settled.seconds;
    longest = std::max(longest, settled.seconds);
    fmt::print("  {:.2f} s, candidates after {:.2f} s: {} of {} moves; {} searches, {} nodes; {}\n", settled.seconds,
               settled.filtered, settled.analysis.candidates.size(), chess::count_legal_moves(history.newest()),
               settled.analysis.evaluations, settled.analysis.nodes, expect::word_of(settled.analysis.stopped));
    std::fflush(stdout);
  }
  fmt::print("threshold {:g}%, depth {}, {} positions: settled after {:.2f} s on average, at the latest {:.2f} s\n",
             100 * parameters.threshold, parameters.depth, positions.size(),
             seconds / static_cast<double>(positions.size()), longest);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: expect_bench MODELS GAMES ENGINE COUNT\n");
    return 2;
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto model = human::open_model({argv[1], cores});
  const Positions positions = read_positions(argv[2], std::strtoul(argv[4], nullptr, 10));
  engine::EngineSetup setup;
  setup.path = argv[3];
  setup.hash_mb = 16;
  setup.lines = 1;
  const auto pool =
      engine::EnginePool::open([&](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); },
                               cores, {16, 1, {}}, nullptr, {});
  if (!model || !pool || positions.empty()) {
    fmt::print(stderr, "expect_bench: model, engine or games are missing\n");
    return 1;
  }
  time_settled(**pool, **model, positions, {});
  expect::Parameters finest;
  finest.threshold = .001;
  finest.depth = 12;
  time_settled(**pool, **model, positions, finest);
  expect::Parameters fine;
  fine.threshold = .01;
  compare(**pool, **model, positions, fine);
  return 0;
}
