// How well the results of real games are foretold from a position, by several forecasts (bench/outcomes starts it).
//
//   build/bench/bench/outcomes_bench OUTCOMES.ndjson.gz ENGINE DEPTH MODEL...
//
// Each line of the file is a position of a game between people: the moves to it, both ratings, White's score at the
// end. Forecasts are logistic in one or a few inputs; their weights are fitted on the first two thirds of the positions
// and held against the rest. Log-loss in nats, with standard errors, and of the differences to the engine's alone too.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chess/position_history.h"
#include "chess/uci.h"
#include "engine/engine_pool.h"
#include "engine/pool_evaluator.h"
#include "human/models.h"
#include "pgn/source.h"
#include "service/engines.h"
#include "solved.h"
#include "verdict/phase.h"

namespace pm {
namespace {

constexpr double learnt_part = 2.0 / 3;
constexpr double most_centipawns = 1500;  // further out nothing changes
constexpr double elo_slope = 0.0057565;   // ln(10) / 400: of a rating difference in the formula of Elo

struct Outcome {
  chess::PositionHistory history;
  int white_rating;
  int black_rating;
  double score;  // White's: 0, 1/2, 1
  verdict::Phase phase;
  double engine = 0;           // log-odds of White by the engine's score, by Lichess's slope
  std::vector<double> models;  // log-odds of White by each model's win, draw and loss

  double ratings() const { return elo_slope * (white_rating - black_rating); }
  int mean_rating() const { return (white_rating + black_rating) / 2; }
};

double log_odds(double p) {
  constexpr double least = 1e-4;
  const double q = std::clamp(p, least, 1 - least);
  return std::log(q / (1 - q));
}

Expected<std::string> read_all(pgn::ByteSource& source) {
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const auto n = source.read(piece);
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) return text;
    text.append(piece.data(), *n);
  }
}

