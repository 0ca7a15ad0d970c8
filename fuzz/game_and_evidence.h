// For fuzz targets: bytes that are a game, and from the word "evidence" on what was found out about it.
#pragma once

#include <algorithm>
#include <string_view>

#include "pgn/reader.h"

struct GameAndEvidence {
  pm::pgn::Game game;
  std::string_view evidence;
};

inline GameAndEvidence take_apart(std::string_view bytes) {
  const std::size_t at = std::min(bytes.find("evidence "), bytes.size());
  pm::pgn::MemorySource source(bytes.substr(0, at));
  auto read = pm::pgn::GameReader(source).next();
  return {read ? std::move(read->game) : pm::pgn::Game(), bytes.substr(at)};
}
