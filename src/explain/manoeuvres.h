// What the first move of a line does for its side's position, where nothing is forced. Each looks for one thing and
// says nothing when it is not there.
#pragma once

#include <optional>

#include "explain/idea.h"

namespace pm::explain {

// A piece is taken that is not taken back at once, and not all of it is given back soon.
std::optional<Idea> capture(const motif::Line& line);
std::optional<Idea> rook_on_the_seventh(const motif::Line& line);
// A knight or bishop to a square in the enemy's half, guarded by a pawn, from which no pawn can ever drive it.
std::optional<Idea> outpost(const motif::Line& line);
// A rook to a file without pawns.
std::optional<Idea> open_file(const motif::Line& line);
// One piece more against the squares around the king; then there are three or more of them.
std::optional<Idea> king_attack(const motif::Line& line);
// In a pawn ending: the kings face each other, and the other side has to move.
std::optional<Idea> opposition(const motif::Line& line);
// In an ending without queens: the king walks towards the middle or the other side.
std::optional<Idea> king_walk(const motif::Line& line);
// A pawn that no enemy pawn can stop any more.
std::optional<Idea> new_passed_pawn(const motif::Line& line);
// A pawn attacks a pawn.
std::optional<Idea> pawn_lever(const motif::Line& line);
// Both queens leave the board in the next moves.
std::optional<Idea> queens_off(const motif::Line& line);
std::optional<Idea> castling(const motif::Line& line);
// A minor piece leaves its first square in the opening.
std::optional<Idea> development(const motif::Line& line);
// A man is guarded that the other line takes at once.
std::optional<Idea> defence(const motif::Line& line, const motif::Line& other);
// A piece is traded for one of the same worth.
std::optional<Idea> trade(const motif::Line& line);

}  // namespace pm::explain
