// What people of a rating would play in a position, and how their games went on from it.
//
//   std::shared_ptr<HumanModel> model = *open_model({});          // models.h
//   auto predictions = model->predict(queries, Want::moves_and_result);
//
// Abstract because networks come from outside: Maia families (maia.h) and networks of our own (postmortem_model.h).
// FakeModel (fake_model.h) is the one for tests; CachedModel (cached_model.h) remembers answers. Any thread may call
// any function.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "chess/move.h"
#include "chess/position_history.h"

namespace pm::human {

// Whose moves we ask for when nobody says.
inline constexpr int default_rating = 1500;

// A position with its history, and who plays. Models that know only one rating look at that of the side to move.
struct Query {
  chess::PositionHistory history;
  int rating;           // of the side to move
  int opponent_rating;  // of the other
};

struct MoveProbability {
  chess::Move move;
  double probability;
};

// Of the side to move; they add up to 1.
struct ResultProbabilities {
  double win = 0;
  double draw = 0;
  double loss = 0;
};

struct Prediction {
  std::vector<MoveProbability> moves;  // every legal move, in the generator's order; they add up to 1
  ResultProbabilities result;          // zeros when only the moves were asked for
};

enum class Want : std::uint8_t { moves, moves_and_result };

// That a move is played; 0 for one that is not legal.
double probability_of(const Prediction& prediction, chess::Move move);

struct ModelFile {
  std::string path;
  std::string sha256;
};

// Which ratings a model covers: all from the lowest to the highest, and some of them that stand for the rest.
struct RatingRange {
  std::vector<int> steps;  // lowest first, at least one; of a model with a network for each, these

  int lowest() const { return steps.front(); }
  int highest() const { return steps.back(); }
};

// Every `step`, and the ends.
RatingRange ratings_from(int lowest, int highest, int step = 100);

struct ModelIdentity {
  std::string name;  // "Maia-1"
  RatingRange ratings;
  // Hexadecimal: of the file when the model is one file, else of the sums of its files, step by step ("1100
  // e1cf...\n").
  std::string sha256;
  std::vector<ModelFile> files;  // one for each step, or of one network for all; none when the model is built in
};

// "Postmortem-2 (0123456789ab)": how results name a model, with the beginning of its SHA-256.
std::string model_text(const std::string& name, const std::string& sha256);

class HumanModel {
 public:
  HumanModel() = default;
  HumanModel(const HumanModel&) = delete;
  HumanModel& operator=(const HumanModel&) = delete;
  virtual ~HumanModel() = default;

  virtual const ModelIdentity& identity() const = 0;

  // One prediction for each query, the same to the last bit whatever else is in the batch. A rating outside the range
  // is an error (rating_range) that names them; so is a network file that cannot be used.
  virtual Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) = 0;

  // An error when ratings of this model do not reach so far down or up.
  Expected<void> check_rating(int rating) const;
  // The nearest rating the model covers.
  int nearest_rating(int rating) const;
  // The nearest of its steps; of two as near, the lower.
  int nearest_step(int rating) const;
};

}  // namespace pm::human
