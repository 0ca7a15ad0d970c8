// The rating at which a model predicts somebody's moves best: whose play it looks like. No estimate of strength, but
// how usual the moves are for people of each rating.
//
//   Likelihood likelihood(sampled_ratings(model.identity().ratings));
//   for (each move) likelihood.add(probabilities);          // at each of the ratings
//   const std::optional<PlayedLike> like = played_like(likelihood, model name);
//
// Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pm::human {

struct PlayedLike {
  int rating = 0;  // a multiple of 10
  int low = 0;     // of an interval that holds the player's own rating nine times of ten
  int high = 0;
  int moves = 0;  // it rests on

  friend bool operator==(const PlayedLike&, const PlayedLike&) = default;
};

// With fewer moves nothing is said.
inline constexpr int fewest_moves = 25;

// How likely the moves of somebody were at each of some ratings.
class Likelihood {
 public:
  explicit Likelihood(std::vector<int> ratings) : ratings_(std::move(ratings)), logs_(ratings_.size()) {}

  void add(std::span<const double> probabilities);
  int moves() const { return moves_; }
  const std::vector<int>& ratings() const { return ratings_; }
  const std::vector<double>& logs() const { return logs_; }

 private:
  std::vector<int> ratings_;
  std::vector<double> logs_;  // of the product of all probabilities
  int moves_ = 0;
};

// Nothing when there are too few moves, or fewer than three ratings to tell apart. How wide the interval is depends on
// the model, by measurement (bench/people); of one that was not measured it is as wide as the widest.
std::optional<PlayedLike> played_like(const Likelihood& likelihood, std::string_view model);
// With an interval down to a likelihood whose logarithm is so much below the best; for three ratings and more.
PlayedLike played_like(const Likelihood& likelihood, double drop);
// How far the logarithm falls from the best rating to this one, or the nearest within the range.
double drop_to(const Likelihood& likelihood, int rating);

}  // namespace pm::human
