// How well positions of real games are foretold (bench/outcomes starts it): what forecast_gather found, held against
// what happened.
//
//   build/bench/bench/outcomes_bench fit RESULTS             the weights of the map `people` (src/expect/worth.cpp)
//   build/bench/bench/outcomes_bench results RESULTS [SVG]   the game's result: log-loss in nats
//   build/bench/bench/outcomes_bench ahead GAMES [SVG]       the evaluation k plies later: mean square error
//
// Each figure has its standard error, and so has each difference to the engine's own forecast. `fit` learns from the
// first two thirds of the file and says how well it does on the rest, which the map has never seen.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "expect/tree.h"
#include "expect/worth.h"
#include "solved.h"
#include "tools/plot.h"
#include "verdict/phase.h"

namespace pm {
namespace {

using expect::Pruning;
using expect::WinRateMap;
using nlohmann::json;

constexpr double learnt_part = 2.0 / 3;
constexpr double elo_slope = 0.0057565;     // ln(10) / 400: of a rating difference in the formula of Elo
constexpr double least_probability = 1e-3;  // so that one upset does not decide everything
constexpr double loss = -.1;                // as by default: what the player would not play

// A position after somebody's move; win rates are that player's.
struct Case {
  int rating;
  int opponent_rating;
  verdict::Phase phase;
  double base;                  // of the best move, by the logistic map
  expect::Tree tree;            // by the logistic map, nothing pruned
  std::optional<double> model;  // the human model's own forecast
  std::optional<double> score;
  std::vector<double> ahead;

  double engine() const { return tree.candidate().win_rate->value(); }
  int mean_rating() const { return (rating + opponent_rating) / 2; }
};

expect::Tree tree_of(const json& nodes) {
  expect::Tree tree;
  for (const json& each : nodes) {
    expect::Node node;
    node.parent = each[0];
    node.ply = each[1];
    node.probability = each[2];
    node.cumulative_probability = each[3];
    node.win_rate = score::WinRate(each[4]);
    node.kind = static_cast<expect::NodeKind>(each[5].get<int>());
    const auto at = static_cast<std::uint32_t>(tree.nodes.size());
    if (at > 0) {
      expect::Node& parent = tree.nodes[node.parent];
      if (parent.child_count++ == 0) parent.first_child = at;
    }
    tree.nodes.push_back(node);
  }
  return tree;
}

std::vector<Case> read_cases(const char* path) {
  std::vector<Case> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const json each = json::parse(line);
    cases.push_back({each["rating"],
                     each["opponent_rating"],
                     static_cast<verdict::Phase>(each["phase"].get<int>()),
                     each["base"],
                     tree_of(each["nodes"]),
                     {},
                     {},
                     {}});
    if (each.contains("model")) cases.back().model = each["model"];
    if (each.contains("score")) cases.back().score = each["score"];
    if (each.contains("ahead")) cases.back().ahead = each["ahead"].get<std::vector<double>>();
  }
  return cases;
}

double log_odds(double p) {
  const double q = std::clamp(p, 1e-6, 1 - 1e-6);
  return std::log(q / (1 - q));
}

// Of a win rate by the logistic map, another one.
score::WinRate by_map(double logistic, WinRateMap map, const Case& of) {
  if (map == WinRateMap::logistic || logistic <= 0 || logistic >= 1) return score::WinRate(logistic);
  const auto centipawns = static_cast<int>(std::lround(log_odds(logistic) / score::lichess_slope.per_centipawn));
  return expect::Worth(map, chess::Colour::white,
                       of.rating - of.opponent_rating)({score::WhiteScore(score::Centipawns{centipawns}), {}});
}

// The expected win rate of the move that was made.
double expected(const Case& of, WinRateMap map, Pruning pruning) {
  expect::Tree tree = of.tree;
  for (expect::Node& node : tree.nodes) {
    if (node.kind != expect::NodeKind::terminal) node.win_rate = by_map(node.win_rate->value(), map, of);
  }
  const score::WinRate base = by_map(of.base, map, of);
  const double least = pruning == Pruning::player ? base.value() + loss : 0;
  expect::decide_again(tree, score::WinRate(std::clamp(least, 0.0, 1.0)));
  return expect::summarise(tree, expect::Uncovered::local, base).expected;
}

struct Mean {
  double value = 0;
  double error = 0;
};
Mean mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Mean mean;
  mean.value = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double each : values) squares += (each - mean.value) * (each - mean.value);
  mean.error = std::sqrt(squares / (n * std::max(1.0, n - 1)));
  return mean;
}

struct Forecast {
  const char* name;
  std::function<double(const Case&)> probability;
};

