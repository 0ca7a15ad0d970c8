// Some positions as a network takes them, and how far its answers are from what it should learn.
#pragma once

#include <vector>

#include "train/net.h"
#include "train/samples.h"

namespace pm::train {

// Every hundredth game is not learnt from but checked against.
constexpr bool is_checked(std::size_t game) { return game % 100 == 99; }

struct Batch {
  torch::Tensor planes;   // boards, see winograd.h
  torch::Tensor slots;    // [legal move][position]: where in the network's answer; as many rows as the most moves
  torch::Tensor from;     // the same: where on the boards a move comes from
  torch::Tensor to;       // the same: where it goes to
  torch::Tensor legal;    // the same: 0, or minus a lot where a position has no more moves
  torch::Tensor moves;    // the same: probabilities
  torch::Tensor results;  // [position][3]
};

Batch batch_of(const std::vector<Sample>& samples);

struct Losses {
  torch::Tensor moves;
  torch::Tensor results;
  torch::Tensor agreed;  // the likeliest move is the teacher's
};

// `softened`: what logits are divided by.
Losses losses_of(Net& net, const Batch& batch, double softened = 1);

}  // namespace pm::train
