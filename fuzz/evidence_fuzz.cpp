// Any bytes as a game and the saved evidence of its review: refused with a sentence, or what is written of it reads
// back the same, and it can be judged.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/game_and_evidence.h"
#include "fuzz/require.h"
#include "review/evidence_codec.h"
#include "review/game_review.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = take_apart({reinterpret_cast<const char*>(data), size});
  const auto evidence = pm::review::parse_evidence(given.evidence, given.game);
  if (!evidence) {
    require(!evidence.error().sentence.empty() && evidence.error().place.line <= size, "a refusal says where");
    return 0;
  }
  require(evidence->positions.size() == evidence->plies.size() + 1, "each ply has a position before and after");
  const std::string text = pm::review::format_evidence(*evidence);
  const auto again = pm::review::parse_evidence(text, given.game);
  require(again.has_value(), "what was written can be read");
  require(pm::review::format_evidence(*again) == text, "what was written reads back the same");
  const auto review = pm::review::assemble(given.game, *evidence, {});
  require(review.plies.size() == evidence->plies.size(), "every ply is judged, or says why not");
  return 0;
}
