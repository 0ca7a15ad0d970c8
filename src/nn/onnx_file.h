// Just enough of ONNX to read a network's numbers: the graph's nodes and its tensors, which may stand in a second file.
//
//   Expected<OnnxGraph> graph = parse_onnx(bytes, data);
//   graph->floats("token_projection.bias", {256});
//
// Bounded and pure: whatever the bytes are, an error that names the tensor or node, or a graph whose tensors lie within
// the bytes. The graph points into both.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pm::nn {

struct OnnxTensor {
  std::vector<std::size_t> shape;
  std::string_view bytes;  // little-endian floats; of other types nothing
};

struct OnnxNode {
  std::string_view operation;  // "MatMul"
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
};

struct OnnxGraph {
  std::map<std::string, OnnxTensor, std::less<>> tensors;
  std::vector<OnnxNode> nodes;  // in the order they are computed

  const OnnxTensor* find(std::string_view name) const;
  // The numbers of a tensor that must be there and have this shape.
  Expected<std::vector<float>> floats(std::string_view name, const std::vector<std::size_t>& shape) const;
};

// The name of the file beside the graph that has its tensors, as the graph says; empty: it needs none.
Expected<std::string> external_file(std::string_view graph);
Expected<OnnxGraph> parse_onnx(std::string_view graph, std::string_view external);

}  // namespace pm::nn
