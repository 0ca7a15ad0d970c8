#include "nn/network.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace pm::nn {
namespace {

constexpr std::size_t filter_taps = 9;
constexpr std::size_t edge_classes = 9;

std::size_t padded(std::size_t channels) { return (channels + lane_block - 1) / lane_block * lane_block; }

AlignedFloats padded_copy(const std::vector<float>& from) {
  AlignedFloats to(padded(from.size()));
  std::copy(from.begin(), from.end(), to.data());
  return to;
}

// Where the weight from `in` to `out` stands among those packed for Kernels::multiply.
std::size_t packed_at(std::size_t out, std::size_t in, std::size_t ins) {
  return (out / lane_block * ins + in) * lane_block + out % lane_block;
}

// A 3-tap filter at the points 0, 1, -1, 2, -2, infinity (the counterpart of kernels_impl.h).
void filter_to_points(const float g[3], float points[6]) {
  const float even = g[0] + g[2];
  const float even2 = g[0] + 4 * g[2];
  points[0] = g[0] / 4;
  points[1] = -(even + g[1]) / 6;
  points[2] = -(even - g[1]) / 6;
  points[3] = (even2 + 2 * g[1]) / 24;
  points[4] = (even2 - 2 * g[1]) / 24;
  points[5] = g[2];
}

std::array<float, winograd_points> filter_to_points(const float* filter) {
  float columns[3][6];  // by file step, along the ranks
  for (std::size_t x = 0; x < 3; ++x) {
    const float g[3] = {filter[x], filter[3 + x], filter[6 + x]};
    filter_to_points(g, columns[x]);
  }
  std::array<float, winograd_points> points;
  for (std::size_t y = 0; y < 6; ++y) {
    const float g[3] = {columns[0][y], columns[1][y], columns[2][y]};
    filter_to_points(g, &points[6 * y]);
  }
  return points;
}

std::array<float, 3> softmax3(const std::array<float, 3>& logits) {
  const float most = std::max({logits[0], logits[1], logits[2]});
  std::array<float, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) e[i] = std::exp(logits[i] - most);
  const float sum = e[0] + e[1] + e[2];
  return {e[0] / sum, e[1] / sum, e[2] / sum};
}

// The first `count` planes that differ from square to square.
std::array<PlanesOnSquare, squares> planes_by_square(const Planes& planes, std::size_t count) {
  std::array<PlanesOnSquare, squares> set{};
  for (std::size_t p = 0; p < count; ++p) {
    if (planes[p].mask == everywhere) continue;
    for (std::uint64_t left = planes[p].mask; left != 0; left &= left - 1) {
      PlanesOnSquare& on = set[static_cast<std::size_t>(std::countr_zero(left))];
      on.planes[on.count++] = static_cast<std::uint8_t>(p);
    }
  }
  return set;
}

}  // namespace

Network::Convolution Network::pack(const Layer& layer) const {
  Convolution packed{AlignedFloats(winograd_points * channels_ * channels_), padded_copy(layer.biases)};
  for (std::size_t out = 0; out < real_channels_; ++out) {
    for (std::size_t in = 0; in < real_channels_; ++in) {
      const auto points = filter_to_points(&layer.weights[(out * real_channels_ + in) * filter_taps]);
      float* to = packed.weights.data() + packed_at(out, in, channels_);
      for (std::size_t p = 0; p < winograd_points; ++p) to[p * channels_ * channels_] = points[p];
    }
  }
  return packed;
}

Network::Excitation Network::pack(const ResidualBlock& block) const {
  const std::size_t squeezed = block.squeeze.biases.size();
  Excitation packed{squeezed, AlignedFloats(squeezed * channels_), padded_copy(block.squeeze.biases),
                    AlignedFloats(squeezed * 2 * channels_), AlignedFloats(2 * channels_)};
  for (std::size_t c = 0; c < real_channels_; ++c) {
    packed.excite_biases[c] = block.excite.biases[c];
    packed.excite_biases[channels_ + c] = block.excite.biases[real_channels_ + c];
    for (std::size_t s = 0; s < squeezed; ++s) {
      packed.squeeze_weights[s * channels_ + c] = block.squeeze.weights[s * real_channels_ + c];
      packed.excite_weights[s * 2 * channels_ + c] = block.excite.weights[c * squeezed + s];
      packed.excite_weights[(2 * s + 1) * channels_ + c] = block.excite.weights[(real_channels_ + c) * squeezed + s];
    }
  }
  return packed;
}

