// How hard a move is to find: the rating at which half the people play it, by a model that is asked about several
// ratings.
//
//   const std::vector<int> ratings = sampled_ratings(model.identity().ratings);    // 600, 1000, ... 2600
//   difficulty_of(ratings, probabilities)          ->  about 1850
//
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

// Of a model's steps so many, evenly spread and with both ends: what changes with the rating changes slowly.
inline constexpr std::size_t most_sampled_ratings = 6;
std::vector<int> sampled_ratings(const RatingRange& range);

struct Difficulty {
  // Half find it even at the lowest rating asked about; at some rating; not even at the highest.
  enum class Reach : std::uint8_t { under, about, over } reach = Reach::about;
  int rating = 0;  // a multiple of 50; of `under` and `over` the end of the range

  friend bool operator==(const Difficulty&, const Difficulty&) = default;
};

// `probabilities` are those of the move, or the product over the moves of a line, at each of the ratings; both are as
// many and not empty. Where more people find it at a lower rating than at a higher one, the two are taken together.
Difficulty difficulty_of(std::span<const int> ratings, std::span<const double> probabilities);

inline constexpr std::array<std::string_view, 3> reach_names{"under", "about", "over"};

// "about 1850", "over 2600", "under 600".
std::string difficulty_text(const Difficulty& difficulty);

}  // namespace pm::human
