#include "human/ratings.h"

namespace pm::human {

Expected<Ratings> choose_ratings(const WantedRatings& wanted, const TaggedRatings& tagged, chess::Colour player,
                                 const HumanModel& model) {
  for (const auto& rating : {wanted.rating, wanted.opponent_rating}) {
    if (!rating) continue;
    if (const auto covered = model.check_rating(*rating); !covered) return tl::make_unexpected(covered.error());
  }
  const auto level = [&](std::optional<int> own, std::optional<int> other) {
    return model.nearest_step(own.value_or(other.value_or(default_rating)));
  };
  const bool white = player == chess::Colour::white;
  const int own =
      wanted.rating ? *wanted.rating : level(white ? tagged.white : tagged.black, white ? tagged.black : tagged.white);
  const std::optional<int> asked = wanted.opponent_rating ? wanted.opponent_rating : wanted.rating;
  const int opponent = asked ? *asked : level(white ? tagged.black : tagged.white, white ? tagged.white : tagged.black);
  return white ? Ratings{own, opponent} : Ratings{opponent, own};
}

}  // namespace pm::human