Network::Network(const Weights& weights, const Kernels& kernels)
    : kernels_(kernels),
      planes_(weights.planes),
      real_channels_(weights.channels),
      channels_(padded(weights.channels)),
      input_weights_(filter_taps * planes_ * channels_),
      input_biases_(padded_copy(weights.input.biases)),
      policy1_(pack(weights.policy1)),
      policy2_weights_(static_cast<std::size_t>(policy_planes) * filter_taps * channels_),
      policy2_biases_(weights.policy2.biases),
      pairing_weights_(weights.pairing.weights.empty() ? 0 : channels_ * channels_),
      pairing_biases_(padded_copy(weights.pairing.biases)),
      value_planes_(padded(weights.value1.biases.size())),
      value1_weights_(channels_ * value_planes_),
      value1_biases_(padded_copy(weights.value1.biases)),
      value_hidden_(padded(weights.value2.biases.size())),
      value2_weights_(squares * value_planes_ * value_hidden_),
      value2_biases_(padded_copy(weights.value2.biases)),
      value3_(weights.value3) {
  for (std::size_t out = 0; out < real_channels_; ++out) {
    for (std::size_t plane = 0; plane < planes_; ++plane) {
      for (std::size_t tap = 0; tap < filter_taps; ++tap) {
        input_weights_[(tap * planes_ + plane) * channels_ + out] =
            weights.input.weights[(out * planes_ + plane) * filter_taps + tap];
      }
    }
  }
  blocks_.reserve(weights.blocks.size());
  for (const ResidualBlock& block : weights.blocks) {
    blocks_.push_back({pack(block.conv1), pack(block.conv2), pack(block)});
  }
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(policy_planes); ++plane) {
    for (std::size_t in = 0; in < real_channels_; ++in) {
      for (std::size_t tap = 0; tap < filter_taps; ++tap) {
        policy2_weights_[(plane * filter_taps + tap) * channels_ + in] =
            weights.policy2.weights[(plane * real_channels_ + in) * filter_taps + tap];
      }
    }
  }
  if (!weights.pairing.weights.empty()) {
    for (std::size_t out = 0; out < real_channels_; ++out) {
      for (std::size_t in = 0; in < real_channels_; ++in) {
        pairing_weights_[packed_at(out, in, channels_)] = weights.pairing.weights[out * real_channels_ + in];
      }
    }
  }
  const std::size_t real_value_planes = weights.value1.biases.size();
  for (std::size_t out = 0; out < real_value_planes; ++out) {
    for (std::size_t in = 0; in < real_channels_; ++in) {
      value1_weights_[packed_at(out, in, channels_)] = weights.value1.weights[out * real_channels_ + in];
    }
  }
  // The definition flattens [channel][square]; our boards are [square][channel].
  const std::size_t flat = squares * value_planes_;
  for (std::size_t out = 0; out < weights.value2.biases.size(); ++out) {
    for (std::size_t plane = 0; plane < real_value_planes; ++plane) {
      for (std::size_t s = 0; s < squares; ++s) {
        value2_weights_[packed_at(out, s * value_planes_ + plane, flat)] =
            weights.value2.weights[(out * real_value_planes + plane) * squares + s];
      }
    }
  }
}

Network::Workspace::Workspace(const Network& network)
    : boards(boards_at_once * squares * network.channels_),
      inner(boards_at_once * squares * network.channels_),
      points(winograd_points * point_stride(boards_at_once, network.channels_)),
      products(winograd_points * point_stride(boards_at_once, network.channels_)),
      edges(edge_classes * network.channels_),
      taps(filter_taps * network.channels_),
      means(network.channels_),
      excited(2 * network.channels_),
      places(network.pairing_biases_.size() * squares),
      asking(network.pairing_biases_.size() * squares),
      value(boards_at_once * squares * network.value_planes_),
      hidden(boards_at_once * network.value_hidden_) {}

