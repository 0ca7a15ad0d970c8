// Games that the teacher plays against itself, games of people and puzzles with what the teacher says of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/draws.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "cli/puzzle_file.h"
#include "human/models.h"
#include "pgn/reader.h"
#include "train/commands.h"
#include "train/data_file.h"

namespace pm::train {
namespace {

using chess::Colour;
using chess::PositionHistory;
using human::HumanModel;
using human::Prediction;
using human::Query;

constexpr std::size_t games_at_once = 512;
constexpr std::size_t most_plies = 160;
constexpr std::size_t varied_plies = 10;  // of the opening, where unusual moves are made likelier
constexpr double variety = 0.6;           // the exponent that does it
constexpr double given_up = 0.985;        // a game is over when one side's result is as sure as that
constexpr std::size_t fewest_plies = 10;  // of a game of people

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Query query_of(const chess::PositionHistory& history, const std::array<int, 2>& ratings) {
  const bool white = history.newest().side_to_move() == Colour::white;
  return {history, ratings[white ? 0 : 1], ratings[white ? 1 : 0]};
}

// Most games are between players such as there are most of, some between any; the two are about as strong.
std::array<int, 2> some_ratings(const HumanModel& model, std::mt19937_64& random) {
  const human::RatingRange& covered = model.identity().ratings;
  const bool any = random() % 10 < 3;
  const double first = any ? std::uniform_real_distribution<double>(covered.lowest(), covered.highest())(random)
                           : std::normal_distribution<double>(1750, 300)(random);
  const double second = first + std::normal_distribution<double>(0, 120)(random);
  return {model.nearest_rating(static_cast<int>(first)), model.nearest_rating(static_cast<int>(second))};
}

struct Playing {
  chess::PositionHistory history{chess::Position::start()};
  TaughtGame game;
  std::size_t varied = 0;  // plies with unusual moves
};

class SelfPlay {
 public:
  SelfPlay(HumanModel& model, const DataCommand& command) : model_(model), random_(command.seed) {}

  Playing begin() {
    Playing playing;
    playing.game.ratings = some_ratings(model_, random_);
    playing.varied = random_() % (varied_plies + 1);
    return playing;
  }

  // One ply of each game; the games that are over leave the list and are written.
  Expected<void> step(std::vector<Playing>& games, DataWriter& writer) {
    std::vector<Query> queries;
    for (const Playing& each : games) queries.push_back(query_of(each.history, each.game.ratings));
    const auto predictions = model_.predict(queries, human::Want::moves_and_result);
    if (!predictions) return tl::make_unexpected(predictions.error());
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (!play(games[i], (*predictions)[i])) continue;
      if (!writer.write(games[i].game)) return fail(ErrorCode::file_read, "the data cannot be written");
      games[i] = begin();
    }
    return {};
  }

 private:
  // True when the game is over.
  bool play(Playing& playing, const Prediction& own) {
    TaughtPly ply;
    ply.teaching = teaching_of(own);
    ply.played = draw(own, playing.game.plies.size() < playing.varied ? variety : 1);
    const Colour mover = playing.history.newest().side_to_move();
    playing.history.play(own.moves[ply.played].move);
    playing.game.plies.push_back(std::move(ply));
    const int wins = mover == Colour::white ? 2 : 0;
    if (const auto end = chess::game_end(playing.history.newest(), playing.history.occurrences())) {
      playing.game.result = *end == chess::GameEnd::checkmate ? wins : 1;
      return true;
    }
    playing.game.result = 1;
    if (chess::draw_claim(playing.history.newest(), playing.history.occurrences())) return true;
    if (own.result.win > given_up || own.result.loss > given_up) {
      playing.game.result = own.result.win > given_up ? wins : 2 - wins;
      return random_() % 4 == 0;  // some play on, so that won positions are learnt too
    }
    return playing.game.plies.size() >= most_plies;
  }

  std::size_t draw(const Prediction& prediction, double exponent) {
    double sum = 0;
    for (const auto& move : prediction.moves) sum += std::pow(move.probability, exponent);
    double left = std::uniform_real_distribution<double>(0, sum)(random_);
    for (std::size_t i = 0; i < prediction.moves.size(); ++i) {
      left -= std::pow(prediction.moves[i].probability, exponent);
      if (left <= 0) return i;
    }
    return prediction.moves.size() - 1;
  }

  HumanModel& model_;
  std::mt19937_64 random_;
};

std::optional<int> rating_of(const pgn::Game& game, const char* tag) {
  const std::string* value = game.find_tag(tag);
  return value != nullptr ? parse_number<int>(*value) : std::nullopt;
}

// What the teacher says of a game of somebody's, from the game's start.
Expected<TaughtGame> teach(const chess::Position& start, const std::vector<chess::Move>& moves, TaughtGame taught,
                           HumanModel& model) {
  chess::PositionHistory history(start);
  std::vector<Query> queries;
  for (const chess::Move move : moves) {
    queries.push_back(query_of(history, taught.ratings));
    history.play(move);
  }
  const auto predictions = model.predict(queries, human::Want::moves_and_result);
  if (!predictions) return tl::make_unexpected(predictions.error());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto& legal = (*predictions)[i].moves;
    const auto played = std::find_if(legal.begin(), legal.end(), [&](const auto& m) { return m.move == moves[i]; });
    taught.plies.push_back({static_cast<std::size_t>(played - legal.begin()), teaching_of((*predictions)[i])});
  }
  return taught;
}

