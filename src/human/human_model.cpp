#include "human/human_model.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace pm::human {

std::string model_text(const std::string& name, const std::string& sha256) {
  return fmt::format("{} ({})", name, sha256.substr(0, 12));
}

Expected<void> HumanModel::check_rating(int rating) const {
  if (nearest_rating(rating) == rating) return {};
  const auto& levels = identity().levels;
  return fail(ErrorCode::rating_range, fmt::format("{} covers ratings from {} to {}, not {}", identity().name,
                                                   levels.front(), levels.back(), rating));
}

int HumanModel::nearest_rating(int rating) const {
  return std::clamp(rating, identity().levels.front(), identity().levels.back());
}

int HumanModel::nearest_level(int rating) const {
  const auto& levels = identity().levels;
  return *std::min_element(levels.begin(), levels.end(),
                           [&](int a, int b) { return std::abs(a - rating) < std::abs(b - rating); });
}

}  // namespace pm::human
