// How much values of shallow searches differ from those of deep ones (bench/errors starts it): the table of
// src/expect/value_errors.inc, from which intervals of expected win rates are made.
//
//   build/bench/bench/errors_bench GAMES.pgn ENGINE COUNT DEEPEST
//
// From positions of COUNT games between people, the trees of likely moves below the likeliest one are searched to every
// second depth from 4 on, and twice to the deepest, in other company: an engine that has seen other positions before
// answers a little differently. Win rates are by the logistic map. The error of a depth is the root mean square of its
// difference to the other deepest search, of positions whose value at that depth is near equality, clearly better for
// one side, or decided. What the positions of a tree have in common is how much more the mean of a whole tree errs than
// it would if each of them erred by itself, as part of the mean square.
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "chess/draws.h"
#include "engine/pool_evaluator.h"
#include "expect/analysis.h"
#include "expect/worth.h"
#include "human/models.h"
#include "pgn/reader.h"
#include "service/engines.h"

namespace pm {
namespace {

constexpr std::size_t first_ply = 8;
constexpr int shallowest = 4;
constexpr double threshold = .03;

struct Leaf {
  chess::Position position = chess::Position::start();
  double mass = 0;
};
using ValuedTree = std::vector<Leaf>;

// Says that all positions are equal: a tree of likely moves needs no more.
class Level final : public engine::Evaluator {
 public:
  const engine::EvaluatorIdentity& identity() const override { return identity_; }
  void evaluate(engine::Questioner& questioner, const std::stop_token&) override {
    for (engine::Group group = questioner.next(); !group.questions.empty(); group = questioner.next()) {
      for (std::size_t i = 0; i < group.questions.size(); ++i) {
        questioner.take(group.first + i, {engine::Valuation{}});
      }
    }
  }

