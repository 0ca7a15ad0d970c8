// What is known of positions of real games, to be held against how these went on (bench/outcomes starts it, and reads
// what it writes).
//
//   build/bench/bench/forecast_gather results OUTCOMES.ndjson.gz ENGINE DEPTH THRESHOLD MODEL FIRST COUNT
//   build/bench/bench/forecast_gather games GAMES.pgn ENGINE DEPTH THRESHOLD MODEL FIRST COUNT
//
// One line of JSON for each position, in order: the move that led to it is the candidate, and what is below it is the
// tree of an expected win rate in which nothing is pruned, so that every way of adding up can be tried on it. Win rates
// are those of the player who made that move, by the logistic map. Of `results` all the file's positions from FIRST on,
// with the game's result; of `games` one position of each, with the file's own evaluations of it and the ten after it.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "chess/uci.h"
#include "engine/pool_evaluator.h"
#include "expect/analysis.h"
#include "expect/worth.h"
#include "human/models.h"
#include "pgn/reader.h"
#include "pgn/source.h"
#include "review/pgn_evals.h"
#include "service/engines.h"
#include "verdict/phase.h"

namespace pm {
namespace {

using chess::Colour;
using nlohmann::json;

constexpr std::size_t plies_ahead = 10;
constexpr std::size_t first_ply = 12;  // of a candidate
constexpr std::size_t asked_at_once = 3;

struct Position {
  std::size_t number;  // in the file
  chess::PositionHistory before;
  chess::Move candidate;
  int rating;  // of the one who made it
  int opponent_rating;
  verdict::Phase phase;         // after it
  std::optional<double> score;  // the player's, at the end of the game
  std::vector<double> ahead;    // the file's evaluations, of the position after the candidate and those after it
};

int men_of(const chess::Position& position) { return position.occupied().count(); }

Expected<std::string> read_all(const std::string& path) {
  const auto source = pgn::open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  std::string text;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const auto n = (*source)->read(piece);
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) return text;
    text.append(piece.data(), *n);
  }
}

Expected<std::vector<Position>> read_results(const std::string& path, std::size_t first, std::size_t count) {
  const auto text = read_all(path);
  if (!text) return tl::make_unexpected(text.error());
  std::vector<Position> positions;
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (number < first || number >= first + count) continue;
    const json each = json::parse(line);
    std::istringstream words(each["moves"].get<std::string>());
    chess::PositionHistory history(chess::Position::start());
    chess::PositionHistory before = history;
    chess::Move last = chess::Move::null();
    verdict::Phase phase = verdict::Phase::opening;
    for (std::string word; words >> word;) {
      const auto move = chess::parse_uci(history.newest(), word);
      if (!move) return tl::make_unexpected(move.error());
      before = history;
      last = *move;
      history.play(*move);
      phase = verdict::phase_of(history.newest(), phase);
    }
    if (last.is_null()) continue;
    const bool white = before.newest().side_to_move() == Colour::white;
    const double score = each["white_score"];
    positions.push_back({number,
                         std::move(before),
                         last,
                         white ? each["white_elo"] : each["black_elo"],
                         white ? each["black_elo"] : each["white_elo"],
                         phase,
                         white ? score : 1 - score,
                         {}});
  }
  return positions;
}

std::optional<Position> position_of(const pgn::Game& game, std::size_t number) {
  const auto rating = [&](const char* tag) {
    const std::string* value = game.find_tag(tag);
    return value != nullptr ? parse_number<int>(*value) : std::nullopt;
  };
  const auto white_rating = rating("WhiteElo");
  const auto black_rating = rating("BlackElo");
  const chess::GameState line = pgn::main_line(game);
  if (!white_rating || !black_rating || line.moves.size() < first_ply + plies_ahead + 2) return std::nullopt;
  // Somewhere in the game, by its number.
  const std::size_t room = line.moves.size() - first_ply - plies_ahead - 1;
  const std::size_t ply = first_ply + number * 2654435761U % room;
  const review::Evidence evidence = review::evidence_of_comments(game);
  chess::PositionHistory history(line.start);
  verdict::Phase phase = verdict::Phase::opening;
  for (std::size_t i = 0; i < ply; ++i) {
    history.play(line.moves[i]);
    phase = verdict::phase_of(history.newest(), phase);
  }
  const Colour player = history.newest().side_to_move();
  const bool white = player == Colour::white;
  Position position{number,
                    history,
                    line.moves[ply],
                    white ? *white_rating : *black_rating,
                    white ? *black_rating : *white_rating,
                    verdict::phase_of(history.newest().after(line.moves[ply]), phase),
                    std::nullopt,
                    {}};
  const expect::Worth worth(expect::WinRateMap::logistic, player);
  for (std::size_t k = 0; k <= plies_ahead; ++k) {
    const auto& lines = evidence.positions[ply + 1 + k].lines;
    if (lines.empty()) return std::nullopt;
    position.ahead.push_back(worth({lines.front().score, {}}).value());
  }
  return position;
}

Expected<std::vector<Position>> read_games(const std::string& path, std::size_t first, std::size_t count) {
  const auto source = pgn::open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::vector<Position> positions;
  for (std::size_t number = 0; number < first + count; ++number) {
    const auto read = reader.next();
    if (!read) break;
    if (number < first) continue;
    if (auto position = position_of(read->game, number)) positions.push_back(std::move(*position));
  }
  return positions;
}

