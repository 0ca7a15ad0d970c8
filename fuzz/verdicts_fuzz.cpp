// Any bytes as the input of `verdicts`: refused with a sentence, or judged by all schemes; never anything else.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "report/json.h"
#include "review/verdicts_input.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = pm::review::parse_given({reinterpret_cast<const char*>(data), size});
  if (!given) {
    require(!given.error().sentence.empty(), "a refusal says why");
    return 0;
  }
  for (std::size_t i = 0; i < given->size(); ++i) {
    const auto move = given->move(i);
    if (!move) {
      require(move.error().sentence.starts_with("$.positions["), "a refusal says where");
      continue;
    }
    std::string out;
    pm::report::JsonWriter json(out);
    pm::report::write_verdicts(json, pm::review::judge(*move, given->options()));
    require(out.find("nan") == std::string::npos && out.find("inf") == std::string::npos, "every number is a number");
  }
  return 0;
}
