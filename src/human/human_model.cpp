#include "human/human_model.h"

#include <algorithm>

#include <fmt/format.h>

namespace pm::human {

Expected<void> HumanModel::check_rating(int rating) const {
  if (nearest_rating(rating) == rating) return {};
  const auto& levels = identity().levels;
  return fail(ErrorCode::rating_range, fmt::format("{} covers ratings from {} to {}, not {}", identity().name,
                                                   levels.front(), levels.back(), rating));
}

int HumanModel::nearest_rating(int rating) const {
  return std::clamp(rating, identity().levels.front(), identity().levels.back());
}

}  // namespace pm::human
