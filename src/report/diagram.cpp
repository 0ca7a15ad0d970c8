#include "report/diagram.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace pm::report {
namespace {

constexpr int side = 100;  // of a square
constexpr int board = 8 * side;

// Outlines in a square of 100 by 100; what is drawn with class d is a detail in the other colour.
constexpr std::array<std::string_view, chess::piece_kinds> shapes{
    // pawn
    "<circle cx='50' cy='33' r='14'/><path d='M37 48H63L59 60 71 79H29L41 60Z'/><path d='M24 79H76V89H24Z'/>",
    // knight
    "<path d='M33 79C33 62 47 58 48 45L35 55 24 46 37 28 38 14 48 23C68 25 76 46 73 79Z'/>"
    "<path d='M24 79H76V89H24Z'/><circle class='d' cx='43' cy='36' r='3.5'/>",
    // bishop
    "<circle cx='50' cy='15' r='6'/><path d='M50 22C70 36 70 54 59 65L63 79H37L41 65C30 54 30 36 50 22Z'/>"
    "<path d='M24 79H76V89H24Z'/><path class='d' d='M50 35V53M42 44H58'/>",
    // rook
    "<path d='M27 17H38V26H45V17H55V26H62V17H73V37L65 43 68 79H32L35 43 27 37Z'/><path d='M22 79H78V89H22Z'/>"
    "<path class='d' d='M37 43H63'/>",
    // queen
    "<path d='M18 28 34 56 34 22 46 54 50 17 54 54 66 22 66 56 82 28 71 79H29Z'/>"
    "<circle cx='18' cy='26' r='5'/><circle cx='34' cy='20' r='5'/><circle cx='50' cy='15' r='5'/>"
    "<circle cx='66' cy='20' r='5'/><circle cx='82' cy='26' r='5'/><path d='M24 79H76V89H24Z'/>"
    "<path class='d' d='M31 70H69'/>",
    // king
    "<path d='M46 8H54V14H60V22H54V30H46V22H40V14H46Z'/>"
    "<path d='M50 36C58 24 86 32 76 56L69 79H31L24 56C14 32 42 24 50 36Z'/><path d='M24 79H76V89H24Z'/>"
    "<path class='d' d='M50 41V66M31 70H69'/>"};

struct Point {
  double x;
  double y;
};
Point corner_of(chess::Square s) {
  return {static_cast<double>(side * chess::file_of(s)), static_cast<double>(side * (7 - chess::rank_of(s)))};
}
Point middle_of(chess::Square s) {
  const Point corner = corner_of(s);
  return {corner.x + side / 2.0, corner.y + side / 2.0};
}

std::string squares() {
  std::string text = fmt::format("<rect width='{0}' height='{0}' fill='#e9e4d4'/><path fill='#a9b7a2' d='", board);
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 8; ++file) {
      if ((rank + file) % 2 == 1) text += fmt::format("M{} {}h{}v{}h-{}z", side * file, side * rank, side, side, side);
    }
  }
  return text + "'/>";
}

std::string arrow_path(const Arrow& arrow) {
  const Point from = middle_of(arrow.from);
  const Point to = middle_of(arrow.to);
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return "";
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
  constexpr double head = 36;
  constexpr double half = 24;
  constexpr double line = 14;
  constexpr double start = 28;  // not over the piece that moves
  const Point neck{to.x - along.x * head, to.y - along.y * head};
  const Point tail{from.x + along.x * start, from.y + along.y * start};
  return fmt::format(
      "<g opacity='{}'><path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='#20639b' stroke-width='{}'/>"
      "<path d='M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}Z' fill='#20639b'/></g>",
      arrow.ink == Ink::plain ? ".85" : ".4", tail.x, tail.y, neck.x, neck.y, line, to.x, to.y, neck.x - along.y * half,
      neck.y + along.x * half, neck.x + along.y * half, neck.y - along.x * half);
}

}  // namespace

std::string diagram_svg(const Diagram& diagram) {
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {0}' role='img'><title>{1}</title>"
      "<style>.w{{fill:#fffdf8;stroke:#26221c;stroke-width:4;stroke-linejoin:round}}"
      ".b{{fill:#3b3631;stroke:#14120f;stroke-width:4;stroke-linejoin:round}}"
      ".w .d{{fill:#26221c;stroke:#26221c}}.b .d{{fill:#f3efe6;stroke:#f3efe6}}path.d{{stroke-width:4}}</style>\n{2}\n",
      board, diagram.title, squares());
  for (const chess::Square s : diagram.marked) {
    const Point middle = middle_of(s);
    text += fmt::format(
        "<circle cx='{:.0f}' cy='{:.0f}' r='44' fill='none' stroke='#b3261e' stroke-width='8' opacity='.8'/>\n",
        middle.x, middle.y);
  }
  for (const chess::Square s : diagram.position.occupied()) {
    const chess::Piece piece = diagram.position.piece_on(s);
    const Point corner = corner_of(s);
    text += fmt::format("<g class='{}' transform='translate({:.0f} {:.0f})'>{}</g>\n",
                        chess::colour_of(piece) == chess::Colour::white ? "w" : "b", corner.x, corner.y,
                        shapes[static_cast<std::size_t>(chess::kind_of(piece))]);
  }
  for (const Arrow& arrow : diagram.arrows) text += arrow_path(arrow) + '\n';
  return text + "</svg>\n";
}

}  // namespace pm::report