Expected<std::vector<Outcome>> read_outcomes(const std::string& path) {
  const auto source = pgn::open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  const auto text = read_all(**source);
  if (!text) return tl::make_unexpected(text.error());
  std::vector<Outcome> outcomes;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    Outcome outcome{chess::PositionHistory(chess::Position::start()),
                    json["white_elo"],
                    json["black_elo"],
                    json["white_score"],
                    verdict::Phase::opening,
                    0,
                    {}};
    std::istringstream moves(json["moves"].get<std::string>());
    for (std::string word; moves >> word;) {
      const auto move = chess::parse_uci(outcome.history.newest(), word);
      if (!move) return tl::make_unexpected(move.error());
      outcome.phase = verdict::phase_of(outcome.history.newest(), outcome.phase);
      outcome.history.play(*move);
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

Expected<void> ask_engine(std::vector<Outcome>& outcomes, const std::string& path, int depth) {
  service::EngineChoice choice;
  choice.path = path;
  choice.use_cache = false;
  const auto engines =
      service::open_engines(choice, service::Pools::one_line, [](const std::string&) {}, std::stop_token());
  if (!engines) return tl::make_unexpected(engines.error());
  engine::PoolEvaluator evaluator(*engines->single_pool, nullptr);
  std::vector<engine::Question> questions;
  questions.reserve(outcomes.size());
  for (const Outcome& each : outcomes) questions.push_back({each.history.newest(), depth});
  std::size_t done = 0;
  engine::evaluate_all(evaluator, questions,
                       [&](std::size_t i, const engine::Answer& answer) {
                         if (++done % 100 == 0) fmt::print(stderr, "\rengine: {} of {}   ", done, questions.size());
                         if (!answer.valuation) return;
                         const score::MoverScore score = answer.valuation->score.seen_by(chess::Colour::white);
                         const score::Centipawns* centipawns = score.centipawns();
                         const double cp = centipawns != nullptr     ? centipawns->value
                                           : score.is_winning_mate() ? most_centipawns
                                                                     : -most_centipawns;
                         outcomes[i].engine =
                             score::lichess_slope.per_centipawn * std::clamp(cp, -most_centipawns, most_centipawns);
                       },
                       {});
  fmt::print(stderr, "\r");
  return {};
}

Expected<std::string> ask_model(std::vector<Outcome>& outcomes, const std::string& where) {
  const auto model = human::open_model({where, service::processors()});
  if (!model) return tl::make_unexpected(model.error());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const bool white = outcomes[i].history.newest().side_to_move() == chess::Colour::white;
    const int own = (*model)->nearest_rating(white ? outcomes[i].white_rating : outcomes[i].black_rating);
    const int other = (*model)->nearest_rating(white ? outcomes[i].black_rating : outcomes[i].white_rating);
    const human::Query query{outcomes[i].history, own, other};
    const auto predictions = (*model)->predict({&query, 1}, human::Want::moves_and_result);
    if (!predictions) return tl::make_unexpected(predictions.error());
    const human::ResultProbabilities& result = predictions->front().result;
    const double mover = result.win + result.draw / 2;
    outcomes[i].models.push_back(log_odds(white ? mover : 1 - mover));
    if (i % 100 == 0) fmt::print(stderr, "\r{}: {} of {}   ", (*model)->identity().name, i, outcomes.size());
  }
  fmt::print(stderr, "\r");
  return (*model)->identity().name;
}

// What a forecast looks at; the constant comes by itself, as nobody is asked who has White.
using Inputs = std::function<std::vector<double>(const Outcome&)>;

struct Forecast {
  std::string name;
  Inputs inputs;
  bool fitted = true;  // else the sum of the inputs as it is
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<double> weights = {};

  double probability(const Outcome& outcome) const {
    const std::vector<double> x = inputs(outcome);
    return 1 / (1 + std::exp(-std::inner_product(x.begin(), x.end(), weights.begin(), 0.0)));
  }
};

// Newton's steps; a draw is half a win.
void fit(Forecast& forecast, std::span<const Outcome> learnt) {
  const std::size_t n = forecast.inputs(learnt[0]).size();
  forecast.weights.assign(n, forecast.fitted ? 0 : 1);
  if (!forecast.fitted) return;
  for (int step = 0; step < 20; ++step) {
    std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
    for (std::size_t i = 0; i < n; ++i) m[i][i] = 1e-6;
    for (const Outcome& each : learnt) {
      const std::vector<double> x = forecast.inputs(each);
      const double p = forecast.probability(each);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) m[i][k] += p * (1 - p) * x[i] * x[k];
        m[i][n] += (each.score - p) * x[i];
      }
    }
    const std::vector<double> change = bench::solved(std::move(m));
    for (std::size_t i = 0; i < n; ++i) forecast.weights[i] += change[i];
  }
}