std::vector<Forecast> forecasts() {
  const auto expected_by = [](WinRateMap map, Pruning pruning) {
    return [=](const Case& of) { return expected(of, map, pruning); };
  };
  return {
      {"engine, logistic", [](const Case& of) { return of.engine(); }},
      {"engine, people", [](const Case& of) { return by_map(of.engine(), WinRateMap::people, of).value(); }},
      {"human model", [](const Case& of) { return of.model.value_or(of.engine()); }},
      {"Elo's formula",
       [](const Case& of) { return 1 / (1 + std::exp(-elo_slope * (of.rating - of.opponent_rating))); }},
      {"expected, logistic, player", expected_by(WinRateMap::logistic, Pruning::player)},
      {"expected, logistic, none", expected_by(WinRateMap::logistic, Pruning::none)},
      {"expected, people, player", expected_by(WinRateMap::people, Pruning::player)},
      {"expected, people, none", expected_by(WinRateMap::people, Pruning::none)},
  };
}

double log_loss(double probability, double score) {
  const double p = std::clamp(probability, least_probability, 1 - least_probability);
  return -(score * std::log(p) + (1 - score) * std::log(1 - p));
}

using Wanted = std::function<bool(const Case&)>;

void report_losses(const std::string& what, const std::vector<Forecast>& all, std::span<const Case> cases,
                   const Wanted& wanted) {
  std::vector<const Case*> some;
  for (const Case& each : cases) {
    if (wanted(each)) some.push_back(&each);
  }
  if (some.size() < 2) return;
  fmt::print("\n{}, {} positions\n\n| forecast | log-loss | better than the engine by |\n|---|---|---|\n", what,
             some.size());
  for (const Forecast& forecast : all) {
    std::vector<double> losses;
    std::vector<double> gains;
    for (const Case* each : some) {
      losses.push_back(log_loss(forecast.probability(*each), *each->score));
      gains.push_back(log_loss(all.front().probability(*each), *each->score) - losses.back());
    }
    const Mean of_losses = mean_of(losses);
    const Mean of_gains = mean_of(gains);
    fmt::print("| {} | {:.4f} +- {:.4f} | {:+.4f} +- {:.4f} |\n", forecast.name, of_losses.value, of_losses.error,
               of_gains.value, of_gains.error);
  }
}

tools::Series report_calibration(const Forecast& forecast, std::span<const Case> cases) {
  struct Tenth {
    double said = 0;
    std::vector<double> scored;
  };
  std::array<Tenth, 10> tenths;
  for (const Case& each : cases) {
    const double p = forecast.probability(each);
    Tenth& tenth = tenths[std::min<std::size_t>(9, static_cast<std::size_t>(p * 10))];
    tenth.said += p;
    tenth.scored.push_back(*each.score);
  }
  tools::Series series{forecast.name, {}};
  fmt::print("\n{}\n\n| said | scored | positions |\n|---|---|---|\n", forecast.name);
  for (const Tenth& each : tenths) {
    if (each.scored.size() < 2) continue;
    const Mean scored = mean_of(each.scored);
    const double said = each.said / static_cast<double>(each.scored.size());
    fmt::print("| {:.1f}% | {:.1f}% +- {:.1f} | {} |\n", 100 * said, 100 * scored.value, 100 * scored.error,
               each.scored.size());
    series.points.emplace_back(100 * said, 100 * scored.value);
  }
  return series;
}

const std::array<std::tuple<const char*, int, int>, 3> bands{
    {{"Mean rating below 1400", 0, 1400}, {"1400 to 1699", 1400, 1700}, {"1700 and more", 1700, 9999}}};
constexpr std::array phases{verdict::Phase::opening, verdict::Phase::middlegame, verdict::Phase::endgame};

template <class Report>
void by_band_and_phase(const Report& report) {
  report("All", [](const Case&) { return true; });
  for (const auto& [name, low, high] : bands) {
    report(name,
           [low = low, high = high](const Case& of) { return of.mean_rating() >= low && of.mean_rating() < high; });
  }
  for (const verdict::Phase phase : phases) {
    report(std::string(verdict::phase_names[static_cast<std::size_t>(phase)]),
           [phase](const Case& of) { return of.phase == phase; });
  }
}

int report_results(const char* path, const char* svg) {
  const std::vector<Case> cases = read_cases(path);
  const std::vector<Forecast> all = forecasts();
  by_band_and_phase([&](const std::string& what, const Wanted& wanted) { report_losses(what, all, cases, wanted); });
  std::vector<tools::Series> lines{{"as said", {{0, 0}, {100, 100}}}};
  for (const std::size_t i : {std::size_t{0}, all.size() - 1}) lines.push_back(report_calibration(all[i], cases));
  if (svg != nullptr) {
    std::ofstream(svg) << tools::draw_plot("Results of games, by what was said", "said, percent", "scored, percent",
                                           lines);
  }
  return 0;
}

