// Any bytes as a network: of Leela's, packed, and as the message inside; as an ONNX file, with its numbers in the same
// bytes; and of our own, with the right sum put behind them, or nothing would come past it. What is accepted has the
// shape it says it has, and runs.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "fuzz/sealed.h"
#include "nn/leela_file.h"
#include "nn/maia3_file.h"
#include "nn/network.h"
#include "nn/network_file.h"
#include "nn/onnx_file.h"
#include "nn/policy_map.h"

namespace {

void check(const pm::nn::Weights& weights, std::size_t policy_planes) {
  const std::size_t channels = weights.channels;
  require(weights.input.weights.size() == channels * weights.planes * 9, "the first layer is whole");
  require(weights.policy2.weights.size() == policy_planes * channels * 9, "the policy's last layer is whole");
  if (channels > 32 || weights.blocks.size() > 2) return;  // sound, but slow to run here
  const pm::nn::Network network(weights);
  const auto planes = pm::nn::encode_planes(pm::chess::PositionHistory(pm::chess::Position::start()));
  const pm::nn::PolicySlot slot{1, 12, 28};
  const pm::nn::NetworkInput input{&planes, {&slot, 1}};
  pm::nn::NetworkOutput output;
  network.run({&input, 1}, true, {&output, 1});
  require(output.logits.size() == 1, "the network answers");
  for (const float part : output.wdl) require(!(part < 0) && !(part > 1), "a probability is one, or not a number");
}

void check(const pm::Expected<pm::nn::Weights>& leela) {
  if (leela) return check(*leela, 80);
  require(!leela.error().sentence.empty(), "an error says what is wrong");
}

void check_onnx(std::string_view bytes) {
  const auto beside = pm::nn::external_file(bytes);
  require(beside || !beside.error().sentence.empty(), "an error says what is wrong");
  if (beside) require(beside->find('/') == std::string::npos, "a file in the same folder");
  const auto graph = pm::nn::parse_onnx(bytes, bytes);
  require(graph || !graph.error().sentence.empty(), "an error says what is wrong");
  if (graph) {
    for (const auto& [name, tensor] : graph->tensors) {
      if (!tensor.bytes.empty()) require(graph->floats(name, tensor.shape).has_value(), "a tensor has its shape");
    }
  }
  const auto maia3 = pm::nn::parse_maia3(bytes, bytes);
  require(maia3 || !maia3.error().sentence.empty(), "an error says what is wrong");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(pm::nn::parse_leela_message(bytes));
  check(pm::nn::parse_leela(bytes));
  check_onnx(bytes);
  const auto own = pm::nn::parse_network(sealed(bytes));
  if (own) {
    check(own->weights, pm::nn::policy_planes);
  } else {
    require(!own.error().sentence.empty(), "an error says what is wrong");
  }
  return 0;
}