void Network::run(std::span<const NetworkInput> inputs, bool want_value, std::span<NetworkOutput> outputs) const {
  assert(inputs.size() == outputs.size());
  const auto work = spare_.borrow([&] { return std::make_unique<Workspace>(*this); });
  for (std::size_t done = 0; done < inputs.size();) {
    const std::size_t now = std::min(boards_at_once, inputs.size() - done);
    run_some(inputs.subspan(done, now), want_value, *work, &outputs[done]);
    done += now;
  }
}

void Network::run_some(std::span<const NetworkInput> inputs, bool want_value, Workspace& work,
                       NetworkOutput* outputs) const {
  const std::size_t boards = inputs.size();
  const std::size_t board_size = squares * channels_;
  for (std::size_t b = 0; b < boards; ++b) first_layer(*inputs[b].planes, work, work.boards.data() + b * board_size);
  for (const Block& block : blocks_) {
    convolve(block.conv1, work.boards.data(), boards, true, work, work.inner.data());
    convolve(block.conv2, work.inner.data(), boards, false, work, work.inner.data());
    for (std::size_t b = 0; b < boards; ++b) {
      excite(block.excitation, work.inner.data() + b * board_size, work.boards.data() + b * board_size, work);
    }
    std::swap(work.boards, work.inner);
  }
  convolve(policy1_, work.boards.data(), boards, true, work, work.inner.data());
  for (std::size_t b = 0; b < boards; ++b) {
    policy_head(inputs[b], work.inner.data() + b * board_size, work, outputs[b].logits);
  }
  if (want_value) value_head(boards, work, outputs);
}

void Network::policy_head(const NetworkInput& input, const float* board, Workspace& work,
                          std::vector<float>& logits) const {
  logits.clear();
  for (const PolicySlot& slot : input.moves) {
    const auto plane = static_cast<std::size_t>(slot.plane);
    const float* weights = policy2_weights_.data() + plane * filter_taps * channels_;
    logits.push_back(policy2_biases_[plane] +
                     kernels_.convolve_at(board, static_cast<std::size_t>(slot.from), channels_, weights));
  }
  if (pairing_weights_.size() != 0) add_pairing(input, board, work, logits);
}

void Network::add_pairing(const NetworkInput& input, const float* board, Workspace& work,
                          std::vector<float>& logits) const {
  std::array<std::size_t, squares> row_of{};  // of a square that a move comes from, counted from 1
  std::size_t rows = 0;
  for (const PolicySlot& slot : input.moves) {
    const auto from = static_cast<std::size_t>(slot.from);
    if (row_of[from] != 0) continue;
    std::copy_n(board + from * channels_, channels_, work.places.data() + rows * channels_);
    row_of[from] = ++rows;
  }
  kernels_.multiply(work.places.data(), rows, channels_, pairing_weights_.data(), channels_, work.asking.data());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < channels_; ++c) work.asking[row * channels_ + c] += pairing_biases_[c];
  }
  for (std::size_t i = 0; i < input.moves.size(); ++i) {
    const PolicySlot& slot = input.moves[i];
    const float* asking = work.asking.data() + (row_of[static_cast<std::size_t>(slot.from)] - 1) * channels_;
    logits[i] += kernels_.dot(asking, board + static_cast<std::size_t>(slot.to) * channels_, channels_);
  }
}

