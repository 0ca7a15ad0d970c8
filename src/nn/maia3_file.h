// Reads a Maia-3 network: an ONNX export of its transformer. The shape follows from the tensors, so that larger
// networks of the family load too.
//
//   Expected<Maia3Weights> weights = parse_maia3(graph, external);
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"

namespace pm::nn {

inline constexpr std::size_t maia3_flags_per_board = 12;  // own pieces, then theirs

// A dense layer, [in][out] as the file has it.
struct Dense {
  std::size_t in = 0;
  std::size_t out = 0;
  std::vector<float> weights;
  std::vector<float> biases;  // may be empty
};

struct Norm {
  std::vector<float> weights;
  std::vector<float> biases;  // empty: by the root of the mean square alone
};

// x' = norm1(x + attention(x)), x'' = norm2(x' + feed2(gelu(feed1(x')))). The attention of each head has a bias for
// every pair of squares, made from the mean over the squares: pairs * norm(gelu(expand(norm(gelu(squeeze(mean)))))).
struct EncoderBlock {
  Dense squeeze;
  Norm squeeze_norm;
  Dense expand;
  Norm expand_norm;
  Dense query_key_value;
  Dense out;
  Norm norm1;
  Dense feed1;
  Dense feed2;
  Norm norm2;
};

struct Maia3Weights {
  std::size_t boards = 0;  // of history
  std::size_t width = 0;
  std::size_t heads = 0;
  std::vector<float> low_rating;   // what a rating of 5000 adds to every square, for either player
  std::vector<float> high_rating;  // and one of 0
  Dense tokens;                    // pieces, own rating, the other's -> width
  std::vector<EncoderBlock> blocks;
  Dense pairs;  // shared: part of a head -> a bias for each pair of squares
  Norm last;
  Dense from;       // of a move
  Dense to;         // of a move
  Dense promotion;  // of the square it goes to -> queen, rook, bishop, knight
  Norm value_norm;
  Dense value1;
  Dense value2;  // -> loss, draw, win
};

Expected<Maia3Weights> parse_maia3(std::string_view graph, std::string_view external);

}  // namespace pm::nn
