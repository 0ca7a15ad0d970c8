// What a human model knows of ratings, held against real players, and the line of src/human/calibration.inc that comes
// of it (bench/people starts it).
//
//   build/bench/bench/people_bench MODEL GAMES.pgn PUZZLES.csv [GAMES-TO-LEARN-FROM PUZZLES-TO-LEARN-FROM]
//
// Games: for each player with 25 moves the rating the model finds likeliest beside the player's own. The first
// two thirds say how wide an interval has to be to hold the own rating nine times of ten; the rest, how often it does.
// Puzzles: a linear fit of their ratings on the first 40,000, held against 5,000 of the rest; with fewer to learn from,
// those are spread evenly over them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/correlation.h"
#include "base/numbers.h"
#include "cli/puzzle_file.h"
#include "human/difficulty.h"
#include "human/models.h"
#include "human/played_like.h"
#include "human/solution.h"
#include "pgn/reader.h"
#include "solved.h"

namespace pm::human {
namespace {

constexpr std::size_t games_learnt_from = 2000;
constexpr std::size_t puzzles_learnt_from = 40'000;
constexpr std::size_t puzzles_reported = 5'000;
constexpr double held = .9;

// --- games

struct Player {
  std::size_t game;
  int rating;  // by the tags
  Likelihood likelihood;
};

int tag_rating(const pgn::Game& game, const char* name) {
  const std::string* value = game.find_tag(name);
  return value != nullptr ? parse_number<int>(*value).value_or(0) : 0;
}

Expected<std::vector<Player>> read_players(HumanModel& model, const std::string& path, std::size_t most) {
  const auto source = pgn::open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  const std::vector<int> ratings = sampled_ratings(model.identity().ratings);
  std::vector<Player> players;
  for (std::size_t game = 0;; ++game) {
    const auto read = reader.next();
    if (!read) return players;
    if (game >= most && game < games_learnt_from) continue;
    if (game >= games_learnt_from + most / 2) return players;
    std::array<Player, 2> both{{{game, tag_rating(read->game, "WhiteElo"), Likelihood(ratings)},
                                {game, tag_rating(read->game, "BlackElo"), Likelihood(ratings)}}};
    std::vector<Query> queries;
    std::vector<chess::Move> moves;
    chess::PositionHistory history(read->game.start);
    for (auto n = read->game.main_move(0); n != pgn::Game::none; n = read->game.main_move(n)) {
      const chess::Move move = read->game.node(n).move;
      if (move.is_null()) break;
      for (const int rating : ratings) queries.push_back({history, rating, rating});
      moves.push_back(move);
      history.play(move);
    }
    const auto predictions = model.predict(queries, Want::moves);
    if (!predictions) return tl::make_unexpected(predictions.error());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      std::vector<double> probabilities;
      probabilities.reserve(ratings.size());
      for (std::size_t r = 0; r < ratings.size(); ++r) {
        probabilities.push_back(probability_of((*predictions)[i * ratings.size() + r], moves[i]));
      }
      both[i % 2].likelihood.add(probabilities);
    }
    for (Player& each : both) {
      if (each.rating > 0 && each.likelihood.moves() >= fewest_moves) players.push_back(std::move(each));
    }
    fmt::print(stderr, "\rgame {}   ", game);
  }
}

double report_games(const std::vector<Player>& players, const std::string& model) {
  std::vector<double> drops;
  for (const Player& each : players) {
    if (each.game < games_learnt_from) drops.push_back(drop_to(each.likelihood, each.rating));
  }
  std::sort(drops.begin(), drops.end());
  const double drop = drops[static_cast<std::size_t>(held * static_cast<double>(drops.size()))];
  std::vector<double> own;
  std::vector<double> like;
  double width = 0;
  std::size_t inside = 0;
  for (const Player& each : players) {
    if (each.game < games_learnt_from) continue;
    const PlayedLike found = played_like(each.likelihood, drop);
    own.push_back(each.rating);
    like.push_back(found.rating);
    width += found.high - found.low;
    inside += drop_to(each.likelihood, each.rating) <= drop ? 1 : 0;
  }
  const auto n = static_cast<double>(own.size());
  fmt::print(
      "\r{}: played like, learnt from {} players, {} others: correlation with their ratings {:.3f}, mean {:.0f} "
      "beside {:.0f}; the interval holds {:.1f}% and is {:.0f} wide\n",
      model, drops.size(), own.size(), correlation(own, like), std::accumulate(like.begin(), like.end(), 0.0) / n,
      std::accumulate(own.begin(), own.end(), 0.0) / n, 100 * static_cast<double>(inside) / n, width / n);
  return drop;
}

// --- puzzles

struct Rated {
  std::size_t place;
  double rating;
  std::size_t moves;
  SolutionFacts facts;
  double first = 0;  // probability of the first move alone
};

Expected<std::vector<Rated>> read_puzzles(HumanModel& model, const std::string& path, std::size_t learnt) {
  const auto source = pgn::open_source(path);
  if (!source) return tl::make_unexpected(source.error());
  cli::PuzzleFile file(**source);
  if (const auto opened = file.open(); !opened) return tl::make_unexpected(opened.error());
  std::vector<Rated> rated;
  std::vector<Solution> solutions;
  std::vector<Solution> firsts;
  const auto flush = [&]() -> Expected<void> {
    for (const bool whole : {true, false}) {
      const auto facts = ask_about_solutions(model, whole ? solutions : firsts);
      if (!facts) return tl::make_unexpected(facts.error());
      for (std::size_t i = 0; i < facts->size(); ++i) {
        Rated& each = rated[rated.size() - facts->size() + i];
        if (whole) {
          each.facts = (*facts)[i];
        } else {
          each.first = (*facts)[i].product;
        }
      }
    }
    solutions.clear();
    firsts.clear();
    fmt::print(stderr, "\r{} puzzles   ", rated.size());
    return {};
  };
  const std::size_t every = std::max<std::size_t>(1, puzzles_learnt_from / learnt);
  for (std::size_t place = 0; place < puzzles_learnt_from + puzzles_reported; ++place) {
    const auto puzzle = file.next();
    if (!puzzle) break;
    if (!*puzzle || !(*puzzle)->rating) continue;
    if (place < puzzles_learnt_from && place % every != 0) continue;
    Solution solution = cli::solution_of(**puzzle);
    firsts.push_back({solution.history, {solution.moves.front()}});
    const std::size_t moves = (solution.moves.size() + 1) / 2;
    rated.push_back({place, static_cast<double>(*(*puzzle)->rating), moves, {}, 0});
    solutions.push_back(std::move(solution));
    constexpr std::size_t at_once = 100;
    if (solutions.size() < at_once) continue;
    if (const auto done = flush(); !done) return tl::make_unexpected(done.error());
  }
  if (const auto done = flush(); !done) return tl::make_unexpected(done.error());
  return rated;
}

using Weights = std::vector<double>;

// Least squares, by the normal equations; the facts are few and far from equal.
Weights fit(const std::vector<Rated>& rated) {
  constexpr std::size_t n = SolutionFacts::count;
  std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
  for (const Rated& each : rated) {
    if (each.place >= puzzles_learnt_from) continue;
    const auto x = each.facts.values();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) m[i][k] += x[i] * x[k];
      m[i][n] += x[i] * each.rating;
    }
  }
  return bench::solved(std::move(m));
}

