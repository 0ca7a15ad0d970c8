#include "nn/maia3_file.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "nn/kernels.h"
#include "nn/onnx_file.h"

namespace pm::nn {
namespace {

constexpr std::size_t most_layers = 64;
constexpr std::size_t most_width = 4096;

tl::unexpected<Error> bad_maia3(std::string_view what, const std::string& why) {
  return fail(ErrorCode::weights_format, fmt::format("{}: {}", what, why));
}

// Thrown within this file alone, where every second line would otherwise pass an error on.
struct Refused {
  Error error;
};

template <class T>
T take(Expected<T> value) {
  if (!value) throw Refused{value.error()};
  return std::move(*value);
}

class Maia3Reader {
 public:
  explicit Maia3Reader(const OnnxGraph& graph) : graph_(graph) {}

  Maia3Weights read() {
    Maia3Weights weights;
    const std::size_t rating = shape_of("elo_embedding_low.weight", 2)[1];
    if (rating == 0 || rating > most_width || rating % lane_block != 0)
      refuse("elo_embedding_low", "of a strange size");
    weights.low_rating = floats("elo_embedding_low.weight", {1, rating});
    weights.high_rating = floats("elo_embedding_high.weight", {1, rating});
    const std::size_t width = shape_of("token_projection.bias", 1)[0];
    if (width == 0 || width > most_width || width % lane_block != 0)
      refuse("token_projection.bias", "of a strange size");
    weights.width = width;
    weights.tokens = with_bias("token_projection.bias");
    const std::size_t pieces = weights.tokens.in - std::min(weights.tokens.in, 2 * rating);
    weights.boards = pieces / maia3_flags_per_board;
    if (weights.boards == 0 || weights.boards > 8 || pieces % maia3_flags_per_board != 0) {
      refuse("token_projection",
             fmt::format("expected ratings and up to 8 boards, found {} inputs", weights.tokens.in));
    }
    read_pairs(weights);
    while (graph_.find(name(weights.blocks.size(), "norm1.weight")) != nullptr) {
      if (weights.blocks.size() == most_layers) refuse("transformer", "it has too many layers");
      weights.blocks.push_back(read_block(weights.blocks.size(), width));
    }
    if (weights.blocks.empty()) refuse("transformer", "it has no layers");
    weights.heads = weights.blocks.front().expand.out / weights.pairs.in;
    read_unnamed(weights);
    weights.last = layer_norm("transformer.norm", width);
    weights.value_norm = layer_norm("last_ln", width);
    weights.value1 = turned("fc_value_hid");
    weights.value2 = turned("fc_value");
    check(weights);
    return weights;
  }

 private:
  [[noreturn]] static void refuse(std::string_view what, const std::string& why) {
    throw Refused{bad_maia3(what, why).value()};
  }
  static std::string name(std::size_t layer, std::string_view rest) {
    return fmt::format("transformer.layers.{}.{}", layer, rest);
  }

  const std::vector<std::size_t>& shape_of(std::string_view tensor, std::size_t dimensions) const {
    const OnnxTensor* found = graph_.find(tensor);
    if (found == nullptr) refuse(tensor, "there is no such tensor");
    if (found->shape.size() != dimensions) refuse(tensor, fmt::format("expected {} dimensions", dimensions));
    return found->shape;
  }
  std::vector<float> floats(std::string_view tensor, const std::vector<std::size_t>& shape) const {
    return take(graph_.floats(tensor, shape));
  }

  // [out][in] in the file.
  Dense transposed(std::string_view tensor, std::size_t out, std::size_t in) const {
    const std::vector<float> numbers = floats(tensor, {out, in});
    Dense dense{in, out, std::vector<float>(numbers.size()), {}};
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < in; ++i) dense.weights[i * out + o] = numbers[o * in + i];
    }
    return dense;
  }

  // The same, with biases beside it.
  Dense turned(const std::string& layer) const {
    const std::string weights = layer + ".weight";
    const auto& shape = shape_of(weights, 2);
    Dense dense = transposed(weights, shape[0], shape[1]);
    dense.biases = floats(layer + ".bias", {shape[0]});
    return dense;
  }

  Dense matrix(std::string_view tensor) const {
    const auto& shape = shape_of(tensor, 2);
    return {shape[0], shape[1], floats(tensor, shape), {}};
  }

  Norm layer_norm(const std::string& layer, std::size_t size) const {
    return {floats(layer + ".weight", {size}), floats(layer + ".bias", {size})};
  }

  // The matrix of a product has a name that tells nothing: it is found by the bias that is added to the product.
  Dense with_bias(const std::string& bias) const {
    for (const OnnxNode& add : graph_.nodes) {
      if (add.operation != "Add" || add.inputs.size() != 2) continue;
      const bool second = add.inputs[1] == bias;
      if (!second && add.inputs[0] != bias) continue;
      const std::string_view product = add.inputs[second ? 0 : 1];
      for (const OnnxNode& node : graph_.nodes) {
        if (node.operation != "MatMul" || node.inputs.size() != 2 || node.outputs.empty()) continue;
        if (node.outputs[0] != product) continue;
        Dense dense = matrix(node.inputs[1]);
        dense.biases = floats(bias, {dense.out});
        return dense;
      }
    }
    refuse(bias, "nothing is multiplied before it is added");
  }

