// The inner loops of the networks, compiled once per instruction set; the processor's best is chosen at run time.
//
// Everything here is plain arithmetic on arrays: no allocation, no error, any thread. Arrays are 64-byte aligned and
// channel counts are multiples of 16 (`lane_block`), padded with zeros; that way every instruction set reads the same
// layout. Activations are [position][square][channel], squares as a1 = 0, ... h8 = 63.
//
// Each output number is one chain of operations in a fixed order, whatever else is computed beside it: a batch gives
// bit for bit what its positions give one by one. Different instruction sets may differ in the last bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/aligned.h"

namespace pm::nn {

inline constexpr std::size_t squares = 64;
inline constexpr std::size_t lane_block = 16;

// 3x3 convolutions use Winograd's F(4x4, 3x3): a board is four tiles of 4x4 outputs, each computed from 6x6 inputs at
// 36 points, which is a quarter of the multiplications (Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015).
inline constexpr std::size_t tiles_per_board = 4;
inline constexpr std::size_t winograd_points = 36;
// From one point to the next, in floats. A cache line more than the data need: multiples of a large power of two would
// put all 36 points of a tile into the same few lines of the first-level cache.
constexpr std::size_t point_stride(std::size_t boards, std::size_t channels) {
  return boards * tiles_per_board * channels + lane_block;
}

// The planes that are set on a square: the pieces that stand there on the eight boards, and of our own networks what is
// said of the square now (planes.h).
struct PlanesOnSquare {
  std::uint8_t planes[28];
  std::uint8_t count;
};

struct Kernels {
  const char* name;

  // to[row][out] = sum over in of from[row][in] * weights, with weights packed as [out / 16][in][16]. A matrix of
  // `row_stride` floats a row may hold more rows than are asked for.
  void (*multiply)(const float* from, std::size_t rows, std::size_t in, const float* weights, std::size_t out,
                   float* to);

  // The three steps of a 3x3 convolution on boards. points: [36][4 * boards][channels], point_stride() apart; weights:
  // [36] matrices packed as for multiply. board_to_points and points_to_board work on `boards` boards of `channels`.
  void (*board_to_points)(const float* board, std::size_t boards, std::size_t channels, float* points);
  void (*multiply_points)(const float* points, std::size_t boards, std::size_t in, const float* weights,
                          std::size_t out, float* to);
  // Adds the bias; negative results become 0 when relu says so.
  void (*points_to_board)(const float* points, std::size_t boards, std::size_t channels, const float* bias, bool relu,
                          float* board);

  // The first layer, whose input is almost all zeros: for each square, the planes set on it and around it are added
  // up. weights: [tap][plane][channels], a tap being 3 * (rank step + 1) + file step + 1; edges: what the
  // constant planes and the bias amount to, [3 * rank class + file class][channels], a class being 0 on the first
  // rank or file, 2 on the last, else 1. Negative results become 0.
  void (*first_layer)(const PlanesOnSquare* set, const float* weights, std::size_t planes, const float* edges,
                      std::size_t channels, float* board);

  // sums[channel] = sum over the squares of one board.
  void (*sum_squares)(const float* board, std::size_t channels, float* sums);
  // board = max(0, board * scale[channel] + shift[channel] + skip).
  void (*scale_and_add)(float* board, const float* skip, std::size_t channels, const float* scale, const float* shift);
  // row = max(0, row + bias) for each row.
  void (*add_bias_relu)(float* rows, std::size_t count, std::size_t columns, const float* bias);

  // One output of a 3x3 convolution: weights [tap][channels] around `square`.
  float (*convolve_at)(const float* board, std::size_t square, std::size_t channels, const float* weights);
  // The sum of the products.
  float (*dot)(const float* a, const float* b, std::size_t channels);

  // For transformers. row = gelu(row + bias) for each row, with the error function (to 2e-7).
  void (*add_bias_gelu)(float* rows, std::size_t count, std::size_t columns, const float* bias);
  // row += more + bias, over the root of its mean square, times scale; bias may be null.
  void (*add_and_norm)(float* rows, const float* more, const float* bias, std::size_t count, std::size_t columns,
                       const float* scale);
  // Each row becomes mean 0 and deviation 1, times scale, plus shift.
  void (*layer_norm)(float* rows, std::size_t count, std::size_t columns, const float* scale, const float* shift);
  // Each row of numbers plus bias becomes probabilities.
  void (*softmax)(float* rows, const float* bias, std::size_t count, std::size_t columns);

  // In half the precision at twice the speed, or null where the processor has no instructions for it. `count` is a
  // multiple of 16; `in` of multiply_bfloat is even, and its weights are packed as [out / 16][in / 2][16][2].
  void (*to_bfloat)(const float* from, std::size_t count, Bfloat* to);
  void (*multiply_bfloat)(const Bfloat* from, std::size_t rows, std::size_t in, const Bfloat* weights, std::size_t out,
                          float* to);
};

// The processor's best.
const Kernels& best_kernels();
// All that run here, the plainest first; tests try each.
std::span<const Kernels* const> usable_kernels();

}  // namespace pm::nn
