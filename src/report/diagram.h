// A position as a picture: SVG with pieces of our own drawing, arrows and marked squares.
//
//   std::string svg = diagram_svg({position, {{e2, e4, Ink::plain}}, targets});
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chess/position.h"

namespace pm::report {

enum class Ink : std::uint8_t { plain, faint };

struct Arrow {
  chess::Square from;
  chess::Square to;
  Ink ink = Ink::plain;
};

struct Diagram {
  chess::Position position;
  std::vector<Arrow> arrows;
  chess::Bitboard marked;
  std::string title;  // for those who do not see it
};

// Seen from the side of White.
std::string diagram_svg(const Diagram& diagram);

}  // namespace pm::report
