// "Some move of the solver's": the loop that most motifs share.
#pragma once

#include <optional>

#include "motif/find.h"

namespace pm::motif {

inline constexpr std::size_t first_move = 0;
inline constexpr std::size_t second_move = 2;

// A test says of a move of the solver's, by its place in the line, which men it is against, or that it is not the
// motif.
using Targets = std::optional<chess::Bitboard>;
inline constexpr Targets no = std::nullopt;
inline Targets yes() { return chess::Bitboard(); }
inline Targets yes_if(bool holds) { return holds ? yes() : no; }
inline Targets against(chess::Square target) { return chess::Bitboard(target); }

template <class Test>
Found first_of(const Line& line, std::size_t from, Test test) {
  for (std::size_t i = from; i < line.size(); i += 2) {
    if (const Targets targets = test(i)) return Seen{i, *targets};
  }
  return std::nullopt;
}

}  // namespace pm::motif
