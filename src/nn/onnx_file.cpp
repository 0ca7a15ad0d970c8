#include "nn/onnx_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.h"
#include "base/printable.h"
#include "nn/protobuf.h"

namespace pm::nn {
namespace {

// Of the messages and fields of ONNX, those that matter here.
constexpr std::uint32_t model_graph = 7;
constexpr std::uint32_t graph_node = 1;
constexpr std::uint32_t graph_initializer = 5;
constexpr std::uint32_t node_input = 1;
constexpr std::uint32_t node_output = 2;
constexpr std::uint32_t node_operation = 4;
constexpr std::uint32_t tensor_dims = 1;
constexpr std::uint32_t tensor_type = 2;
constexpr std::uint32_t tensor_name = 8;
constexpr std::uint32_t tensor_raw = 9;
constexpr std::uint32_t tensor_external = 13;
constexpr std::uint64_t type_float = 1;

constexpr std::size_t most_tensors = 20'000;
constexpr std::size_t most_nodes = 200'000;
constexpr std::size_t most_dimensions = 8;

tl::unexpected<Error> bad_onnx(std::string_view what, const std::string& why) {
  return fail(ErrorCode::weights_format, fmt::format("{}: {}", printable(what), why));
}

struct RawTensor {
  std::string_view name;
  std::vector<std::size_t> shape;
  std::uint64_t type = 0;
  std::string_view raw;
  std::string_view location;  // of external data
  std::string_view offset;
  std::string_view length;
};

// A key and its value, of external data.
void read_entry(std::string_view message, RawTensor& tensor) {
  MessageReader reader(message);
  std::string_view key;
  std::string_view value;
  while (const auto field = reader.next()) {
    if (field->number == 1) key = field->bytes;
    if (field->number == 2) value = field->bytes;
  }
  if (key == "location") tensor.location = value;
  if (key == "offset") tensor.offset = value;
  if (key == "length") tensor.length = value;
}

bool add_dimension(std::uint64_t size, RawTensor& tensor) {
  if (tensor.shape.size() == most_dimensions || size > (std::uint64_t{1} << 32U)) return false;
  tensor.shape.push_back(static_cast<std::size_t>(size));
  return true;
}

// One number, or several packed together.
bool read_dimensions(const Field& field, RawTensor& tensor) {
  if (field.type == WireType::varint) return add_dimension(field.value, tensor);
  std::uint64_t size = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift > 56) return false;
    size |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    shift += 7;
    if ((byte & 0x80U) != 0) continue;
    if (!add_dimension(size, tensor)) return false;
    size = 0;
    shift = 0;
  }
  return shift == 0;
}

Expected<RawTensor> read_tensor(std::string_view message) {
  RawTensor tensor;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == tensor_dims && !read_dimensions(*field, tensor))
      return bad_onnx("tensor", "its shape is damaged");
    if (field->number == tensor_type) tensor.type = field->value;
    if (field->number == tensor_name) tensor.name = field->bytes;
    if (field->number == tensor_raw) tensor.raw = field->bytes;
    if (field->number == tensor_external) read_entry(field->bytes, tensor);
  }
  if (reader.damaged()) return bad_onnx(tensor.name.empty() ? "tensor" : tensor.name, "the data end too early");
  return tensor;
}

// How many numbers a shape has room for; nothing when that is beyond any file.
std::optional<std::size_t> count_of(const std::vector<std::size_t>& shape) {
  constexpr std::size_t most = std::size_t{1} << 32U;
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    if (size != 0 && count > most / size) return std::nullopt;
    count *= size;
  }
  return count;
}

// Where the numbers of a tensor stand.
Expected<std::string_view> bytes_of(const RawTensor& tensor, std::string_view external) {
  const auto count = count_of(tensor.shape);
  if (!count) return bad_onnx(tensor.name, fmt::format("its shape is {}", fmt::join(tensor.shape, " x ")));
  const std::size_t wanted = *count * sizeof(float);
  std::string_view found = tensor.raw;
  if (!tensor.location.empty()) {
    const auto offset =
        tensor.offset.empty() ? std::optional<std::uint64_t>(0) : parse_number<std::uint64_t>(tensor.offset);
    const auto length = parse_number<std::uint64_t>(tensor.length);
    if (!offset || !length || *offset > external.size() || *length > external.size() - *offset) {
      return bad_onnx(tensor.name, fmt::format("expected bytes {} to {} of its file, which has {}",
                                               printable(tensor.offset), printable(tensor.length), external.size()));
    }
    found = external.substr(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*length));
  }
  if (found.size() != wanted)
    return bad_onnx(tensor.name, fmt::format("expected {} bytes, found {}", wanted, found.size()));
  return found;
}