double loss_of(const Forecast& forecast, const Outcome& outcome) {
  const double p = std::clamp(forecast.probability(outcome), 1e-6, 1 - 1e-6);
  return -(outcome.score * std::log(p) + (1 - outcome.score) * std::log(1 - p));
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

using Wanted = std::function<bool(const Outcome&)>;

// Beside the first forecast, the engine's.
void report(const char* what, const std::vector<Forecast>& forecasts, std::span<const Outcome> held,
            const Wanted& wanted) {
  std::size_t positions = 0;
  for (const Outcome& each : held) positions += wanted(each) ? 1 : 0;
  if (positions < 2) return;
  fmt::print("\n{}, {} positions\n\n| forecast | log-loss | better than the engine by |\n|---|---|---|\n", what,
             positions);
  for (const Forecast& forecast : forecasts) {
    std::vector<double> losses;
    std::vector<double> gains;
    for (const Outcome& each : held) {
      if (!wanted(each)) continue;
      losses.push_back(loss_of(forecast, each));
      gains.push_back(loss_of(forecasts.front(), each) - losses.back());
    }
    const Mean loss = mean_of(losses);
    const Mean gain = mean_of(gains);
    fmt::print("| {} | {:.4f} | {:+.4f} +- {:.4f} |\n", forecast.name, loss.value, gain.value, gain.error);
  }
}

void report_calibration(const Forecast& forecast, std::span<const Outcome> held) {
  struct Tenth {
    double said = 0;
    double scored = 0;
    std::size_t positions = 0;
  };
  std::array<Tenth, 10> tenths;
  for (const Outcome& each : held) {
    const double p = forecast.probability(each);
    Tenth& tenth = tenths[std::min<std::size_t>(9, static_cast<std::size_t>(p * 10))];
    tenth.said += p;
    tenth.scored += each.score;
    ++tenth.positions;
  }
  fmt::print("\n{}: said and scored\n\n| said | scored | positions |\n|---|---|---|\n", forecast.name);
  for (const Tenth& each : tenths) {
    if (each.positions == 0) continue;
    const auto n = static_cast<double>(each.positions);
    fmt::print("| {:.1f}% | {:.1f}% | {} |\n", 100 * each.said / n, 100 * each.scored / n, each.positions);
  }
}

std::vector<Forecast> forecasts_by(const std::vector<std::string>& models) {
  std::vector<Forecast> all{
      {"engine", [](const Outcome& o) { return std::vector{o.engine}; }},
      {"ratings (Elo's formula)", [](const Outcome& o) { return std::vector{o.ratings()}; }, false},
      {"ratings", [](const Outcome& o) { return std::vector{o.ratings()}; }},
      {"engine and ratings", [](const Outcome& o) { return std::vector{o.engine, o.ratings()}; }},
  };
  for (std::size_t m = 0; m < models.size(); ++m) {
    all.push_back({models[m] + ", as it says", [m](const Outcome& o) { return std::vector{o.models[m]}; }, false});
    all.push_back({models[m], [m](const Outcome& o) { return std::vector{o.models[m]}; }});
    all.push_back({"engine, ratings and " + models[m],
                   [m](const Outcome& o) { return std::vector{o.engine, o.ratings(), o.models[m]}; }});
  }
  return all;
}

int measure(std::span<char*> args) {
  auto outcomes = read_outcomes(args[1]);
  if (!outcomes) {
    fmt::print(stderr, "{}\n", outcomes.error().sentence);
    return 1;
  }
  const int depth = std::atoi(args[3]);
  if (const auto asked = ask_engine(*outcomes, args[2], depth); !asked) {
    fmt::print(stderr, "{}\n", asked.error().sentence);
    return 1;
  }
  std::vector<std::string> models;
  for (const char* where : args.subspan(4)) {
    const auto name = ask_model(*outcomes, where);
    if (!name) {
      fmt::print(stderr, "{}\n", name.error().sentence);
      return 1;
    }
    models.push_back(*name);
  }
  const auto learnt = static_cast<std::size_t>(learnt_part * static_cast<double>(outcomes->size()));
  const auto held = std::span<const Outcome>(*outcomes).subspan(learnt);
  std::vector<Forecast> forecasts = forecasts_by(models);
  fmt::print("Engine at depth {}; weights from {} positions:\n", depth, learnt);
  for (Forecast& each : forecasts) {
    fit(each, std::span(*outcomes).first(learnt));
    fmt::print("  {}:", each.name);
    for (const double weight : each.weights) fmt::print(" {:.4f}", weight);
    fmt::print("\n");
  }
  report("All", forecasts, held, [](const Outcome&) { return true; });
  for (const auto& [name, low, high] :
       {std::tuple{"Mean rating below 1400", 0, 1400}, {"1400 to 1699", 1400, 1700}, {"1700 and more", 1700, 9999}}) {
    report(name, forecasts, held,
           [low = low, high = high](const Outcome& o) { return o.mean_rating() >= low && o.mean_rating() < high; });
  }
  for (const verdict::Phase phase : {verdict::Phase::opening, verdict::Phase::middlegame, verdict::Phase::endgame}) {
    report(std::string(verdict::phase_names[static_cast<std::size_t>(phase)]).c_str(), forecasts, held,
           [phase](const Outcome& o) { return o.phase == phase; });
  }
  report_calibration(forecasts[3], held);
  return 0;
}

}  // namespace
}  // namespace pm

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: outcomes_bench OUTCOMES.ndjson.gz ENGINE DEPTH MODEL...\n");
    return 2;
  }
  return pm::measure(std::span(argv, static_cast<std::size_t>(argc)));
}