class Gathering {
 public:
  Gathering(std::vector<Position> positions, human::HumanModel& model, const service::Engines& engines,
            expect::Parameters parameters)
      : positions_(std::move(positions)),
        lines_(positions_.size()),
        model_(model),
        engines_(engines),
        parameters_(parameters) {}

  void run() {
    std::vector<std::jthread> threads;
    threads.reserve(asked_at_once);
    for (std::size_t i = 0; i < asked_at_once; ++i) threads.emplace_back([this] { work(); });
    threads.clear();
    for (const std::string& line : lines_) fmt::print("{}", line);
  }

 private:
  void work() {
    engine::PoolEvaluator evaluator(*engines_.single_pool, engines_.cache.get());
    for (std::size_t i = next_++; i < positions_.size(); i = next_++) {
      lines_[i] = ask(positions_[i], evaluator);
      const std::scoped_lock lock(mutex_);
      fmt::print(stderr, "\r{} of {}   ", ++done_, positions_.size());
    }
  }

  std::string ask(const Position& position, engine::Evaluator& evaluator) {
    expect::Request request{position.before, parameters_, {position.candidate}, {}, {}};
    request.parameters.rating = model_.nearest_rating(position.rating);
    request.parameters.opponent_rating = model_.nearest_rating(position.opponent_rating);
    request.base = best_of(position, evaluator);
    if (!request.base) return "";
    const expect::Analysis analysis = expect::analyse(request, model_, evaluator, {}, {});
    if (analysis.phase != expect::Phase::complete || analysis.candidates.empty()) return "";
    const expect::Candidate& candidate = analysis.candidates.front();
    json nodes = json::array();
    for (const expect::Node& node : candidate.tree.nodes) {
      if (!node.win_rate) return "";
      nodes.push_back({node.parent, node.ply, node.probability, node.cumulative_probability, node.win_rate->value(),
                       static_cast<int>(node.kind), men_of(node.position)});
    }
    chess::PositionHistory after = position.before;
    after.play(position.candidate);
    json line{{"number", position.number},
              {"rating", position.rating},
              {"opponent_rating", position.opponent_rating},
              {"phase", static_cast<int>(position.phase)},
              {"base", request.base->value()},
              {"nodes", std::move(nodes)}};
    if (candidate.tree.candidate().kind != expect::NodeKind::terminal) {
      const human::Query query{after, request.parameters.opponent_rating, request.parameters.rating};
      const auto predictions = model_.predict({&query, 1}, human::Want::moves_and_result);
      if (!predictions) return "";
      const human::ResultProbabilities& result = predictions->front().result;  // of the opponent
      line["model"] = result.loss + result.draw / 2;
    }
    if (position.score) line["score"] = *position.score;
    if (!position.ahead.empty()) line["ahead"] = position.ahead;
    return line.dump() + '\n';
  }

  // What the best move is worth: the position before it.
  std::optional<score::WinRate> best_of(const Position& position, engine::Evaluator& evaluator) const {
    const engine::Question question{position.before.newest(), parameters_.depth};
    const expect::Worth worth(expect::WinRateMap::logistic, position.before.newest().side_to_move());
    std::optional<score::WinRate> best;
    engine::evaluate_all(evaluator, {&question, 1},
                         [&](std::size_t, const engine::Answer& answer) {
                           if (!answer.valuation) return;
                           best = worth(*answer.valuation);
                         },
                         {});
    return best;
  }

  std::vector<Position> positions_;
  std::vector<std::string> lines_;
  human::HumanModel& model_;
  const service::Engines& engines_;
  expect::Parameters parameters_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

int complain(const Error& error) {
  fmt::print(stderr, "forecast_gather: {}\n", error.sentence);
  return 1;
}

int gather(char** args) {
  const bool results = std::string_view(args[1]) == "results";
  const std::size_t first = std::strtoul(args[7], nullptr, 10);
  const std::size_t count = std::strtoul(args[8], nullptr, 10);
  auto positions = results ? read_results(args[2], first, count) : read_games(args[2], first, count);
  if (!positions) return complain(positions.error());
  const auto model = service::open_model(args[6], 1);
  if (!model) return complain(model.error());
  service::EngineChoice choice;
  choice.path = args[3];
  const auto engines =
      service::open_engines(choice, service::Pools::one_line, [](const std::string&) {}, std::stop_token());
  if (!engines) return complain(engines.error());
  expect::Parameters parameters;
  parameters.depth = std::atoi(args[4]);
  parameters.threshold = std::atof(args[5]);
  parameters.pruning = expect::Pruning::none;
  parameters.map = expect::WinRateMap::logistic;
  parameters.effort = expect::Effort::exact;
  Gathering(std::move(*positions), **model, *engines, parameters).run();
  return 0;
}

}  // namespace
}  // namespace pm

int main(int argc, char** argv) {
  if (argc != 9) {
    fmt::print(stderr, "usage: forecast_gather results|games FILE ENGINE DEPTH THRESHOLD MODEL FIRST COUNT\n");
    return 2;
  }
  return pm::gather(argv);
}
