// What a line forces that wins no material at once. Each looks for one thing and says nothing when it is not there.
#pragma once

#include <optional>

#include "explain/idea.h"

namespace pm::explain {

// Checks without end, where the engine calls the line a draw: by the side whose line it is, or as the only way left to
// the other.
std::optional<Idea> perpetual_check(const motif::Line& line);
// A position comes again, where the engine calls the line a draw.
std::optional<Idea> repetition(const motif::Line& line);
// The side whose line it is gets itself stalemated.
std::optional<Idea> stalemate_trick(const motif::Line& line);
// Three checks and more in a row.
std::optional<Idea> king_hunt(const motif::Line& line);
// A pawn that promotes, or a passed pawn that gets to the sixth rank or further, and is safe there.
std::optional<Idea> running_pawn(const motif::Line& line);
// A king that has to move and could castle before.
std::optional<Idea> lost_castling(const motif::Line& line);
// By the first move: a pin; an attack on a piece (or a pawn) that was well placed before.
std::optional<Idea> new_pin(const motif::Line& line);
std::optional<Idea> threat(const motif::Line& line);
std::optional<Idea> threat_to_pawns(const motif::Line& line);

}  // namespace pm::explain
