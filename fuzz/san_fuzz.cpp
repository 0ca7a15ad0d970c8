// The first line is a FEN (or not: then the start position), the rest a move: refused, or a legal move that
// round-trips in SAN and UCI.
#include <cstdint>
#include <string_view>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "fuzz/require.h"

using namespace pm::chess;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), size);
  const auto parsed = parse_fen(text.substr(0, line));
  const Position position = parsed ? *parsed : Position::start();
  const std::string_view move = parsed ? text.substr(std::min(line + 1, size)) : text;

  if (const auto m = parse_san(position, move); m && !m->is_null()) {
    require(is_legal(position, *m), "a move that was read is legal");
    const auto again = parse_san(position, format_san(position, *m));
    require(again && *again == *m, "SAN round-trips");
  }
  if (const auto m = parse_uci(position, move)) {
    require(is_legal(position, *m), "a move that was read is legal");
    const auto again = parse_uci(position, format_uci(*m, CastlingNotation::king_takes_rook));
    require(again && *again == *m, "UCI round-trips");
  }
  return 0;
}
