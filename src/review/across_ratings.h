// What depends on the rating: how likely people from the weakest to the strongest are to play each move, how hard it
// was to find, and whose play a player's moves look like (docs/human-model.md).
#pragma once

#include <functional>

#include "human/human_model.h"
#include "review/game_review.h"

namespace pm::review {

// Fills in PlyEvidence::across from ply `from` on, where it is missing or the best move has changed. The engine's lines
// must be those of the finished review. Early when `stopped` says so. Fails when the model does.
Expected<void> ask_across_ratings(Evidence& evidence, const pgn::Game& game, human::HumanModel& model, std::size_t from,
                                  const std::function<bool()>& stopped);

// How hard the move was to find that should have been: the one played, of a feat; the better one, of an error.
std::optional<Finding> finding_of(const GameReview& review, std::size_t ply);

// By all of the player's moves.
std::optional<human::PlayedLike> played_like(const GameReview& review, chess::Colour player);

// "It takes about 2000." of a feat; "Most 1500s miss Nf5 (12% find it); it takes about 2000." of an error. Where not
// even half of the strongest find it: "Of 2600s 31% do.", "Most 1500s miss Nf5 (12% find it, 31% of 2600s)." or "Most
// 1500s miss Nf5 (12% find it), as do most 2600s." Empty: there is nothing to say.
std::string finding_sentence(const GameReview& review, std::size_t ply);

}  // namespace pm::review
