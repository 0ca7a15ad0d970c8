// Which moves of a game set a trap, and which better moves would have: most people of the opponent's rating reply with
// an error.
//
//   for (TrapQuestion& each : *possible_traps(review, model, from)) ...   // the engine is asked about the open ones
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "human/human_model.h"
#include "review/game_review.h"

namespace pm::review {

// A move and the reply that most people give, which is not the engine's.
struct TrapQuestion {
  std::size_t ply;
  chess::Move move;  // the one played, or the engine's instead of it
  chess::Move reply;
  double probability;
  score::WhiteScore otherwise;      // with the best reply
  chess::Position after;            // the reply
  std::optional<score::Line> line;  // the engine's from there, where the review knows it
};

// From this ply on, ascending; at most one for each. An error when the model fails; not all when asked to stop.
Expected<std::vector<TrapQuestion>> possible_traps(const GameReview& review, human::HumanModel& model,
                                                   std::size_t from = 0, const std::stop_token& stop = {});

// With the engine's line: nothing unless the reply is a clear error.
std::optional<explain::Trap> trap_of(const TrapQuestion& question, const score::Line& line);

}  // namespace pm::review
