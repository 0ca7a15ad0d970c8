#include "human/ratings.h"

namespace pm::human {

Expected<Ratings> choose_ratings(const WantedRatings& wanted, const TaggedRatings& tagged, chess::Colour player,
                                 const HumanModel& model) {
  for (const auto& rating : {wanted.rating, wanted.opponent_rating}) {
    if (!rating) continue;
    if (const auto covered = model.check_rating(*rating); !covered) return tl::make_unexpected(covered.error());
  }
  const bool white = player == chess::Colour::white;
  const auto own_tag = white ? tagged.white : tagged.black;
  const auto opponent_tag = white ? tagged.black : tagged.white;
  const auto asked = wanted.opponent_rating ? wanted.opponent_rating : wanted.rating;
  const int own = wanted.rating.value_or(own_tag.value_or(opponent_tag.value_or(default_rating)));
  const int opponent = asked.value_or(opponent_tag.value_or(own_tag.value_or(default_rating)));
  const int own_level = wanted.rating ? own : model.nearest_step(own);
  const int opponent_level = asked ? opponent : model.nearest_step(opponent);
  return white ? Ratings{own_level, opponent_level, own - opponent}
               : Ratings{opponent_level, own_level, opponent - own};
}

}  // namespace pm::human
