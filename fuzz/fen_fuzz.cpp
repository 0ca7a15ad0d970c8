// Any bytes as a FEN: refused with a place, or a position that round-trips and whose moves can all be played.
#include <cstdint>
#include <string_view>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "fuzz/require.h"

using namespace pm::chess;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto position = parse_fen(text);
  if (!position) {
    require(!position.error().sentence.empty(), "an error has a sentence");
    require(position.error().place.column >= 1 && position.error().place.column <= size + 1, "an error has a place");
    return 0;
  }
  const auto again = parse_fen(format_fen(*position));
  require(again && *again == *position, "reading what was written gives the same position");
  const MoveList moves = legal_moves(*position);
  require(static_cast<int>(moves.size()) == count_legal_moves(*position), "counting agrees with generating");
  for (const Move m : moves) {
    const Position next = position->after(m);
    require(parse_fen(format_fen(next)).has_value(), "a legal move leads to a position");
  }
  return 0;
}
