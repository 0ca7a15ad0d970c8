// The numbers of a network, batch normalisation folded in, in the plain order of its definition: what a file reader
// makes and network.h takes. Convolutions are [out][in][rank step][file step], dense layers [out][in].
#pragma once

#include <cstddef>
#include <vector>

namespace pm::nn {

// Far above any network this program could run in a useful time.
inline constexpr std::size_t most_channels = 256;
inline constexpr std::size_t most_blocks = 20;

struct Layer {
  std::vector<float> weights;
  std::vector<float> biases;  // as many as there are outputs
};

// y = relu(conv1 x), z = conv2 y; then, channel by channel, out = relu(sigmoid(g) z + h + x), where g and h come out of
// two small dense layers on the channels' means of z (squeeze and excitation).
struct ResidualBlock {
  Layer conv1;
  Layer conv2;
  Layer squeeze;  // channels -> squeezed, relu
  Layer excite;   // squeezed -> 2 * channels: all g, then all h
};

struct Weights {
  std::size_t planes = 0;    // of the input
  std::size_t channels = 0;  // of the tower
  Layer input;               // 3x3, planes -> channels
  std::vector<ResidualBlock> blocks;
  Layer policy1;  // 3x3, channels -> channels
  Layer policy2;  // 3x3, channels -> at least policy_planes
  // A move's logit is that of its plane where it comes from, and, in networks of our own, how well the two squares go
  // together: policy1's channels where it goes to, times this dense layer of those where it comes from. Else empty.
  Layer pairing;
  Layer value1;  // 1x1, channels -> some
  Layer value2;  // dense, [channel][square] -> some
  Layer value3;  // dense -> win, draw, loss of the side to move
};

}  // namespace pm::nn
