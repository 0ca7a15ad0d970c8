// How well the model predicts what people play, beside its teacher, an engine and chance: on games nobody learnt from.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "base/numbers.h"
#include "engine/engine.h"
#include "human/models.h"
#include "human/postmortem_model.h"
#include "pgn/reader.h"
#include "tools/plot.h"
#include "train/commands.h"
#include "train/files.h"
#include "verdict/phase.h"

namespace pm::train {
namespace {

using human::HumanModel;
using human::Prediction;
using human::Query;

constexpr std::size_t first_ply = 10;  // after move 5
constexpr std::size_t queries_at_once = 4096;
constexpr int band_width = 200;
constexpr double least_probability = 1e-6;  // so that one move thought impossible does not decide everything

struct Asked {
  chess::PositionHistory history{chess::Position::start()};
  int rating;
  int opponent_rating;
  chess::Move played;
  verdict::Phase phase;
};

Expected<std::vector<Asked>> read_positions(const EvaluateCommand& command) {
  const auto source = pgn::open_source(command.games);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::vector<pgn::Game> games;
  while (auto read = reader.next()) games.push_back(std::move(read->game));
  std::vector<Asked> asked;
  for (std::size_t g = games.size() - std::min(games.size(), command.last); g < games.size(); ++g) {
    const auto rating = [&](const char* tag) {
      const std::string* value = games[g].find_tag(tag);
      return value != nullptr ? parse_number<int>(*value) : std::nullopt;
    };
    const auto white = rating("WhiteElo");
    const auto black = rating("BlackElo");
    if (!white || !black || !(games[g].start == chess::Position::start())) continue;
    chess::PositionHistory history(games[g].start);
    verdict::Phase phase = verdict::Phase::opening;
    std::size_t ply = 0;
    for (auto n = games[g].main_move(0); n != pgn::Game::none; n = games[g].main_move(n), ++ply) {
      const chess::Move move = games[g].node(n).move;
      if (move.is_null()) break;
      phase = verdict::phase_of(history.newest(), phase);
      const bool is_white = history.newest().side_to_move() == chess::Colour::white;
      if (ply >= first_ply) {
        asked.push_back({history, is_white ? *white : *black, is_white ? *black : *white, move, phase});
      }
      history.play(move);
    }
  }
  return asked;
}

using RatingOf = std::function<int(const Asked&)>;

// What a model says of all positions, its own rating of the mover given by `rating_of`.
Expected<std::vector<Prediction>> predict(HumanModel& model, const std::vector<Asked>& asked,
                                          const RatingOf& rating_of) {
  std::vector<Prediction> all;
  for (std::size_t done = 0; done < asked.size(); done += queries_at_once) {
    std::vector<Query> queries;
    for (std::size_t i = done; i < std::min(asked.size(), done + queries_at_once); ++i) {
      queries.push_back({asked[i].history, rating_of(asked[i]), model.nearest_rating(asked[i].opponent_rating)});
    }
    auto some = model.predict(queries, human::Want::moves);
    if (!some) return tl::make_unexpected(some.error());
    all.insert(all.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
    fmt::print(stderr, "\r{}: {} of {}   ", model.identity().name, all.size(), asked.size());
  }
  fmt::print(stderr, "\n");
  return all;
}

struct Tally {
  std::size_t count = 0;
  double top1 = 0;
  double log_probability = 0;

  void add(bool agreed, double probability) {
    ++count;
    top1 += agreed ? 1 : 0;
    log_probability += std::log(std::max(probability, least_probability));
  }
  double agreement() const { return top1 / static_cast<double>(count); }
  double mean_log() const { return log_probability / static_cast<double>(count); }
};

void add(Tally& tally, const Prediction& prediction, chess::Move played) {
  const auto& moves = prediction.moves;
  const auto most = std::max_element(moves.begin(), moves.end(),
                                     [](const auto& a, const auto& b) { return a.probability < b.probability; });
  const auto found = std::find_if(moves.begin(), moves.end(), [&](const auto& move) { return move.move == played; });
  tally.add(most != moves.end() && most->move == played, found != moves.end() ? found->probability : 0);
}

std::string band_of(int rating) {
  if (rating < 1100) return "below 1100";
  if (rating >= 1900) return "1900 and more";
  const int from = 1100 + (rating - 1100) / band_width * band_width;
  return fmt::format("{}-{}", from, from + band_width - 1);
}

using Tallies = std::map<std::string, Tally>;

Tallies tallies_by(const std::vector<Asked>& asked, const std::vector<Prediction>& predictions,
                   const std::function<std::string(const Asked&)>& key) {
  Tallies tallies;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    add(tallies[key(asked[i])], predictions[i], asked[i].played);
    add(tallies["all"], predictions[i], asked[i].played);
  }
  return tallies;
}

void print_beside(const char* what, const Tallies& model, const Tallies& teacher) {
  fmt::print(
      "\n| {} | positions | top-1 | Maia-1 | of it | log-probability | Maia-1 | behind "
      "|\n|---|---|---|---|---|---|---|---|\n",
      what);
  for (const auto& [key, ours] : model) {
    const Tally& theirs = teacher.at(key);
    fmt::print("| {} | {} | {:.1f}% | {:.1f}% | {:.1f}% | {:.3f} | {:.3f} | {:.3f} |\n", key, ours.count,
               100 * ours.agreement(), 100 * theirs.agreement(), 100 * ours.agreement() / theirs.agreement(),
               ours.mean_log(), theirs.mean_log(), theirs.mean_log() - ours.mean_log());
  }
}

// Every so many positions, all legal moves valued by an engine.
struct Valued {
  const Asked* asked;
  std::vector<std::pair<chess::Move, double>> moves;  // pawns, the mover's view
};

Expected<std::vector<Valued>> value_moves(const EvaluateCommand& command, const std::vector<Asked>& asked) {
  engine::EngineSetup setup;
  setup.path = command.engine;
  setup.lines = 256;
  setup.hash_mb = 16;
  const auto started = engine::start_uci_engine(setup, {});
  if (!started) return tl::make_unexpected(started.error());
  std::vector<Valued> valued;
  const std::size_t every = std::max<std::size_t>(1, asked.size() / std::max<std::size_t>(1, command.engine_positions));
  for (std::size_t i = 0; i < asked.size(); i += every) {
    const auto& position = asked[i].history.newest();
    const auto evaluation = (*started)->evaluate(
        {position, {}, {engine::Limit::Kind::depth, static_cast<std::uint64_t>(command.engine_depth)}}, {});
    if (!evaluation) return tl::make_unexpected(evaluation.error());
    Valued each{&asked[i], {}};
    for (const auto& line : evaluation->lines) {
      if (line.pv.empty()) continue;
      const auto score = line.score.seen_by(position.side_to_move());
      double pawns = 0;
      if (const auto* mate = score.mate()) {
        pawns = mate->wins ? 20 : -20;
      } else {
        pawns = std::clamp(score.score().centipawns()->value / 100.0, -20.0, 20.0);
      }
      each.moves.emplace_back(line.pv.front(), pawns);
    }
    valued.push_back(std::move(each));
    if (valued.size() % 50 == 0) fmt::print(stderr, "\rengine: {} of {}   ", valued.size(), asked.size() / every);
  }
  fmt::print(stderr, "\n");
  return valued;
}

// The likelier the better the engine finds them; the temperature in pawns.
Prediction softmax(const Valued& valued, double temperature) {
  Prediction prediction;
  double best = -100;
  for (const auto& [move, pawns] : valued.moves) best = std::max(best, pawns);
  double sum = 0;
  for (const auto& [move, pawns] : valued.moves) sum += std::exp((pawns - best) / temperature);
  for (const auto& [move, pawns] : valued.moves) {
    prediction.moves.push_back({move, std::exp((pawns - best) / temperature) / sum});
  }
  return prediction;
}

double best_temperature(const std::vector<Valued>& valued) {
  double best = 0;
  double best_log = 0;
  for (double temperature = 0.05; temperature < 5; temperature *= 1.1) {
    Tally tally;
    for (const Valued& each : valued) add(tally, softmax(each, temperature), each.asked->played);
    if (best != 0 && tally.mean_log() <= best_log) continue;
    best = temperature;
    best_log = tally.mean_log();
  }
  return best;
}

Expected<void> compare_with_engine(const EvaluateCommand& command, const std::vector<Asked>& asked,
                                   const std::vector<Prediction>& model, const std::vector<Prediction>& teacher) {
  const auto valued = value_moves(command, asked);
  if (!valued) return tl::make_unexpected(valued.error());
  const double temperature = best_temperature(*valued);
  struct Row {
    Tally model, teacher, engine;
  };
  std::map<std::string, Row> rows;
  for (const Valued& each : *valued) {
    const auto at = static_cast<std::size_t>(each.asked - asked.data());
    const Prediction engine = softmax(each, temperature);
    for (Row* row : {&rows[band_of(each.asked->rating)], &rows["all"]}) {
      add(row->model, model[at], each.asked->played);
      add(row->teacher, teacher[at], each.asked->played);
      add(row->engine, engine, each.asked->played);
    }
  }
  fmt::print(
      "\nEvery so many of these positions, beside a softmax over engine values (depth {}, best temperature {:.2f} "
      "pawns); top-1 and log-probability.\n\n| rating | positions | model | Maia-1 | engine "
      "|\n|---|---|---|---|---|\n",
      command.engine_depth, temperature);
  for (const auto& [band, row] : rows) {
    fmt::print("| {} | {}", band, row.model.count);
    for (const Tally* tally : {&row.model, &row.teacher, &row.engine}) {
      fmt::print(" | {:.1f}%, {:.3f}", 100 * tally->agreement(), tally->mean_log());
    }
    fmt::print(" |\n");
  }
  return {};
}

Expected<void> compare_ratings(HumanModel& model, const std::vector<Asked>& asked) {
  fmt::print("\n| players | positions | told 1100 | told 1900 |\n|---|---|---|---|\n");
  for (const auto& [low, high] : {std::pair{0, 1300}, {1800, 4000}}) {
    std::vector<Asked> some;
    for (const Asked& each : asked) {
      if (each.rating >= low && each.rating < high) some.push_back(each);
    }
    if (some.empty()) continue;
    std::vector<double> means;
    for (const int told : {1100, 1900}) {
      const auto predictions = predict(model, some, [&](const Asked&) { return told; });
      if (!predictions) return tl::make_unexpected(predictions.error());
      Tally tally;
      for (std::size_t i = 0; i < some.size(); ++i) add(tally, (*predictions)[i], some[i].played);
      means.push_back(tally.mean_log());
    }
    fmt::print("| {} | {} | {:.4f} | {:.4f} |\n", low == 0 ? "below 1300" : "1800 and more", some.size(), means[0],
               means[1]);
  }
  return {};
}

tools::Series reliability(const std::vector<Asked>& asked, const std::vector<Prediction>& predictions,
                          const char* name) {
  struct Bin {
    double sum = 0;
    double played = 0;
    double count = 0;
  };
  std::array<Bin, 10> bins;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    for (const auto& [move, probability] : predictions[i].moves) {
      Bin& bin = bins[std::min<std::size_t>(9, static_cast<std::size_t>(probability * 10))];
      bin.sum += probability;
      bin.played += move == asked[i].played ? 1 : 0;
      ++bin.count;
    }
  }
  tools::Series series{name, {}};
  fmt::print("\nReliability of {}:\n\n| said | mean | played | moves |\n|---|---|---|---|\n", name);
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (bins[b].count == 0) continue;
    const double mean = bins[b].sum / bins[b].count;
    const double played = bins[b].played / bins[b].count;
    fmt::print("| {}-{}% | {:.1f}% | {:.1f}% | {:.0f} |\n", 10 * b, 10 * b + 10, 100 * mean, 100 * played,
               bins[b].count);
    series.points.emplace_back(100 * mean, 100 * played);
  }
  return series;
}

}  // namespace

