#include "engine/segment.h"

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::engine {

std::string key_of(const Segment& segment) {
  std::string key = fmt::format("{}|{}|", format_limit(segment.limit), chess::format_fen(segment.state.start));
  for (const chess::Move m : segment.state.moves) {
    key += chess::format_uci(m, chess::CastlingNotation::king_takes_rook);
    key += ' ';
  }
  return key + fmt::format("|{}", fmt::join(segment.plies, " "));
}

}  // namespace pm::engine
