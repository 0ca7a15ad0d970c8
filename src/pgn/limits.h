// How much of one game the reader will hold. Input may be hostile; memory stays bounded by these whatever it says.
// Far above anything real: the largest annotated games known stay below a tenth of each.
#pragma once

#include <cstddef>

namespace pm::pgn {

inline constexpr std::size_t max_comment_bytes = 1 << 20;    // one comment; the rest of it is skipped
inline constexpr std::size_t max_comments_bytes = 32 << 20;  // all comments of a game; later ones are dropped
inline constexpr std::size_t max_token_bytes = 255;          // one move or symbol; PGN standard, section 7
inline constexpr std::size_t max_tag_bytes = 16 << 10;       // one tag pair
inline constexpr std::size_t max_fen_bytes = 256;            // what is looked at of a FEN or Variant tag
inline constexpr std::size_t max_tags = 1'000;               // tag pairs of a game; later ones are dropped
inline constexpr std::size_t max_variation_depth = 100;      // nested brackets
inline constexpr std::size_t max_plies = 250'000;            // moves of a game, variations included
inline constexpr std::size_t max_problems = 100;             // kept per game; more are not
inline constexpr std::size_t max_nags = 64;                  // per move; later ones are dropped

// Of packed files: what small ones may unpack to, and how many times their size all others may. Games are packed to a
// tenth at best.
inline constexpr std::size_t max_unpacked_anyway = std::size_t{1} << 30;
inline constexpr std::size_t max_expansion = 200;

}  // namespace pm::pgn
