// Signs annotators write after a move, and the numbers (NAGs) PGN gives them: the standard's table and, for those the
// standard has no sign for, the signs Lichess uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pm::pgn {

struct Glyph {
  std::string_view text;
  std::uint8_t nag;
};

// Longer signs before their beginnings.
inline constexpr std::array<Glyph, 34> glyphs{{
    {"!!", 3},   {"!?", 5},  {"?!", 6},  {"??", 4},  {"!", 1},   {"?", 2},   {"+/-", 16}, {"+/=", 14}, {"-/+", 17},
    {"=/+", 15}, {"+-", 18}, {"-+", 19}, {"+=", 14}, {"=+", 15}, {"=∞", 44}, {"=", 10},   {"~", 13},   {"±", 16},
    {"∓", 17},   {"⩲", 14},  {"⩱", 15},  {"∞", 13},  {"□", 7},   {"⨀", 22},  {"⟳", 32},   {"↑", 36},   {"→", 40},
    {"⇆", 132},  {"⊕", 138}, {"∆", 140}, {"⌓", 142}, {"‼", 3},   {"⁇", 4},   {"⁉", 5},
}};

// The sign of a NAG from 0 (none) to 6: "", "!", "?", "!!", "??", "!?", "?!".
constexpr std::string_view sign_of(int nag) {
  constexpr std::array<std::string_view, 7> signs{"", "!", "?", "!!", "??", "!?", "?!"};
  return signs[static_cast<std::size_t>(nag)];
}

constexpr const Glyph* find_glyph(std::string_view ahead) {
  for (const Glyph& g : glyphs) {
    if (ahead.starts_with(g.text)) return &g;
  }
  return nullptr;
}

// How many bytes at the end of a move are an evaluation sign rather than part of the move: 2 for "Nf3+-", 0 for "Nf3+".
constexpr std::size_t glyph_suffix_length(std::string_view move) {
  for (const Glyph& g : glyphs) {
    const bool ascii_sign = g.nag >= 10 && g.text.front() > 0;
    if (ascii_sign && move.size() > g.text.size() + 1 && move.ends_with(g.text)) return g.text.size();
  }
  return 0;
}

}  // namespace pm::pgn