// Log-odds of the engine and the lead in rating, weighed by Newton's steps; a draw is half a win.
int fit(const char* path) {
  const std::vector<Case> cases = read_cases(path);
  const auto learnt = static_cast<std::size_t>(learnt_part * static_cast<double>(cases.size()));
  const auto inputs = [](const Case& of) {
    return std::array{std::clamp(log_odds(of.engine()) / score::lichess_slope.per_centipawn, -1500.0, 1500.0),
                      static_cast<double>(of.rating - of.opponent_rating)};
  };
  std::array<double, 2> weights{};
  const auto probability = [&](const Case& of) {
    const auto x = inputs(of);
    return 1 / (1 + std::exp(-(weights[0] * x[0] + weights[1] * x[1])));
  };
  for (int step = 0; step < 30; ++step) {
    std::vector<std::vector<double>> m(2, std::vector<double>(3));
    for (std::size_t c = 0; c < learnt; ++c) {
      const auto x = inputs(cases[c]);
      const double p = probability(cases[c]);
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 2; ++k) m[i][k] += p * (1 - p) * x[i] * x[k];
        m[i][2] += (*cases[c].score - p) * x[i];
      }
    }
    const std::vector<double> change = bench::solved(std::move(m));
    for (std::size_t i = 0; i < 2; ++i) weights[i] += change[i];
  }
  fmt::print("people, from {} positions: {:.5f} per centipawn, {:.5f} per rating point\n", learnt, weights[0],
             weights[1]);
  const std::vector<Forecast> all{
      {"engine, logistic", [](const Case& of) { return of.engine(); }},
      {"people as fitted now", probability},
      {"people as in the program", [](const Case& of) { return by_map(of.engine(), WinRateMap::people, of).value(); }},
      {"human model", [](const Case& of) { return of.model.value_or(of.engine()); }}};
  const auto held = std::span<const Case>(cases).subspan(learnt);
  by_band_and_phase([&](const std::string& what, const Wanted& wanted) { report_losses(what, all, held, wanted); });
  report_calibration(all[1], held);
  return 0;
}

// The errors of engine, `player` and `none`, by how many plies later.
using Ahead = std::array<tools::Series, 3>;

Ahead report_ahead(const std::string& what, std::span<const Case> cases, const Wanted& wanted) {
  Ahead series{{{"engine", {}}, {"expected, player", {}}, {"expected, none", {}}}};
  std::vector<const Case*> some;
  for (const Case& each : cases) {
    if (wanted(each)) some.push_back(&each);
  }
  if (some.size() < 2) return series;
  fmt::print(
      "\n{}, {} positions\n\n| plies later | engine | expected, player | less by | expected, none | less by |\n"
      "|---|---|---|---|---|---|\n",
      what, some.size());
  std::array<double, 3> middle{};  // summed over 3 to 6
  for (std::size_t k = 1; k < some.front()->ahead.size(); ++k) {
    std::array<std::vector<double>, 3> errors;
    std::array<std::vector<double>, 3> gains;
    for (const Case* each : some) {
      const std::array said{each->engine(), expected(*each, WinRateMap::logistic, Pruning::player),
                            expected(*each, WinRateMap::logistic, Pruning::none)};
      for (std::size_t f = 0; f < said.size(); ++f) {
        errors[f].push_back((said[f] - each->ahead[k]) * (said[f] - each->ahead[k]));
        gains[f].push_back(errors[0].back() - errors[f].back());
      }
    }
    const double engine = mean_of(errors[0]).value;
    fmt::print("| {} | {:.4f} |", k, engine);
    for (std::size_t f = 0; f < errors.size(); ++f) {
      const double error = mean_of(errors[f]).value;
      series[f].points.emplace_back(k, error);
      if (k >= 3 && k <= 6) middle[f] += error;
      if (f == 0) continue;
      const Mean gain = mean_of(gains[f]);
      fmt::print(" {:.4f} | {:.1f}% +- {:.1f} |", error, 100 * gain.value / engine, 100 * gain.error / engine);
    }
    fmt::print("\n");
  }
  fmt::print("\n3 to 6 plies later: less by {:.1f}% (player), {:.1f}% (none)\n", 100 * (1 - middle[1] / middle[0]),
             100 * (1 - middle[2] / middle[0]));
  return series;
}

int report_ahead(const char* path, const char* svg) {
  const std::vector<Case> cases = read_cases(path);
  Ahead all;
  bool is_first = true;
  by_band_and_phase([&](const std::string& what, const Wanted& wanted) {
    Ahead series = report_ahead(what, cases, wanted);
    if (std::exchange(is_first, false)) all = std::move(series);
  });
  if (svg != nullptr) {
    std::ofstream(svg) << tools::draw_plot("The evaluation some plies later, by what was said", "plies later",
                                           "mean square error", {all.begin(), all.end()});
  }
  return 0;
}

}  // namespace
}  // namespace pm

int main(int argc, char** argv) {
  const std::string_view what = argc > 2 ? argv[1] : "";
  if (what == "fit") return pm::fit(argv[2]);
  if (what == "results") return pm::report_results(argv[2], argc > 3 ? argv[3] : nullptr);
  if (what == "ahead") return pm::report_ahead(argv[2], argc > 3 ? argv[3] : nullptr);
  fmt::print(stderr, "usage: outcomes_bench fit|results|ahead FILE [SVG]\n");
  return 2;
}
