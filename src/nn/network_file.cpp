#include "nn/network_file.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/sha256.h"
#include "nn/half.h"
#include "nn/planes.h"
#include "nn/policy_map.h"

namespace pm::nn {
namespace {

constexpr std::string_view magic = "PMHUMAN\n";
constexpr std::uint32_t version = 3;
constexpr std::size_t sum_bytes = 32;
constexpr std::size_t most_name = 100;
constexpr std::size_t most_hidden = 1024;
constexpr std::size_t taps = 9;

tl::unexpected<Error> refused(const std::string& sentence) { return fail(ErrorCode::weights_format, sentence); }

std::string binary_sum(std::string_view bytes) {
  const std::string hex = sha256_hex(bytes);
  std::string sum;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto digit = [&](std::size_t at) { return hex[at] <= '9' ? hex[at] - '0' : hex[at] - 'a' + 10; };
    sum += static_cast<char>(digit(i) * 16 + digit(i + 1));
  }
  return sum;
}

struct Shape {
  std::size_t planes = 0, channels = 0, blocks = 0, squeezed = 0, policy = 0, value = 0, hidden = 0;
};

// Calls take(layer, weights, biases) for each layer, in the order of the file.
template <class AnyWeights, class Take>
void each_layer(AnyWeights& w, const Shape& s, const Take& take) {
  take(w.input, s.channels * s.planes * taps, s.channels);
  for (auto& block : w.blocks) {
    take(block.conv1, s.channels * s.channels * taps, s.channels);
    take(block.conv2, s.channels * s.channels * taps, s.channels);
    take(block.squeeze, s.squeezed * s.channels, s.squeezed);
    take(block.excite, 2 * s.channels * s.squeezed, 2 * s.channels);
  }
  take(w.policy1, s.channels * s.channels * taps, s.channels);
  take(w.policy2, s.policy * s.channels * taps, s.policy);
  take(w.pairing, s.channels * s.channels, s.channels);
  take(w.value1, s.value * s.channels, s.value);
  take(w.value2, s.hidden * s.value * 64, s.hidden);
  take(w.value3, 3 * s.hidden, std::size_t{3});
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool has(std::size_t count) const { return bytes_.size() - at_ >= count; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= static_cast<std::uint32_t>(byte(at_ + i)) << (8 * i);
    at_ += size;
    return value;
  }
  std::string_view text(std::size_t size) {
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
  std::string_view bytes_;
  std::size_t at_ = 0;
};

void put(std::string& to, std::size_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

Expected<Shape> read_shape(Reader& reader) {
  Shape s;
  struct Named {
    const char* name;
    std::size_t* value;
    std::size_t least;
    std::size_t most;
  };
  const auto planes = static_cast<std::size_t>(policy_planes);
  for (const Named& each :
       {Named{"input planes", &s.planes, leela_planes, own_planes}, Named{"channels", &s.channels, 1, most_channels},
        Named{"blocks", &s.blocks, 0, most_blocks}, Named{"squeezed channels", &s.squeezed, 1, most_channels},
        Named{"policy planes", &s.policy, planes, planes}, Named{"value planes", &s.value, 1, most_channels},
        Named{"hidden values", &s.hidden, 1, most_hidden}}) {
    *each.value = reader.number(2);
    if (*each.value < each.least || *each.value > each.most) {
      return refused(fmt::format("{}: expected {} to {}, found {}", each.name, each.least, each.most, *each.value));
    }
  }
  return s;
}

Expected<Weights> read_weights(Reader& reader, const Shape& s) {
  Weights w;
  w.planes = s.planes;
  w.channels = s.channels;
  w.blocks.resize(s.blocks);
  std::size_t wanted = 0;
  each_layer(w, s, [&](const Layer&, std::size_t weights, std::size_t biases) { wanted += 2 * (weights + biases); });
  if (reader.left() != wanted) {
    return refused(fmt::format("weights: expected {} bytes for this shape, found {}", wanted, reader.left()));
  }
  bool finite = true;
  each_layer(w, s, [&](Layer& layer, std::size_t weights, std::size_t biases) {
    for (auto [numbers, count] : {std::pair{&layer.weights, weights}, {&layer.biases, biases}}) {
      numbers->reserve(count);
      for (std::size_t i = 0; i < count; ++i) {
        numbers->push_back(half_to_float(static_cast<std::uint16_t>(reader.number(2))));
        finite = finite && std::isfinite(numbers->back());
      }
    }
  });
  if (!finite) return refused("weights: expected finite numbers");
  return w;
}

}  // namespace

Expected<OwnNetwork> parse_network(std::string_view bytes) {
  Reader reader(bytes);
  constexpr std::size_t name_at = magic.size() + 4 + 1;
  if (!reader.has(name_at + sum_bytes)) return refused("the file ends too early to be a network");
  if (reader.text(magic.size()) != magic) return refused("expected a file that begins with PMHUMAN");
  if (const std::uint32_t found = reader.number(4); found != version) {
    return refused(fmt::format("version: expected {}, found {}; {}", version, found,
                               found > version ? "a newer program reads it" : "it is too old"));
  }
  const std::string_view body = bytes.substr(0, bytes.size() - sum_bytes);
  if (binary_sum(body) != bytes.substr(body.size())) return refused("the file is damaged: its SHA-256 does not fit");
  Reader rest(body);
  rest.text(magic.size() + 4);
  OwnNetwork network;
  const std::size_t length = rest.number(1);
  constexpr std::size_t numbers = 9;
  if (length == 0 || length > most_name || !rest.has(length + 2 * numbers))
    return refused("name: too short or too long");
  network.name = rest.text(length);
  for (const char c : network.name) {
    if (c < ' ' || c > '~') return refused("name: expected printable characters");
  }
  network.lowest_rating = static_cast<int>(rest.number(2));
  network.highest_rating = static_cast<int>(rest.number(2));
  if (network.lowest_rating < 1 || network.lowest_rating > network.highest_rating) {
    return refused(
        fmt::format("ratings: expected a range, found {} to {}", network.lowest_rating, network.highest_rating));
  }
  const auto shape = read_shape(rest);
  if (!shape) return tl::make_unexpected(shape.error());
  auto weights = read_weights(rest, *shape);
  if (!weights) return tl::make_unexpected(weights.error());
  network.weights = std::move(*weights);
  return network;
}

std::string format_network(const OwnNetwork& network) {
  const Weights& w = network.weights;
  const Shape s{w.planes,
                w.channels,
                w.blocks.size(),
                w.blocks.empty() ? 1 : w.blocks.front().squeeze.biases.size(),
                w.policy2.biases.size(),
                w.value1.biases.size(),
                w.value2.biases.size()};
  std::string bytes(magic);
  put(bytes, version, 4);
  put(bytes, network.name.size(), 1);
  bytes += network.name;
  put(bytes, static_cast<std::size_t>(network.lowest_rating), 2);
  put(bytes, static_cast<std::size_t>(network.highest_rating), 2);
  for (const std::size_t number : {s.planes, s.channels, s.blocks, s.squeezed, s.policy, s.value, s.hidden})
    put(bytes, number, 2);
  each_layer(w, s, [&](const Layer& layer, std::size_t, std::size_t) {
    for (const float weight : layer.weights) put(bytes, float_to_half(weight), 2);
    for (const float bias : layer.biases) put(bytes, float_to_half(bias), 2);
  });
  return bytes + binary_sum(bytes);
}

}  // namespace pm::nn