 private:
  engine::EvaluatorIdentity identity_;
};

ValuedTree tree_of(const chess::PositionHistory& history, human::HumanModel& model) {
  ValuedTree leaves;
  auto predictions = model.predict(std::vector<human::Query>{{history, 1500, 1500}}, human::Want::moves);
  if (!predictions) return leaves;
  const auto& moves = predictions->front().moves;
  const auto likeliest = std::max_element(moves.begin(), moves.end(),
                                          [](const auto& a, const auto& b) { return a.probability < b.probability; });
  expect::Parameters parameters;
  parameters.threshold = threshold;
  parameters.depth = 1;
  parameters.pruning = expect::Pruning::none;
  parameters.effort = expect::Effort::exact;
  Level level;
  const expect::Analysis analysis =
      expect::analyse({history, parameters, {likeliest->move}, score::WinRate(.5)}, model, level, {}, {});
  for (const expect::Candidate& candidate : analysis.candidates) {
    for (const std::uint32_t at : expect::counted_nodes(candidate.tree)) {
      const expect::Node& node = candidate.tree.nodes[at];
      if (node.kind == expect::NodeKind::terminal) continue;
      leaves.push_back({node.position, expect::valued_mass(candidate.tree, at)});
    }
  }
  return leaves;
}

std::vector<ValuedTree> read_trees(const char* path, std::size_t count, human::HumanModel& model) {
  std::vector<ValuedTree> trees;
  const auto source = pgn::open_source(path);
  if (!source) return trees;
  pgn::GameReader reader(**source);
  std::mt19937 random(1);
  while (trees.size() < count) {
    const auto read = reader.next();
    if (!read) break;
    const chess::GameState line = pgn::main_line(read->game);
    if (line.moves.size() < 2 * first_ply) continue;
    const std::size_t plies = first_ply + random() % (line.moves.size() - first_ply);
    chess::PositionHistory history(line.start);
    for (std::size_t ply = 0; ply < plies; ++ply) history.play(line.moves[ply]);
    if (chess::game_end(history.newest(), 1)) continue;
    trees.push_back(tree_of(history, model));
  }
  return trees;
}

using Values = std::vector<std::optional<double>>;

Values values(engine::Evaluator& evaluator, const std::vector<Leaf>& leaves, const std::vector<std::size_t>& order,
              int depth) {
  const expect::Worth worth(expect::WinRateMap::logistic, chess::Colour::white);
  std::vector<engine::Question> questions;
  questions.reserve(order.size());
  for (const std::size_t i : order) questions.push_back({leaves[i].position, depth});
  Values found(leaves.size());
  engine::evaluate_all(evaluator, questions,
                       [&](std::size_t i, const engine::Answer& answer) {
                         if (answer.valuation) found[order[i]] = worth(*answer.valuation).value();
                       },
                       {});
  fmt::print(stderr, "depth {}\n", depth);
  return found;
}

void print_depth(int depth, const std::vector<ValuedTree>& trees, const Values& shallow, const Values& reference) {
  std::array<double, expect::value_bands> squares{};
  std::array<std::size_t, expect::value_bands> counts{};
  double of_trees = 0;   // squares of the errors of their means
  double of_leaves = 0;  // what these would be if each leaf erred by itself
  double together = 0;   // if all erred alike
  std::size_t first = 0;
  for (const ValuedTree& tree : trees) {
    double error_of_mean = 0;
    double alone = 0;
    double mass = 0;
    double square = 0;
    for (std::size_t l = 0; l < tree.size(); ++l) {
      const auto& value = shallow[first + l];
      if (!value || !reference[first + l]) continue;
      const double error = *value - *reference[first + l];
      const std::size_t band = expect::value_band(*value);
      squares[band] += error * error;
      ++counts[band];
      error_of_mean += tree[l].mass * error;
      alone += tree[l].mass * tree[l].mass * error * error;
      mass += tree[l].mass;
      square += tree[l].mass * error * error;
    }
    first += tree.size();
    of_trees += error_of_mean * error_of_mean;
    of_leaves += alone;
    together += mass * square;
  }
  fmt::print("{{{}, {{", depth);
  for (std::size_t b = 0; b < expect::value_bands; ++b) {
    fmt::print("{}{:.4f}", b > 0 ? ", " : "",
               std::sqrt(squares[b] / static_cast<double>(std::max<std::size_t>(1, counts[b]))));
  }
  fmt::print("}}, {:.2f}}},  // {} {} {} positions; a tree errs by {:.4f}\n",
             (of_trees - of_leaves) / (together - of_leaves), counts[0], counts[1], counts[2],
             std::sqrt(of_trees / static_cast<double>(trees.size())));
  std::fflush(stdout);
}

int measure(char** args) {
  const auto model = human::open_model({human::built_in, service::processors()});
  if (!model) return 1;
  const std::vector<ValuedTree> trees = read_trees(args[1], std::strtoul(args[3], nullptr, 10), **model);
  std::vector<Leaf> leaves;
  for (const ValuedTree& tree : trees) leaves.insert(leaves.end(), tree.begin(), tree.end());
  const int deepest = std::atoi(args[4]);
  service::EngineChoice choice;
  choice.path = args[2];
  choice.use_cache = false;
  const auto engines =
      service::open_engines(choice, service::Pools::one_line, [](const std::string&) {}, std::stop_token());
  if (!engines || leaves.empty()) {
    fmt::print(stderr, "errors_bench: engine or games are missing\n");
    return 1;
  }
  engine::PoolEvaluator evaluator(*engines->single_pool, nullptr);
  std::vector<std::size_t> order(leaves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<std::size_t> other_order = order;
  std::shuffle(other_order.begin(), other_order.end(), std::mt19937(2));
  const Values reference = values(evaluator, leaves, other_order, deepest);
  fmt::print("// Printed by bench/errors: {} positions of {} trees, {}, {:%Y-%m-%d}.\n", leaves.size(), trees.size(),
             engines->single_pool->engine_name(), fmt::localtime(std::time(nullptr)));
  for (int depth = shallowest; depth <= deepest; depth += 2) {
    print_depth(depth, trees, values(evaluator, leaves, order, depth), reference);
  }
  return 0;
}

}  // namespace
}  // namespace pm

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: errors_bench GAMES.pgn ENGINE COUNT DEEPEST\n");
    return 2;
  }
  return pm::measure(argv);
}
