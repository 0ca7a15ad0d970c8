// Games as the tests of this folder write them.
#pragma once

#include <string_view>

#include "pgn/reader.h"

namespace pm::review {

inline pgn::Game read_game(std::string_view text) {
  pgn::MemorySource source(text);
  return pgn::GameReader(source).next().value().game;
}

}  // namespace pm::review
