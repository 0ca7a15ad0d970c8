// A Maia-3 network ready to run: a transformer over the 64 squares.
//
//   Maia3Network network(weights);
//   network.run(inputs, true, outputs);
//
// Any number of threads may run it at once; each call borrows memory to compute in, which is kept for later calls. A
// batch gives bit for bit what its positions give one by one. Where the processor has instructions for it, weights and
// what they are multiplied with are rounded to bf16: up to twice as fast, and moves differ by up to half a point.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "chess/position_history.h"
#include "nn/aligned.h"
#include "nn/kernels.h"
#include "nn/maia3_file.h"
#include "nn/network.h"
#include "nn/spare.h"

namespace pm::nn {

// The boards of a history as the network sees them: for each square which flags are set, each board by the side that
// was to move on it.
using Maia3Squares = std::array<PlanesOnSquare, squares>;
Maia3Squares encode_maia3(const chess::PositionHistory& history, std::size_t boards);

// Where a move comes from and goes to, seen by the side to move; castling as the king's way.
struct Maia3Move {
  int from;
  int to;
  int promotion;  // 0 queen, 1 rook, 2 bishop, 3 knight; -1: none
};
Maia3Move maia3_move(chess::Move m, chess::Colour mover);

struct Maia3Input {
  const Maia3Squares* squares;
  int rating;  // of the side to move
  int opponent_rating;
  std::span<const Maia3Move> moves;
};

class Maia3Network {
 public:
  explicit Maia3Network(const Maia3Weights& weights, const Kernels& kernels = best_kernels());

  // Boards computed together: each weight that is read serves all of them.
  static constexpr std::size_t boards_at_once = 4;

  std::size_t boards() const { return boards_; }
  void run(std::span<const Maia3Input> inputs, bool want_value, std::span<NetworkOutput> outputs) const;

 private:
  struct Workspace {
    explicit Workspace(const Maia3Network& network);
    AlignedFloats x;         // [board][square][width]
    AlignedFloats wide;      // queries, keys and values; within the feed-forward layer
    AlignedFloats mixed;     // what comes out of either
    AlignedFloats mean;      // over the squares, of each board
    AlignedFloats small;     // what is made of it
    AlignedFloats parts;     // for each head
    AlignedFloats pairs;     // [board][head][from][to]
    AlignedFloats head;      // of one: queries, packed keys, packed values, scores, result
    AlignedFloats rating;    // what the two ratings add to every square
    AlignedBfloats rounded;  // what is multiplied, in half the precision
  };
  struct Packed {
    std::size_t in = 0;
    std::size_t out = 0;
    AlignedFloats weights;   // as multiply wants them; or
    AlignedBfloats bfloats;  // as multiply_bfloat does
    AlignedFloats biases;
  };
  struct PackedNorm {
    AlignedFloats scale;
    AlignedFloats shift;
  };
  struct Block {
    Packed squeeze;
    PackedNorm squeeze_norm;
    Packed expand;
    PackedNorm expand_norm;
    Packed query_key_value;
    Packed out;
    PackedNorm norm1;
    Packed feed1;
    Packed feed2;
    PackedNorm norm2;
  };
  static Packed pack(const Dense& dense, bool rounded = false);
  static PackedNorm pack(const Norm& norm);
  void multiply(const Packed& layer, const float* from, std::size_t rows, Workspace& work, float* to) const;
  void run_some(std::span<const Maia3Input> inputs, bool want_value, Workspace& work, NetworkOutput* outputs) const;
  void tokens(const Maia3Input& input, Workspace& work, float* x) const;
  void pair_biases(const Block& block, std::size_t boards, Workspace& work) const;
  void attention(std::size_t boards, Workspace& work) const;
  void block(const Block& block, std::size_t boards, Workspace& work) const;
  void value_head(std::size_t boards, Workspace& work, NetworkOutput* outputs) const;

  const Kernels& kernels_;
  std::size_t boards_;
  std::size_t width_;
  std::size_t heads_;
  std::size_t widest_;  // of the layers within a block
  std::vector<float> low_rating_;
  std::vector<float> high_rating_;
  AlignedFloats flags_;         // [flag][width]
  Packed ratings_;              // both ratings -> width
  AlignedFloats token_biases_;  // [width]
  std::vector<Block> blocks_;
  Packed pairs_;
  PackedNorm last_;
  Packed from_;
  Packed to_;
  AlignedFloats promotion_;  // [piece][width]
  PackedNorm value_norm_;
  Packed value1_;
  Dense value2_;
  mutable Spare<Workspace> spare_;
};

}  // namespace pm::nn
