#include "human/human_model.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace pm::human {

std::string model_text(const std::string& name, const std::string& sha256) {
  return fmt::format("{} ({})", name, sha256.substr(0, 12));
}

double probability_of(const Prediction& prediction, chess::Move move) {
  for (const MoveProbability& each : prediction.moves) {
    if (each.move == move) return each.probability;
  }
  return 0;
}

RatingRange ratings_from(int lowest, int highest, int step) {
  RatingRange range;
  for (int rating = lowest; rating < highest; rating += step) range.steps.push_back(rating);
  range.steps.push_back(highest);
  return range;
}

Expected<void> HumanModel::check_rating(int rating) const {
  if (nearest_rating(rating) == rating) return {};
  const RatingRange& ratings = identity().ratings;
  return fail(ErrorCode::rating_range, fmt::format("{} covers ratings from {} to {}, not {}", identity().name,
                                                   ratings.lowest(), ratings.highest(), rating));
}

int HumanModel::nearest_rating(int rating) const {
  return std::clamp(rating, identity().ratings.lowest(), identity().ratings.highest());
}

int HumanModel::nearest_step(int rating) const {
  const auto& steps = identity().ratings.steps;
  return *std::min_element(steps.begin(), steps.end(),
                           [&](int a, int b) { return std::abs(a - rating) < std::abs(b - rating); });
}

}  // namespace pm::human
