// What people would have made of a game's moves: how likely each was, what most would have played, and, for moves that
// mattered, what the move and the engine's best one would score against people of the opponent's rating.
//
//   add_people(review, *model, people_of(game, *model, {}));        // probabilities; no engine needed
//   add_expectations(review, *model, evaluator, parameters, stop);  // win rates; may make moves RISKY
//
// One thread; the model may be shared.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "expect/analysis.h"
#include "human/human_model.h"
#include "review/game_review.h"

namespace pm::review {

// What was asked for, when somebody did; else the tags say, else 1500. Always levels of the model.
struct WantedRatings {
  std::optional<int> rating;           // of both players, or of White when the other is given
  std::optional<int> opponent_rating;  // of Black
};

PeopleUsed people_of(const pgn::Game& game, const human::HumanModel& model, const WantedRatings& wanted);

// Adds the probabilities to every ply. Fails when the model does.
Expected<void> add_people(GameReview& review, human::HumanModel& model, const PeopleUsed& people);

// How deep and how far lines are followed in a review, where there are many moves: quick, for a game at a time.
expect::Parameters review_parameters(int engine_depth);

// Adds the expected win rates of moves that mattered (not the best, not forced, not theory: they lost something) and
// judges those plies again. Stops early, with what is there, when asked to.
void add_expectations(GameReview& review, human::HumanModel& model, expect::Evaluator& evaluator,
                      const expect::Parameters& parameters, const std::stop_token& stop);

// "8% of 1500s play this; most play Nf3 (45%). Against 1500s it scores 54.2%, Nf3 61.0%."
std::string sentence_of(const PlyPeople& people);

}  // namespace pm::review
