// Any bytes as a network: packed, and as the message inside. What is accepted has the shape it says it has, and runs.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "human/leela_file.h"
#include "human/network.h"

namespace {

void check(const pm::Expected<pm::human::Weights>& weights) {
  if (!weights) {
    require(!weights.error().sentence.empty(), "an error says what is wrong");
    return;
  }
  const std::size_t channels = weights->channels;
  require(weights->input.weights.size() == channels * pm::human::plane_count * 9, "the first layer is whole");
  require(weights->policy2.weights.size() == 80 * channels * 9, "the policy's last layer is whole");
  if (channels > 32 || weights->blocks.size() > 2) return;  // sound, but slow to run here
  const pm::human::Network network(*weights);
  const auto planes = pm::human::encode_planes(pm::human::Trail(pm::chess::Position::start()));
  const pm::human::PolicySlot slot{1, 12};
  const pm::human::NetworkInput input{&planes, {&slot, 1}};
  pm::human::NetworkOutput output;
  network.run({&input, 1}, true, {&output, 1});
  require(output.logits.size() == 1, "the network answers");
  for (const float part : output.wdl) require(!(part < 0) && !(part > 1), "a probability is one, or not a number");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(pm::human::parse_leela_message(bytes));
  check(pm::human::parse_leela(bytes));
  return 0;
}