void Network::first_layer(const Planes& planes, Workspace& work, float* board) const {
  // What planes that are the same on all squares come to, and the bias: it differs only along the edges, where a part
  // of the filter hangs over the board.
  std::fill_n(work.taps.data(), filter_taps * channels_, 0.0F);
  for (std::size_t plane = 0; plane < planes_; ++plane) {
    if (planes[plane].mask != everywhere) continue;
    for (std::size_t tap = 0; tap < filter_taps; ++tap) {
      const float* weights = input_weights_.data() + (tap * planes_ + plane) * channels_;
      float* sums = work.taps.data() + tap * channels_;
      for (std::size_t c = 0; c < channels_; ++c) sums[c] += planes[plane].value * weights[c];
    }
  }
  for (std::size_t rank = 0; rank < 3; ++rank) {
    for (std::size_t file = 0; file < 3; ++file) {
      float* edge = work.edges.data() + (3 * rank + file) * channels_;
      std::copy_n(input_biases_.data(), channels_, edge);
      for (std::size_t tap = 0; tap < filter_taps; ++tap) {
        const bool below = rank == 0 && tap / 3 == 0;
        const bool above = rank == 2 && tap / 3 == 2;
        const bool left = file == 0 && tap % 3 == 0;
        const bool right = file == 2 && tap % 3 == 2;
        if (below || above || left || right) continue;
        const float* sums = work.taps.data() + tap * channels_;
        for (std::size_t c = 0; c < channels_; ++c) edge[c] += sums[c];
      }
    }
  }
  const auto set = planes_by_square(planes, planes_);
  kernels_.first_layer(set.data(), input_weights_.data(), planes_, work.edges.data(), channels_, board);
}

void Network::convolve(const Convolution& convolution, const float* from, std::size_t boards, bool relu,
                       Workspace& work, float* to) const {
  kernels_.board_to_points(from, boards, channels_, work.points.data());
  kernels_.multiply_points(work.points.data(), boards, channels_, convolution.weights.data(), channels_,
                           work.products.data());
  kernels_.points_to_board(work.products.data(), boards, channels_, convolution.biases.data(), relu, to);
}

void Network::excite(const Excitation& excitation, float* board, const float* skip, Workspace& work) const {
  kernels_.sum_squares(board, channels_, work.means.data());
  for (std::size_t c = 0; c < channels_; ++c) work.means[c] /= static_cast<float>(squares);
  std::copy_n(excitation.excite_biases.data(), 2 * channels_, work.excited.data());
  for (std::size_t s = 0; s < excitation.squeezed; ++s) {
    const float* weights = excitation.squeeze_weights.data() + s * channels_;
    float sum = excitation.squeeze_biases[s];
    for (std::size_t c = 0; c < channels_; ++c) sum += weights[c] * work.means[c];
    if (sum <= 0) continue;
    const float* excite = excitation.excite_weights.data() + s * 2 * channels_;
    for (std::size_t i = 0; i < 2 * channels_; ++i) work.excited[i] += excite[i] * sum;
  }
  float* scale = work.excited.data();
  for (std::size_t c = 0; c < channels_; ++c) scale[c] = 1.0F / (1.0F + std::exp(-scale[c]));
  kernels_.scale_and_add(board, skip, channels_, scale, scale + channels_);
}

void Network::value_head(std::size_t boards, Workspace& work, NetworkOutput* outputs) const {
  kernels_.multiply(work.boards.data(), boards * squares, channels_, value1_weights_.data(), value_planes_,
                    work.value.data());
  kernels_.add_bias_relu(work.value.data(), boards * squares, value_planes_, value1_biases_.data());
  kernels_.multiply(work.value.data(), boards, squares * value_planes_, value2_weights_.data(), value_hidden_,
                    work.hidden.data());
  kernels_.add_bias_relu(work.hidden.data(), boards, value_hidden_, value2_biases_.data());
  const std::size_t hidden = value3_.weights.size() / 3;
  for (std::size_t b = 0; b < boards; ++b) {
    std::array<float, 3> logits{};
    for (std::size_t i = 0; i < 3; ++i) {
      logits[i] = value3_.biases[i];
      for (std::size_t h = 0; h < hidden; ++h) {
        logits[i] += value3_.weights[i * hidden + h] * work.hidden[b * value_hidden_ + h];
      }
    }
    outputs[b].wdl = softmax3(logits);
  }
}

}  // namespace pm::nn
