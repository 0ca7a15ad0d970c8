// A network ready to run: weights in the layout the kernels want.
//
//   Network network(weights);
//   network.run(inputs, true, outputs);
//
// Any number of threads may run it at once; each call borrows memory to compute in, which is kept for later calls. A
// batch gives bit for bit what its positions give one by one.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "nn/aligned.h"
#include "nn/kernels.h"
#include "nn/planes.h"
#include "nn/policy_map.h"
#include "nn/spare.h"
#include "nn/weights.h"

namespace pm::nn {

// A position to look at: what the network sees, and the moves it is asked about. Points to both; owns neither.
struct NetworkInput {
  const Planes* planes;
  std::span<const PolicySlot> moves;
};

struct NetworkOutput {
  std::vector<float> logits;   // one for each move asked about
  std::array<float, 3> wdl{};  // probabilities of the side to move's win, draw, loss; zeros when not asked for
};

class Network {
 public:
  // The kernels are those of the processor unless a test wants others.
  explicit Network(const Weights& weights, const Kernels& kernels = best_kernels());

  // Boards computed together: their activations stay in a second-level cache of half a megabyte.
  static constexpr std::size_t boards_at_once = 4;

  void run(std::span<const NetworkInput> inputs, bool want_value, std::span<NetworkOutput> outputs) const;

 private:
  // The memory one thread computes in.
  struct Workspace {
    explicit Workspace(const Network& network);
    AlignedFloats boards;  // the tower's activations
    AlignedFloats inner;   // within a block
    AlignedFloats points;
    AlignedFloats products;
    AlignedFloats edges;    // of one board: kernels.h
    AlignedFloats taps;     // of one board: what the constant planes come to at each tap
    AlignedFloats means;    // of one board, by channel
    AlignedFloats excited;  // scales, then shifts
    AlignedFloats places;   // of one board: the channels of squares that moves come from
    AlignedFloats asking;   // of one board: what these ask of the squares moves go to
    AlignedFloats value;
    AlignedFloats hidden;
  };
  struct Convolution {  // 3x3, in Winograd's points
    AlignedFloats weights;
    AlignedFloats biases;
  };
  struct Excitation {
    std::size_t squeezed;
    AlignedFloats squeeze_weights;  // [squeezed][channel]
    AlignedFloats squeeze_biases;
    AlignedFloats excite_weights;  // [squeezed][scale of channel, then shift of channel]
    AlignedFloats excite_biases;
  };
  struct Block {
    Convolution conv1;
    Convolution conv2;
    Excitation excitation;
  };
  Convolution pack(const Layer& layer) const;
  Excitation pack(const ResidualBlock& block) const;
  void run_some(std::span<const NetworkInput> inputs, bool want_value, Workspace& work, NetworkOutput* outputs) const;
  void first_layer(const Planes& planes, Workspace& work, float* board) const;
  void convolve(const Convolution& convolution, const float* from, std::size_t boards, bool relu, Workspace& work,
                float* to) const;
  void excite(const Excitation& excitation, float* board, const float* skip, Workspace& work) const;
  void policy_head(const NetworkInput& input, const float* board, Workspace& work, std::vector<float>& logits) const;
  void add_pairing(const NetworkInput& input, const float* board, Workspace& work, std::vector<float>& logits) const;
  void value_head(std::size_t boards, Workspace& work, NetworkOutput* outputs) const;

  const Kernels& kernels_;
  std::size_t planes_;
  std::size_t real_channels_;
  std::size_t channels_;  // padded to a multiple of lane_block
  AlignedFloats input_weights_;
  AlignedFloats input_biases_;
  std::vector<Block> blocks_;
  Convolution policy1_;
  AlignedFloats policy2_weights_;  // [plane][tap][channel]
  std::vector<float> policy2_biases_;
  AlignedFloats pairing_weights_;  // packed for multiply; empty when there is no such layer
  AlignedFloats pairing_biases_;
  std::size_t value_planes_;
  AlignedFloats value1_weights_;
  AlignedFloats value1_biases_;
  std::size_t value_hidden_;
  AlignedFloats value2_weights_;
  AlignedFloats value2_biases_;
  Layer value3_;
  mutable Spare<Workspace> spare_;
};

}  // namespace pm::nn
