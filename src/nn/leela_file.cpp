#include "nn/leela_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "nn/gunzip.h"
#include "nn/planes.h"
#include "nn/policy_map.h"
#include "nn/protobuf.h"

namespace pm::nn {
namespace {

// Far above any network this program could run in a useful time (the Maia-1 networks are 1.7 MB), far below what would
// hurt a machine.
constexpr std::size_t most_unpacked_bytes = std::size_t{64} << 20;
constexpr float largest_bound = 1e5F;  // nothing a trained network has comes near; larger numbers overflow on the way

constexpr std::uint64_t leela_magic = 0x1c0;
constexpr std::uint64_t newest_minor_version = 21;  // the first Leela version that knew this format: 0.21
constexpr float batch_norm_epsilon = 1e-5F;

tl::unexpected<Error> bad(const std::string& field, const std::string& expected_and_found) {
  return fail(ErrorCode::weights_format, fmt::format("{}: {}", field, expected_and_found));
}

// Takes the value out of an Expected, or returns its error from the function it stands in.
#define PM_TAKE(into, expression)                          \
  {                                                        \
    auto taken = (expression);                             \
    if (!taken) return tl::make_unexpected(taken.error()); \
    (into) = std::move(*taken);                            \
  }

// An array as it stands in the file: 16-bit steps between two bounds.
struct RawArray {
  float min = 0;
  float max = 0;
  std::string_view steps;
  std::size_t size() const { return steps.size() / 2; }
};

struct RawConvolution {
  RawArray weights, biases, means, variances, gammas, betas;
};

// Calls take(field) for each field; an error when the message is damaged or take returns one.
template <class Take>
Expected<void> each_field(std::string_view message, const std::string& name, Take&& take) {
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (Expected<void> taken = take(*field); !taken) return taken;
  }
  if (reader.damaged()) return bad(name, "the data end too early or are damaged");
  return {};
}

Expected<void> expect_type(const Field& field, WireType type, const std::string& name) {
  if (field.type == type) return {};
  return bad(name,
             fmt::format("expected wire type {}, found {}", static_cast<int>(type), static_cast<int>(field.type)));
}

Expected<RawArray> read_array(std::string_view message, const std::string& name) {
  RawArray array;
  std::uint32_t seen = 0;
  const auto read = each_field(message, name, [&](const Field& field) -> Expected<void> {
    if (field.number < 1 || field.number > 3) return {};  // such as a name
    seen |= 1U << field.number;
    if (auto ok = expect_type(field, field.number == 3 ? WireType::bytes : WireType::fixed32, name); !ok) return ok;
    if (field.number == 3) array.steps = field.bytes;
    const auto bound = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
    if (field.number == 1) array.min = bound;
    if (field.number == 2) array.max = bound;
    return {};
  });
  if (!read) return tl::make_unexpected(read.error());
  constexpr std::uint32_t all_three = 0b1110;
  if (seen != all_three) return bad(name, "expected min_val, max_val and params, found not all of them");
  const float bound = std::max(std::abs(array.min), std::abs(array.max));
  if (!(bound <= largest_bound)) {  // so also when it is not a number
    return bad(name, fmt::format("expected bounds up to {}, found {} and {}", largest_bound, array.min, array.max));
  }
  return array;
}

struct NamedArray {
  std::uint32_t number;
  const char* name;
  RawArray* into;
};

// A message of arrays only.
Expected<void> read_arrays(std::string_view message, const std::string& name,
                           std::initializer_list<NamedArray> arrays) {
  return each_field(message, name, [&](const Field& field) -> Expected<void> {
    for (const NamedArray& each : arrays) {
      if (each.number != field.number) continue;
      const std::string whole = fmt::format("{}.{}", name, each.name);
      if (auto ok = expect_type(field, WireType::bytes, whole); !ok) return ok;
      const auto array = read_array(field.bytes, whole);
      if (!array) return tl::make_unexpected(array.error());
      *each.into = *array;
      return {};
    }
    return bad(name, fmt::format("field {} is not known: the network is of another or a newer kind", field.number));
  });
}

Expected<RawConvolution> read_convolution(std::string_view message, const std::string& name) {
  RawConvolution raw;
  const auto read = read_arrays(message, name,
                                {{1, "weights", &raw.weights},
                                 {2, "biases", &raw.biases},
                                 {3, "bn_means", &raw.means},
                                 {4, "bn_stddivs", &raw.variances},
                                 {5, "bn_gammas", &raw.gammas},
                                 {6, "bn_betas", &raw.betas}});
  if (!read) return tl::make_unexpected(read.error());
  return raw;
}

Expected<std::vector<float>> unpack(const RawArray& array, std::size_t expected, const std::string& name) {
  if (array.steps.size() != 2 * expected) {
    return bad(name, fmt::format("expected {} numbers of 2 bytes, found {} bytes", expected, array.steps.size()));
  }
  std::vector<float> numbers(expected);
  // In single precision and in this form, as the networks' own engine decodes them: where a weight is far smaller than
  // the bounds (that of the halfmove clock is), the rounding is a part of it that shows in the answer.
  for (std::size_t i = 0; i < expected; ++i) {
    const auto low = static_cast<unsigned char>(array.steps[2 * i]);
    const auto high = static_cast<unsigned char>(array.steps[2 * i + 1]);
    const float part = static_cast<float>(low | (high << 8)) / 65535.0F;
    numbers[i] = array.min * (1.0F - part) + array.max * part;
  }
  return numbers;
}

bool all_finite(const std::vector<float>& numbers) {
  float sum = 0;
  for (const float n : numbers) sum += n * 0.0F;  // becomes NaN with the first that is infinite or NaN
  return sum == 0;
}

// A convolution of `out` filters with `per_filter` weights each: with biases, or with its batch normalisation folded
// in.
enum class After : std::uint8_t { bias, normalisation };

Expected<Layer> fold(const RawConvolution& raw, std::size_t out, std::size_t per_filter, After after,
                     const std::string& name) {
  Layer layer;
  PM_TAKE(layer.weights, unpack(raw.weights, out * per_filter, name + ".weights"));
  layer.biases.assign(out, 0);
  if (after == After::bias || !raw.biases.steps.empty()) {
    PM_TAKE(layer.biases, unpack(raw.biases, out, name + ".biases"));
  }
  if (after == After::normalisation) {
    std::vector<float> means;
    std::vector<float> variances;
    std::vector<float> gammas;
    std::vector<float> betas;
    PM_TAKE(means, unpack(raw.means, out, name + ".bn_means"));
    PM_TAKE(variances, unpack(raw.variances, out, name + ".bn_stddivs"));
    PM_TAKE(gammas, unpack(raw.gammas, out, name + ".bn_gammas"));
    PM_TAKE(betas, unpack(raw.betas, out, name + ".bn_betas"));
    for (std::size_t o = 0; o < out; ++o) {
      const float scale = gammas[o] / std::sqrt(variances[o] + batch_norm_epsilon);
      for (std::size_t i = 0; i < per_filter; ++i) layer.weights[o * per_filter + i] *= scale;
      layer.biases[o] = betas[o] - scale * (means[o] - layer.biases[o]);
    }
  }
  if (!all_finite(layer.weights) || !all_finite(layer.biases)) return bad(name, "the numbers are not finite");
  return layer;
}

Expected<Layer> dense(const RawArray& weights, const RawArray& biases, std::size_t out, std::size_t in,
                      const std::string& name) {
  auto w = unpack(weights, out * in, name + " weights");
  if (!w) return tl::make_unexpected(w.error());
  auto b = unpack(biases, out, name + " biases");
  if (!b) return tl::make_unexpected(b.error());
  return Layer{std::move(*w), std::move(*b)};
}

struct RawBlock {
  RawConvolution conv1, conv2;
  RawArray squeeze_w, squeeze_b, excite_w, excite_b;
};

struct RawWeights {
  RawConvolution input, policy1, policy2, value1;
  std::vector<RawBlock> blocks;
  RawArray value2_w, value2_b, value3_w, value3_b;
};

Expected<RawBlock> read_block(std::string_view message, const std::string& name) {
  RawBlock block;
  const auto read = each_field(message, name, [&](const Field& field) -> Expected<void> {
    const std::string whole = fmt::format("{}.{}", name,
                                          field.number == 3   ? "se"
                                          : field.number == 1 ? "conv1"
                                                              : "conv2");
    if (field.number < 1 || field.number > 3) {
      return bad(name, fmt::format("field {} is not known: the network is of another or a newer kind", field.number));
    }
    if (auto ok = expect_type(field, WireType::bytes, whole); !ok) return ok;
    if (field.number == 3) {
      return read_arrays(field.bytes, whole,
                         {{1, "w1", &block.squeeze_w},
                          {2, "b1", &block.squeeze_b},
                          {3, "w2", &block.excite_w},
                          {4, "b2", &block.excite_b}});
    }
    const auto conv = read_convolution(field.bytes, whole);
    if (!conv) return tl::make_unexpected(conv.error());
    (field.number == 1 ? block.conv1 : block.conv2) = *conv;
    return {};
  });
  if (!read) return tl::make_unexpected(read.error());
  return block;
}

Expected<RawWeights> read_weights(std::string_view message) {
  RawWeights raw;
  struct Convolution {
    std::uint32_t number;
    const char* name;
    RawConvolution* into;
  };
  const Convolution convolutions[] = {{1, "weights.input", &raw.input},
                                      {3, "weights.policy", &raw.policy2},
                                      {6, "weights.value", &raw.value1},
                                      {11, "weights.policy1", &raw.policy1}};
  const NamedArray arrays[] = {{7, "weights.ip1_val_w", &raw.value2_w},
                               {8, "weights.ip1_val_b", &raw.value2_b},
                               {9, "weights.ip2_val_w", &raw.value3_w},
                               {10, "weights.ip2_val_b", &raw.value3_b}};
  const auto read = each_field(message, "weights", [&](const Field& field) -> Expected<void> {
    if (auto ok = expect_type(field, WireType::bytes, fmt::format("weights, field {}", field.number)); !ok) return ok;
    if (field.number == 2) {
      if (raw.blocks.size() == most_blocks) {
        return bad("weights.residual", fmt::format("expected at most {} blocks, found more", most_blocks));
      }
      auto block = read_block(field.bytes, fmt::format("weights.residual[{}]", raw.blocks.size()));
      if (!block) return tl::make_unexpected(block.error());
      raw.blocks.push_back(*block);
      return {};
    }
    for (const Convolution& each : convolutions) {
      if (each.number != field.number) continue;
      const auto conv = read_convolution(field.bytes, each.name);
      if (!conv) return tl::make_unexpected(conv.error());
      *each.into = *conv;
      return {};
    }
    for (const NamedArray& each : arrays) {
      if (each.number != field.number) continue;
      const auto array = read_array(field.bytes, each.name);
      if (!array) return tl::make_unexpected(array.error());
      *each.into = *array;
      return {};
    }
    return bad("weights",
               fmt::format("field {} is not known: the network is of another or a newer kind", field.number));
  });
  if (!read) return tl::make_unexpected(read.error());
  return raw;
}

// The format's numbers as the file must have them; what is left out counts as 0.
Expected<void> check_format(std::string_view message) {
  struct Wanted {
    std::uint32_t number;
    const char* name;
    const char* meaning;
    std::uint64_t value;
    std::uint64_t found = 0;
  };
  Wanted encoding{1, "format.weights_encoding", "LINEAR16", 1};
  Wanted network[] = {{1, "format.network_format.input", "INPUT_CLASSICAL_112_PLANE", 1},
                      {2, "format.network_format.output", "OUTPUT_WDL", 2},
                      {3, "format.network_format.network", "NETWORK_SE_WITH_HEADFORMAT", 4},
                      {4, "format.network_format.policy", "POLICY_CONVOLUTION", 2},
                      {5, "format.network_format.value", "VALUE_WDL", 2},
                      {6, "format.network_format.moves_left", "none", 0},
                      {7, "format.network_format.default_activation", "RELU", 0}};
  auto read = each_field(message, "format", [&](const Field& field) -> Expected<void> {
    if (field.number == 1) encoding.found = field.value;
    if (field.number != 2 || field.type != WireType::bytes) return {};
    return each_field(field.bytes, "format.network_format", [&](const Field& inner) -> Expected<void> {
      for (Wanted& wanted : network) {
        if (wanted.number == inner.number) wanted.found = inner.value;
      }
      if (inner.number <= std::size(network) || inner.value == 0) return {};
      return bad("format.network_format",
                 fmt::format("field {} is not known: the network is of a newer kind", inner.number));
    });
  });
  if (!read) return read;
  const auto check = [](const Wanted& wanted) -> Expected<void> {
    if (wanted.found == wanted.value) return {};
    return bad(wanted.name, fmt::format("expected {} ({}), found {}", wanted.value, wanted.meaning, wanted.found));
  };
  if (auto ok = check(encoding); !ok) return ok;
  for (const Wanted& wanted : network) {
    if (auto ok = check(wanted); !ok) return ok;
  }
  return {};
}

Expected<void> check_version(std::string_view message) {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  auto read = each_field(message, "min_version", [&](const Field& field) -> Expected<void> {
    if (field.number == 1) major = field.value;
    if (field.number == 2) minor = field.value;
    return {};
  });
  if (!read) return read;
  if (major == 0 && minor <= newest_minor_version) return {};
  return bad("min_version", fmt::format("expected at most 0.{}, found {}.{}: the network is of a newer kind",
                                        newest_minor_version, major, minor));
}

// How many rows of `per_row` numbers an array has; the shape of everything else follows from these.
Expected<std::size_t> rows_of(const RawArray& array, std::size_t per_row, std::size_t most, const std::string& name) {
  const std::size_t rows = array.size() / per_row;
  if (rows == 0 || rows * per_row != array.size()) {
    return bad(name, fmt::format("expected rows of {} numbers, found {} numbers", per_row, array.size()));
  }
  if (rows > most) return bad(name, fmt::format("expected at most {} rows, found {}", most, rows));
  return rows;
}

Expected<ResidualBlock> shape_block(const RawBlock& raw, std::size_t channels, const std::string& name) {
  ResidualBlock block;
  std::size_t squeezed = 0;
  PM_TAKE(squeezed, rows_of(raw.squeeze_w, channels, most_channels, name + ".se.w1"));
  PM_TAKE(block.conv1, fold(raw.conv1, channels, channels * 9, After::normalisation, name + ".conv1"));
  PM_TAKE(block.conv2, fold(raw.conv2, channels, channels * 9, After::normalisation, name + ".conv2"));
  PM_TAKE(block.squeeze, dense(raw.squeeze_w, raw.squeeze_b, squeezed, channels, name + ".se.1"));
  PM_TAKE(block.excite, dense(raw.excite_w, raw.excite_b, 2 * channels, squeezed, name + ".se.2"));
  return block;
}

Expected<Weights> shape(const RawWeights& raw) {
  Weights weights;
  weights.planes = leela_planes;
  PM_TAKE(weights.channels, rows_of(raw.input.weights, leela_planes * 9, most_channels, "weights.input.weights"));
  const std::size_t channels = weights.channels;
  PM_TAKE(weights.input, fold(raw.input, channels, leela_planes * 9, After::normalisation, "weights.input"));
  if (raw.blocks.empty()) return bad("weights.residual", "expected at least one block, found none");
  for (std::size_t i = 0; i < raw.blocks.size(); ++i) {
    ResidualBlock block;
    PM_TAKE(block, shape_block(raw.blocks[i], channels, fmt::format("weights.residual[{}]", i)));
    weights.blocks.push_back(std::move(block));
  }
  constexpr std::size_t planes_in_files = 80;  // the last seven are unused
  PM_TAKE(weights.policy1, fold(raw.policy1, channels, channels * 9, After::normalisation, "weights.policy1"));
  PM_TAKE(weights.policy2, fold(raw.policy2, planes_in_files, channels * 9, After::bias, "weights.policy"));
  std::size_t value_planes = 0;
  std::size_t value_hidden = 0;
  PM_TAKE(value_planes, rows_of(raw.value1.weights, channels, most_channels, "weights.value.weights"));
  PM_TAKE(value_hidden, rows_of(raw.value2_w, value_planes * 64, 4 * most_channels, "weights.ip1_val_w"));
  PM_TAKE(weights.value1, fold(raw.value1, value_planes, channels, After::normalisation, "weights.value"));
  PM_TAKE(weights.value2, dense(raw.value2_w, raw.value2_b, value_hidden, value_planes * 64, "weights.ip1_val"));
  PM_TAKE(weights.value3, dense(raw.value3_w, raw.value3_b, 3, value_hidden, "weights.ip2_val"));
  return weights;
}

}  // namespace

