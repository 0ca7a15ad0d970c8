// Positions in random order, ready to learn from: games are replayed in a shuffled order into a large buffer from which
// positions are drawn at random. Seeded: the same data and seed give the same samples.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "nn/planes.h"
#include "nn/policy_map.h"
#include "train/data_file.h"

namespace pm::train {

struct Sample {
  nn::Planes planes;
  std::vector<nn::PolicySlot> slots;  // of the legal moves
  std::vector<float> moves;           // what to learn: their probabilities
  std::array<float, 3> results{};     // win, draw, loss of the mover
};

class Samples {
 public:
  Samples(const std::vector<TaughtGame>& games, std::uint64_t seed) : games_(games), random_(seed) {}

  // Never ends: begins again in another order. Some game must have a position.
  Sample next();

 private:
  void add_game(const TaughtGame& game);

  const std::vector<TaughtGame>& games_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;  // of the games still to come
  std::vector<Sample> buffer_;
};

// All positions of a game, in order.
std::vector<Sample> all_samples(const TaughtGame& game);

}  // namespace pm::train