// A game as it is taught, without the teaching; nothing when it is too short, not from the start, or has no ratings.
std::optional<TaughtGame> game_of(const pgn::Game& game, const HumanModel& model) {
  const auto white = rating_of(game, "WhiteElo");
  const auto black = rating_of(game, "BlackElo");
  const std::string* result = game.find_tag("Result");
  if (!white || !black || result == nullptr || !(game.start == chess::Position::start())) return std::nullopt;
  TaughtGame taught;
  taught.by_people = true;
  taught.ratings = {model.nearest_rating(*white), model.nearest_rating(*black)};
  taught.result = *result == "1-0" ? 2 : *result == "0-1" ? 0 : 1;
  return taught;
}

Expected<void> write(const Expected<TaughtGame>& taught, DataWriter& writer) {
  if (!taught) return tl::make_unexpected(taught.error());
  if (!writer.write(*taught)) return fail(ErrorCode::file_read, "the data cannot be written");
  return {};
}

// Each game twice: as it was, and as if people of other ratings had come to these positions.
Expected<void> teach_people(const DataCommand& command, HumanModel& model, DataWriter& writer) {
  const auto source = pgn::open_source(command.games);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::vector<pgn::Game> games;
  while (auto read = reader.next()) games.push_back(std::move(read->game));
  if (games.size() <= command.keep_out) return fail(ErrorCode::bad_input, "all games are to be kept out");
  games.resize(games.size() - command.keep_out);
  std::mt19937_64 random(command.seed);
  for (std::size_t i = 0; i < games.size(); ++i) {
    std::vector<chess::Move> moves;
    for (auto n = games[i].main_move(0); n != pgn::Game::none; n = games[i].main_move(n)) {
      if (games[i].node(n).move.is_null()) break;
      moves.push_back(games[i].node(n).move);
    }
    auto game = game_of(games[i], model);
    if (!game || moves.size() < fewest_plies) continue;
    if (const auto done = write(teach(games[i].start, moves, *game, model), writer); !done) return done;
    game->by_people = false;
    game->ratings = some_ratings(model, random);
    if (const auto done = write(teach(games[i].start, moves, *game, model), writer); !done) return done;
    if (i % 100 == 0) fmt::print(stderr, "\rgames of people: {} of {}", i, games.size());
  }
  fmt::print(stderr, "\rgames of people: {} positions\n", writer.positions());
  return {};
}

// The moves of a puzzle, and the error before them, at some rating.
Expected<void> teach_puzzles(const DataCommand& command, HumanModel& model, DataWriter& writer) {
  const auto source = pgn::open_source(command.puzzles);
  if (!source) return tl::make_unexpected(source.error());
  cli::PuzzleFile file(**source);
  if (const auto opened = file.open(); !opened) return opened;
  std::mt19937_64 random(command.seed);
  const std::size_t before = writer.positions();
  for (std::size_t i = 0; i < command.first_puzzles; ++i) {
    const auto puzzle = file.next();
    if (!puzzle) break;
    if (!*puzzle) return tl::make_unexpected(puzzle->error());
    const motif::Line& line = (*puzzle)->line;
    if (line.error() == nullptr) continue;
    TaughtGame game;
    game.start = chess::format_fen(line.error()->before);
    game.ratings = some_ratings(model, random);
    std::vector<chess::Move> moves{line.error()->move};
    for (std::size_t m = 0; m < line.size(); ++m) moves.push_back(line[m].move);
    if (const auto done = write(teach(line.error()->before, moves, game, model), writer); !done) return done;
    if (i % 1000 == 0) fmt::print(stderr, "\rpuzzles: {}", i);
  }
  fmt::print(stderr, "\rpuzzles: {} positions\n", writer.positions() - before);
  return {};
}

}  // namespace

Expected<void> make_data(const DataCommand& command) {
  const auto model = human::open_model({command.models, command.threads});
  if (!model) return tl::make_unexpected(model.error());
  DataWriter writer(command.out);
  if (!command.games.empty()) {
    if (const auto taught = teach_people(command, **model, writer); !taught) return taught;
  }
  if (!command.puzzles.empty()) {
    if (const auto taught = teach_puzzles(command, **model, writer); !taught) return taught;
  }
  SelfPlay self_play(**model, command);
  std::vector<Playing> games;
  for (std::size_t i = 0; i < games_at_once; ++i) games.push_back(self_play.begin());
  const std::size_t before = writer.positions();
  const double begin = now();
  double next_word = begin;
  while (writer.positions() - before < command.positions) {
    if (const auto stepped = self_play.step(games, writer); !stepped) return stepped;
    if (now() < next_word) continue;
    next_word = now() + 1;
    const auto made = static_cast<double>(writer.positions() - before);
    const double left = made > 0 ? (now() - begin) * (static_cast<double>(command.positions) - made) / made : 0;
    fmt::print(stderr, "\rgames of the teacher: {:.0f} of {} positions, {:.0f} s left   ", made, command.positions,
               left);
  }
  fmt::print(stderr, "\n{}: {} positions\n", command.out, writer.positions());
  return {};
}

}  // namespace pm::train
