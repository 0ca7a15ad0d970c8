// A game in a few words: its turning points and two or three sentences, made only of what was computed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "review/game_review.h"

namespace pm::review {

struct KeyMoment {
  std::size_t ply;    // index into GameReview::plies
  std::string title;  // "22... Nf4?? loses the queen"
};

// At most six, in the order of the game: the errors that changed the winning chances most, never the same one twice (a
// chance that both let pass, or one that is missed again on the next move).
std::vector<KeyMoment> key_moments(const GameReview& review);

// "White came out of the opening better. Black lost the queen on move 22. White won by checkmate."
std::string story(const GameReview& review);

}  // namespace pm::review