  void read_pairs(Maia3Weights& weights) const {
    constexpr std::string_view ending = ".self_attn.gab_weight";
    for (const auto& [tensor, value] : graph_.tensors) {
      if (!std::string_view(tensor).ends_with(ending)) continue;
      const auto& shape = shape_of(tensor, 2);
      weights.pairs = transposed(tensor, squares * squares, shape[1]);
      return;
    }
    refuse("gab_weight", "there is no such tensor");
  }

  EncoderBlock read_block(std::size_t layer, std::size_t width) const {
    EncoderBlock block;
    block.squeeze = turned(name(layer, "self_attn.sm2"));
    block.squeeze_norm = layer_norm(name(layer, "self_attn.ln1"), block.squeeze.out);
    block.expand = turned(name(layer, "self_attn.sm3"));
    block.expand_norm = layer_norm(name(layer, "self_attn.ln2"), block.expand.out);
    block.norm1 = {floats(name(layer, "norm1.weight"), {width}), {}};
    block.norm2 = {floats(name(layer, "norm2.weight"), {width}), {}};
    block.feed1 = with_bias(name(layer, "linear1.bias"));
    block.feed2 = with_bias(name(layer, "linear2.bias"));
    return block;
  }

  // Products without a bias, in the order they are computed: of each layer queries, keys and values, then what becomes
  // of them; last where moves come from, where they go, and what pawns become.
  void read_unnamed(Maia3Weights& weights) const {
    const std::size_t width = weights.width;
    std::vector<std::string_view> products;
    for (const OnnxNode& node : graph_.nodes) {
      if (node.operation != "MatMul" || node.inputs.size() != 2 || graph_.find(node.inputs[1]) == nullptr) continue;
      if (!is_biased(node)) products.push_back(node.inputs[1]);
    }
    const std::size_t wanted = 2 * weights.blocks.size() + 3;
    if (products.size() != wanted) {
      refuse("graph", fmt::format("expected {} products without a bias, found {}", wanted, products.size()));
    }
    std::size_t next = 0;
    for (EncoderBlock& block : weights.blocks) {
      block.query_key_value = sized(products[next++], width, 3 * width);
      block.out = sized(products[next++], width, width);
    }
    weights.from = sized(products[next++], width, width);
    weights.to = sized(products[next++], width, width);
    weights.promotion = sized(products[next++], width, 4);
  }

  Dense sized(std::string_view tensor, std::size_t in, std::size_t out) const {
    return {in, out, floats(tensor, {in, out}), {}};
  }

  bool is_biased(const OnnxNode& product) const {
    for (const OnnxNode& add : graph_.nodes) {
      if (add.operation != "Add" || add.inputs.size() != 2 || product.outputs.empty()) continue;
      for (std::size_t side = 0; side < 2; ++side) {
        if (add.inputs[side] != product.outputs[0]) continue;
        const OnnxTensor* bias = graph_.find(add.inputs[1 - side]);
        if (bias != nullptr && bias->shape.size() == 1) return true;
      }
    }
    return false;
  }

  static void expect_size(const Dense& dense, std::size_t in, std::size_t out, const std::string& what) {
    if (dense.in == in && dense.out == out) return;
    refuse(what, fmt::format("expected {} x {}, found {} x {}", in, out, dense.in, dense.out));
  }

  static void check(const Maia3Weights& weights) {
    const std::size_t width = weights.width;
    const std::size_t heads = weights.heads;
    expect_size(weights.tokens, weights.tokens.in, width, "token_projection");
    if (heads == 0 || width % heads != 0 || width / heads % lane_block != 0 || weights.pairs.in % lane_block != 0) {
      refuse("transformer", fmt::format("{} heads do not go into a width of {}", heads, width));
    }
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
      const EncoderBlock& block = weights.blocks[i];
      expect_size(block.squeeze, width, block.squeeze.out, name(i, "self_attn.sm2"));
      expect_size(block.expand, block.squeeze.out, heads * weights.pairs.in, name(i, "self_attn.sm3"));
      expect_size(block.feed1, width, block.feed1.out, name(i, "linear1"));
      expect_size(block.feed2, block.feed1.out, width, name(i, "linear2"));
      if (block.feed1.out % lane_block != 0 || block.squeeze.out % lane_block != 0) {
        refuse(name(i, "linear1"), fmt::format("expected sizes that are multiples of {}", lane_block));
      }
    }
    expect_size(weights.value1, width, weights.value1.out, "fc_value_hid");
    expect_size(weights.value2, weights.value1.out, 3, "fc_value");
    if (2 * weights.low_rating.size() % lane_block != 0) refuse("elo_embedding", "of a strange size");
    if (weights.value1.out % lane_block != 0) refuse("fc_value_hid", "of a strange size");
  }

  const OnnxGraph& graph_;
};

}  // namespace

Expected<Maia3Weights> parse_maia3(std::string_view graph, std::string_view external) {
  const auto parsed = parse_onnx(graph, external);
  if (!parsed) return tl::make_unexpected(parsed.error());
  try {
    return Maia3Reader(*parsed).read();
  } catch (const Refused& refused) {
    return tl::make_unexpected(refused.error);
  }
}

}  // namespace pm::nn