Expected<void> evaluate(const EvaluateCommand& command) {
  const auto bytes = read_file(command.model);
  if (!bytes) return tl::make_unexpected(bytes.error());
  const auto model = human::open_postmortem_model(*bytes, command.threads);
  if (!model) return fail(model.error().code, fmt::format("{}: {}", command.model, model.error().sentence));
  const auto teacher = human::open_model({command.models, command.threads});
  if (!teacher) return tl::make_unexpected(teacher.error());
  const auto asked = read_positions(command);
  if (!asked) return tl::make_unexpected(asked.error());
  const auto ours = predict(**model, *asked, [&](const Asked& a) { return (*model)->nearest_rating(a.rating); });
  if (!ours) return tl::make_unexpected(ours.error());
  const auto theirs = predict(**teacher, *asked, [&](const Asked& a) { return (*teacher)->nearest_step(a.rating); });
  if (!theirs) return tl::make_unexpected(theirs.error());

  fmt::print("{} ({}), the last {} games of {}, {} positions after move 5.\n", (*model)->identity().name,
             (*model)->identity().sha256.substr(0, 12), command.last,
             std::filesystem::path(command.games).filename().string(), asked->size());
  const auto by_rating = [](const Asked& a) { return band_of(a.rating); };
  const auto by_phase = [](const Asked& a) {
    return std::string(verdict::phase_names[static_cast<std::size_t>(a.phase)]);
  };
  print_beside("rating", tallies_by(*asked, *ours, by_rating), tallies_by(*asked, *theirs, by_rating));
  print_beside("phase", tallies_by(*asked, *ours, by_phase), tallies_by(*asked, *theirs, by_phase));
  Tally uniform;
  for (const Prediction& p : *ours) {
    const double chance = 1 / static_cast<double>(p.moves.size());
    uniform.add(false, chance);
    uniform.top1 += chance;
  }
  fmt::print("\nUniform over the legal moves: top-1 {:.1f}%, log-probability {:.3f}.\n", 100 * uniform.agreement(),
             uniform.mean_log());
  if (!command.engine.empty()) {
    if (const auto compared = compare_with_engine(command, *asked, *ours, *theirs); !compared) return compared;
  }
  if (const auto compared = compare_ratings(**model, *asked); !compared) return compared;
  const std::vector<tools::Series> lines{
      reliability(*asked, *ours, "the model"), reliability(*asked, *theirs, "Maia-1"), {"exact", {{0, 0}, {100, 100}}}};
  if (!command.plot.empty()) {
    std::ofstream(command.plot) << tools::draw_plot("Moves people played, by how likely they were said to be",
                                                    "said, percent", "played, percent", lines);
  }
  return {};
}

}  // namespace pm::train