Expected<OnnxNode> read_node(std::string_view message) {
  OnnxNode node;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == node_input) node.inputs.push_back(field->bytes);
    if (field->number == node_output) node.outputs.push_back(field->bytes);
    if (field->number == node_operation) node.operation = field->bytes;
  }
  if (reader.damaged()) return bad_onnx(node.operation.empty() ? "node" : node.operation, "the data end too early");
  return node;
}

Expected<std::string_view> graph_of(std::string_view model) {
  MessageReader reader(model);
  std::optional<std::string_view> graph;
  while (const auto field = reader.next()) {
    if (field->number == model_graph && field->type == WireType::bytes) graph = field->bytes;
  }
  if (reader.damaged()) return bad_onnx("model", "expected an ONNX file, found something else or its beginning");
  if (!graph) return bad_onnx("model", "it has no graph");
  return *graph;
}

}  // namespace

const OnnxTensor* OnnxGraph::find(std::string_view name) const {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

Expected<std::vector<float>> OnnxGraph::floats(std::string_view name, const std::vector<std::size_t>& shape) const {
  const OnnxTensor* tensor = find(name);
  if (tensor == nullptr) return bad_onnx(name, "there is no such tensor");
  if (tensor->shape != shape) {
    return bad_onnx(name, fmt::format("expected a shape of {}, found {}", fmt::join(shape, " x "),
                                      fmt::join(tensor->shape, " x ")));
  }
  static_assert(std::endian::native == std::endian::little);
  std::vector<float> numbers(tensor->bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), tensor->bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

Expected<std::string> external_file(std::string_view model) {
  const auto graph = graph_of(model);
  if (!graph) return tl::make_unexpected(graph.error());
  std::string file;
  MessageReader reader(*graph);
  while (const auto field = reader.next()) {
    if (field->number != graph_initializer) continue;
    const auto tensor = read_tensor(field->bytes);
    if (!tensor) return tl::make_unexpected(tensor.error());
    if (tensor->location.empty()) continue;
    if (!file.empty() && tensor->location != file)
      return bad_onnx(tensor->name, "expected all tensors in one other file");
    file = tensor->location;
  }
  // A name beside the graph, and nothing else: no way into other folders.
  if (file.find('/') != std::string::npos || file == ".." || file.size() > 200) {
    return bad_onnx("location", "expected the name of a file in the same folder");
  }
  return file;
}

Expected<OnnxGraph> parse_onnx(std::string_view model, std::string_view external) {
  const auto message = graph_of(model);
  if (!message) return tl::make_unexpected(message.error());
  OnnxGraph graph;
  MessageReader reader(*message);
  while (const auto field = reader.next()) {
    if (field->number == graph_node && field->type == WireType::bytes) {
      auto node = read_node(field->bytes);
      if (!node) return tl::make_unexpected(node.error());
      if (graph.nodes.size() == most_nodes) return bad_onnx("graph", "it has too many nodes");
      graph.nodes.push_back(std::move(*node));
    } else if (field->number == graph_initializer && field->type == WireType::bytes) {
      auto tensor = read_tensor(field->bytes);
      if (!tensor) return tl::make_unexpected(tensor.error());
      if (graph.tensors.size() == most_tensors) return bad_onnx("graph", "it has too many tensors");
      OnnxTensor known{std::move(tensor->shape), {}};
      if (tensor->type == type_float) {
        tensor->shape = known.shape;
        const auto bytes = bytes_of(*tensor, external);
        if (!bytes) return tl::make_unexpected(bytes.error());
        known.bytes = *bytes;
      }
      graph.tensors.insert_or_assign(std::string(tensor->name), std::move(known));
    }
  }
  if (reader.damaged()) return bad_onnx("graph", "the data end too early");
  return graph;
}

}  // namespace pm::nn
