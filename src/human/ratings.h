// Whose moves are compared with people of which rating: the one policy of every command and page.
//
// What was asked for counts. Else the players' own ratings, by the game's tags, at the nearest level the model has; of
// a player whose rating is not known, the opponent's; without any, 1500. Who asks for one rating means both players.
#pragma once

#include <optional>

#include "chess/types.h"
#include "human/human_model.h"

namespace pm::human {

struct Ratings {
  int white = default_rating;
  int black = default_rating;
  // White's rating less Black's, as they are: the two above may be the nearest levels of a model.
  int lead_of_white = 0;

  int lead_of(chess::Colour side) const { return side == chess::Colour::white ? lead_of_white : -lead_of_white; }
  int of(chess::Colour side) const { return side == chess::Colour::white ? white : black; }
};

// What somebody asked for: of the player in question (in a review White), and of the opponent.
struct WantedRatings {
  std::optional<int> rating = std::nullopt;
  std::optional<int> opponent_rating = std::nullopt;
};

// What a game says of its players.
struct TaggedRatings {
  std::optional<int> white = std::nullopt;
  std::optional<int> black = std::nullopt;
};

// `player` is the one whose rating `wanted.rating` is. An error when a rating that was asked for is not covered.
Expected<Ratings> choose_ratings(const WantedRatings& wanted, const TaggedRatings& tagged, chess::Colour player,
                                 const HumanModel& model);

}  // namespace pm::human
