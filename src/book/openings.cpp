#include "book/openings.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pm::book {
namespace {

// Made by tools/make_openings.cpp: opening_keys, sorted, and openings, in the same order.
#include "book/openings_table.inc"

}  // namespace

const Opening* find_opening(const chess::Position& position) {
  const std::uint64_t key = position.placement_key();
  const auto* const found = std::lower_bound(opening_keys.begin(), opening_keys.end(), key);
  if (found == opening_keys.end() || *found != key) return nullptr;
  return &openings[static_cast<std::size_t>(found - opening_keys.begin())];
}

std::size_t opening_count() { return openings.size(); }

}  // namespace pm::book
