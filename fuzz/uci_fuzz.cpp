// Any bytes as what an engine prints: no line does more than be passed over.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "engine/uci_lines.h"
#include "fuzz/require.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (const auto info = pm::engine::parse_info(line)) {
      require(info->depth >= 0 && info->multipv >= 1, "depth and line are in range");
      require(info->pv.size() <= 1'000, "a variation is bounded");
    }
    pm::engine::parse_option_name(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return 0;
}
