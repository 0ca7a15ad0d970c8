// The network while it learns, in the framework's terms; the same layers as nn/weights.h, batch normalisation not
// yet folded in. Boards are [channel][group][64][16], see winograd.h.
#pragma once

#include <torch/torch.h>

#include "nn/weights.h"

namespace pm::train {

struct NetShape {
  int channels = 48;
  int blocks = 4;
  int squeezed = 8;
  int value_planes = 8;
  int value_hidden = 64;
  bool operator==(const NetShape&) const = default;
};
NetShape shape_of(const nn::Weights& weights);

// A convolution without bias, and batch normalisation.
struct NormedImpl : torch::nn::Module {
  NormedImpl(int in, int out, int size);
  torch::Tensor forward(const torch::Tensor& x, bool relu);
  nn::Layer folded();
  void take(const nn::Layer& layer);

  torch::nn::Conv2d convolution{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  // Of a layer taken over, until a batch has come by: what the convolution lacks.
  torch::Tensor taken_scales;
  torch::Tensor taken_biases;
};
TORCH_MODULE(Normed);

struct BlockImpl : torch::nn::Module {
  BlockImpl(int channels, int squeezed);
  torch::Tensor forward(const torch::Tensor& x);

  Normed conv1{nullptr};
  Normed conv2{nullptr};
  torch::nn::Linear squeeze{nullptr};
  torch::nn::Linear excite{nullptr};
};
TORCH_MODULE(Block);

struct NetImpl : torch::nn::Module {
  explicit NetImpl(const NetShape& shape);
  struct Answers {
    torch::Tensor moves;    // logits of the moves asked about
    torch::Tensor results;  // logits, [position][win, draw, loss]
  };
  // Moves as places on boards [channel or plane][group][square][position of the group]; in `from` and `to` of channel
  // 0.
  struct Moves {
    torch::Tensor slots;
    torch::Tensor from;
    torch::Tensor to;
  };
  Answers forward(const torch::Tensor& planes, const Moves& moves);
  nn::Weights weights();  // batch normalisation folded in
  // Goes on from a network of the same shape. Its normalisation is folded in and gone; the first batch to learn from is
  // measured for another that changes nothing.
  void take(const nn::Weights& weights);

  NetShape shape;
  Normed input{nullptr};
  torch::nn::ModuleList blocks;
  Normed policy1{nullptr};
  torch::nn::Conv2d policy2{nullptr};
  torch::nn::Linear pairing{nullptr};
  Normed value1{nullptr};
  torch::nn::Linear value2{nullptr};
  torch::nn::Linear value3{nullptr};
};
TORCH_MODULE(Net);

}  // namespace pm::train
