// Forsyth-Edwards notation, in and out.
//
//   Expected<Position> p = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
//   std::string text = format_fen(*p);
//
// Reading is strict about what a position can be and says where it went wrong (Place::column, from 1), and lenient
// about what people leave out: two fields (placement and side), three, four or all six are accepted, the missing ones
// being "-", "-", 0 and 1. Castling rights may be written as KQkq (X-FEN: the outermost rook on that side) or as rook
// files, HAha (Shredder-FEN). Underscores stand for spaces, as in URLs.
//
// Writing gives KQkq wherever that names the right rook and a file letter otherwise (X-FEN), so that standard games
// get standard FENs.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "chess/position.h"

namespace pm::chess {

Expected<Position> parse_fen(std::string_view text);
std::string format_fen(const Position& position);

inline constexpr std::string_view start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

}  // namespace pm::chess
