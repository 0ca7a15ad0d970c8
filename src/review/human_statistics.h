// What people would have made of a game's moves: how likely each was, and what most would have played. No engine
// needed.
#pragma once

#include <stop_token>
#include <string>

#include "human/ratings.h"
#include "review/game_review.h"

namespace pm::review {

// The players' ratings by the tags of the game.
human::TaggedRatings tagged_ratings(const pgn::Game& game);

// Fills in what people of these ratings make of every move that is reviewed. Expectations of people with other ratings
// are dropped. Fails when the model does; leaves everything as it is then, and when asked to stop.
Expected<void> ask_about_people(Evidence& evidence, const pgn::Game& game, human::HumanModel& model,
                                const human::Ratings& ratings, People people = People::full,
                                const std::stop_token& stop = {});

// "8%", "fewer than 1%".
std::string share_text(double share);

// "8% of 1500s play this; Nf3 (45%) is likelier. Against 1500s it scores 54.2%, Nf3 61.0%." Empty: nobody asked.
std::string human_sentence(const GameReview& review, std::size_t ply);

}  // namespace pm::review
