// 3x3 convolutions of chess boards and their gradients, four by four squares at a time (Winograd's F(4x4, 3x3)): a
// quarter of the multiplications of the plain way. Boards go in groups of sixteen, so that every step works on whole
// vectors and close memory: [channel][group][square][position of the group].
#pragma once

#include <cstddef>

namespace pm::train {

inline constexpr std::size_t group_positions = 16;

struct Convolution {
  std::size_t in;      // channels, a multiple of 4
  std::size_t out;     // channels
  std::size_t groups;  // of the batch
  int threads;         // at least one
};

// `weights` are [out][in][3][3].
void convolve(const Convolution& how, const float* boards, const float* weights, float* results);

// From the gradient of the results: of the weights, and of the boards unless that is null.
void convolve_back(const Convolution& how, const float* boards, const float* weights, const float* results_gradient,
                   float* boards_gradient, float* weights_gradient);

}  // namespace pm::train
