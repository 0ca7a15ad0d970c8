// Any bytes as a network of our own, with the right sum put behind them, or nothing would come past it: refused with a
// sentence, or written again as the same bytes.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "fuzz/require.h"
#include "fuzz/sealed.h"
#include "nn/network_file.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto unsealed = pm::nn::parse_network(bytes);
  require(unsealed || !unsealed.error().sentence.empty(), "an error says what is wrong");
  const std::string file = sealed(bytes);
  const auto network = pm::nn::parse_network(file);
  if (!network) {
    require(!network.error().sentence.empty() && pm::is_printable(network.error().sentence), "an error says why");
    return 0;
  }
  require(network->lowest_rating >= 1 && network->lowest_rating <= network->highest_rating, "ratings are a range");
  require(!network->name.empty() && pm::is_printable(network->name), "a name is fit to be shown");
  const std::string written = pm::nn::format_network(*network);
  const auto again = pm::nn::parse_network(written);
  require(again && pm::nn::format_network(*again) == written, "what was written reads back the same");
  require(written.size() == file.size(), "nothing is lost");
  std::string damaged = file;
  damaged[size / 2] = static_cast<char>(~damaged[size / 2]);
  require(!pm::nn::parse_network(damaged), "damage is noticed");
  return 0;
}
