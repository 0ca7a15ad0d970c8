// For tests: a model that answers as it was told, and counts.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <utility>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "human/human_model.h"

namespace pm::human {

// Uniform over the legal moves unless told otherwise for a position; win, draw and loss are a third each.
class FakeModel final : public HumanModel {
 public:
  static constexpr int any_rating = 0;

  explicit FakeModel(std::vector<int> steps = {1100, 1500, 1900})
      : identity_{"fake", {std::move(steps)}, std::string(64, '0'), {}} {}

  // Weights of moves in a position (by FEN), of people of one rating or of all others; what is left out has
  // probability 0.
  void set(const std::string& fen, std::map<std::uint16_t, double> by_move_bits, int rating = any_rating) {
    told_[{fen, rating}] = std::move(by_move_bits);
  }

  const ModelIdentity& identity() const override { return identity_; }
  Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) override {
    std::vector<Prediction> predictions;
    for (const Query& query : queries) {
      if (const auto covered = check_rating(query.rating); !covered) return tl::make_unexpected(covered.error());
      predictions.push_back(answer(query.history.newest(), query.rating, want));
    }
    asked += queries.size();
    return predictions;
  }

  std::atomic<std::size_t> asked = 0;  // by any thread

 private:
  Prediction answer(const chess::Position& position, int rating, Want want) const {
    Prediction prediction;
    auto told = told_.find({chess::format_fen(position), rating});
    if (told == told_.end()) told = told_.find({chess::format_fen(position), any_rating});
    const chess::MoveList moves = chess::legal_moves(position);
    double sum = 0;
    for (const chess::Move m : moves) {
      double weight = 1;
      if (told != told_.end()) {
        const auto found = told->second.find(m.bits());
        weight = found == told->second.end() ? 0 : found->second;
      }
      prediction.moves.push_back({m, weight});
      sum += weight;
    }
    for (MoveProbability& each : prediction.moves) each.probability /= sum;
    if (want == Want::moves_and_result) prediction.result = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    return prediction;
  }

  ModelIdentity identity_;
  std::map<std::pair<std::string, int>, std::map<std::uint16_t, double>> told_;
};

}  // namespace pm::human