void report_puzzles(const std::vector<Rated>& rated, const Weights& weights, const std::string& model) {
  const auto report = [&](const char* what, const auto& wanted) {
    std::vector<double> real;
    std::vector<double> said;
    std::vector<double> first;
    double off = 0;
    for (const Rated& each : rated) {
      if (each.place < puzzles_learnt_from || !wanted(each)) continue;
      const auto x = each.facts.values();
      real.push_back(each.rating);
      said.push_back(std::inner_product(x.begin(), x.end(), weights.begin(), 0.0));
      first.push_back(-each.first);
      off += std::abs(said.back() - each.rating);
    }
    fmt::print("{}: {} {} puzzles: rank correlation {:.3f}, off by {:.0f} on average; by the first move alone {:.3f}\n",
               model, real.size(), what, rank_correlation(real, said), off / static_cast<double>(real.size()),
               rank_correlation(real, first));
  };
  report("all", [](const Rated&) { return true; });
  report("of one move", [](const Rated& each) { return each.moves == 1; });
  report("of two moves", [](const Rated& each) { return each.moves == 2; });
  report("of three moves and more", [](const Rated& each) { return each.moves >= 3; });
}

int measure(int argc, char** argv) {
  const auto number = [&](int at, std::size_t usual) {
    return argc > at ? parse_number<std::size_t>(argv[at]).value_or(usual) : usual;
  };
  const auto model = open_model({argv[1], 2});
  if (!model) {
    fmt::print(stderr, "{}\n", model.error().sentence);
    return 1;
  }
  const std::string name = (*model)->identity().name;
  const auto players = read_players(**model, argv[2], number(4, games_learnt_from));
  const auto puzzles = read_puzzles(**model, argv[3], number(5, puzzles_learnt_from));
  if (!players || !puzzles) {
    fmt::print(stderr, "{}\n", (players ? puzzles.error() : players.error()).sentence);
    return 1;
  }
  const double drop = report_games(*players, name);
  const Weights weights = fit(*puzzles);
  report_puzzles(*puzzles, weights, name);
  fmt::print("{{\"{}\", {:.2f}, {{{:.2f}}}}},\n", name, drop, fmt::join(weights, ", "));
  return 0;
}

}  // namespace
}  // namespace pm::human

int main(int argc, char** argv) {
  if (argc < 4 || argc > 6) {
    fmt::print(stderr, "usage: people_bench MODEL GAMES.pgn PUZZLES.csv [GAMES PUZZLES]\n");
    return 2;
  }
  return pm::human::measure(argc, argv);
}
