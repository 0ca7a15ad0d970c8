// What moves that lost something, and the engine's best ones in their place, score against people of the opponent's
// rating (docs/expected-winrate.md): quick trees, since a game has many such moves.
#pragma once

#include <optional>
#include <stop_token>

#include "expect/analysis.h"
#include "human/human_model.h"
#include "review/game_review.h"

namespace pm::review {

// How deep and how far lines are followed in a review.
expect::Parameters review_parameters(const engine::Limit& limit);

// Plies worth comparing that have not been: they lost something, and there was a choice. Not the best move, not forced,
// not of the opening book.
std::vector<std::size_t> plies_to_compare(const GameReview& review);

// Nothing when somebody asked to stop, or the engine failed.
std::optional<Expectation> compare_with_best(const GameReview& review, std::size_t ply,
                                             const expect::Parameters& parameters, human::HumanModel& model,
                                             engine::Evaluator& evaluator, const std::stop_token& stop);

}  // namespace pm::review