Expected<Weights> parse_leela_message(std::string_view message) {
  std::uint64_t magic = 0;
  std::string_view format;
  std::string_view weights;
  std::string_view version;
  const auto read = each_field(message, "file", [&](const Field& field) -> Expected<void> {
    if (field.number == 1) magic = field.value;
    if (field.type != WireType::bytes) return {};
    if (field.number == 3) version = field.bytes;
    if (field.number == 4) format = field.bytes;
    if (field.number == 10) weights = field.bytes;
    return {};
  });
  if (magic != leela_magic) {
    return bad("magic", fmt::format("expected {:#x}, found {:#x}: not a Leela network", leela_magic, magic));
  }
  if (!read) return tl::make_unexpected(read.error());
  if (const auto ok = check_version(version); !ok) return tl::make_unexpected(ok.error());
  if (const auto ok = check_format(format); !ok) return tl::make_unexpected(ok.error());
  const auto raw = read_weights(weights);
  if (!raw) return tl::make_unexpected(raw.error());
  return shape(*raw);
}

Expected<Weights> parse_leela(std::string_view packed) {
  const auto message = gunzip(packed, most_unpacked_bytes);
  if (!message) return bad("file", message.error().sentence);
  return parse_leela_message(*message);
}

}  // namespace pm::nn
