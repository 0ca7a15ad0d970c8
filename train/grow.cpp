// A larger network that answers as a smaller one does: what is added is as good as nothing at first, but can learn.
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "nn/network_file.h"
#include "nn/planes.h"
#include "train/commands.h"
#include "train/files.h"

namespace pm::train {
namespace {

constexpr float faint = 1e-3F;  // of a number that is added where it counts

class Grower {
 public:
  Grower(const nn::Weights& from, std::size_t channels, std::uint64_t seed)
      : from_(from), channels_(channels), random_(seed) {}

  // Outputs from `outs` on and inputs from `ins` on are new. Old outputs hardly see new inputs; what new outputs see is
  // scaled by `size`.
  nn::Layer dense(const nn::Layer& layer, std::size_t ins, std::size_t new_ins, std::size_t new_outs, std::size_t taps,
                  float size) {
    const std::size_t outs = layer.biases.size();
    nn::Layer grown{std::vector<float>(new_outs * new_ins * taps), std::vector<float>(new_outs)};
    std::copy(layer.biases.begin(), layer.biases.end(), grown.biases.begin());
    const float usual = std::sqrt(2.0F / static_cast<float>(new_ins * taps));
    for (std::size_t out = 0; out < new_outs; ++out) {
      for (std::size_t in = 0; in < new_ins; ++in) {
        for (std::size_t tap = 0; tap < taps; ++tap) {
          const bool old = out < outs && in < ins;
          grown.weights[(out * new_ins + in) * taps + tap] =
              old ? layer.weights[(out * ins + in) * taps + tap]
                  : (out < outs ? faint : size * usual) * normal_(random_);
        }
      }
    }
    return grown;
  }

  nn::Layer convolution(const nn::Layer& layer, float size) {
    return dense(layer, from_.channels, channels_, channels_, 9, size);
  }

  nn::ResidualBlock block(const nn::ResidualBlock& block) {
    const std::size_t squeezed = block.squeeze.biases.size();
    nn::ResidualBlock grown{convolution(block.conv1, 1),
                            convolution(block.conv2, 0.05F),
                            dense(block.squeeze, from_.channels, channels_, squeezed, 1, 1),
                            {}};
    // All scales, then all shifts: each half has new channels of its own.
    const auto half = [&](std::size_t begin) {
      const auto w = block.excite.weights.begin() + static_cast<std::ptrdiff_t>(begin * squeezed);
      const auto b = block.excite.biases.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto n = static_cast<std::ptrdiff_t>(from_.channels);
      return dense({{w, w + n * static_cast<std::ptrdiff_t>(squeezed)}, {b, b + n}}, squeezed, squeezed, channels_, 1,
                   faint);
    };
    grown.excite = half(0);
    const nn::Layer shifts = half(from_.channels);
    grown.excite.weights.insert(grown.excite.weights.end(), shifts.weights.begin(), shifts.weights.end());
    grown.excite.biases.insert(grown.excite.biases.end(), shifts.biases.begin(), shifts.biases.end());
    return grown;
  }

  nn::ResidualBlock new_block(std::size_t squeezed) {
    const nn::Layer none;
    return {dense(none, 0, channels_, channels_, 9, 1), dense(none, 0, channels_, channels_, 9, 0.05F),
            dense(none, 0, channels_, squeezed, 1, 1), dense(none, 0, squeezed, 2 * channels_, 1, faint)};
  }

 private:
  const nn::Weights& from_;
  std::size_t channels_;
  std::mt19937_64 random_;
  std::normal_distribution<float> normal_{0, 1};
};

}  // namespace

nn::Weights grown(const nn::Weights& from, std::size_t channels, std::size_t blocks, std::uint64_t seed) {
  Grower grower(from, channels, seed);
  nn::Weights to;
  to.planes = nn::own_planes;
  to.channels = channels;
  to.input = grower.dense(from.input, from.planes, to.planes, channels, 9, 1);
  for (const nn::ResidualBlock& block : from.blocks) to.blocks.push_back(grower.block(block));
  while (to.blocks.size() < blocks) to.blocks.push_back(grower.new_block(to.blocks.front().squeeze.biases.size()));
  to.policy1 = grower.convolution(from.policy1, 1);
  to.policy2 = grower.dense(from.policy2, from.channels, channels, from.policy2.biases.size(), 9, 1);
  to.pairing = grower.dense(from.pairing, from.channels, channels, channels, 1, faint);
  to.value1 = grower.dense(from.value1, from.channels, channels, from.value1.biases.size(), 1, 1);
  to.value2 = from.value2;
  to.value3 = from.value3;
  return to;
}

Expected<void> grow(const GrowCommand& command) {
  const auto bytes = read_file(command.model);
  if (!bytes) return tl::make_unexpected(bytes.error());
  auto network = nn::parse_network(*bytes);
  if (!network) return tl::make_unexpected(network.error());
  const nn::Weights& from = network->weights;
  const auto channels = static_cast<std::size_t>(command.channels);
  const auto blocks = static_cast<std::size_t>(command.blocks);
  if (channels < from.channels || blocks < from.blocks.size() || from.blocks.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has {} channels and {} blocks: it cannot become smaller",
                                                  command.model, from.channels, from.blocks.size()));
  }
  network->weights = grown(from, channels, blocks, command.seed);
  std::ofstream file(command.out, std::ios::binary);
  file << nn::format_network(*network) << std::flush;
  if (!file) return fail(ErrorCode::file_open, fmt::format("cannot write {}", command.out));
  return {};
}

}  // namespace pm::train
