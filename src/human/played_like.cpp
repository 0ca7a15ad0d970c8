#include "human/played_like.h"

#include <algorithm>
#include <cmath>

#include "human/calibration.h"

namespace pm::human {
namespace {

constexpr int step = 10;

// The smooth curve through three points and more: a cubic spline whose first and last pieces are parabolas.
class Spline {
 public:
  Spline(std::span<const int> x, std::span<const double> y)
      : x_(x.begin(), x.end()), y_(y.begin(), y.end()), bend_(x.size()) {
    const std::size_t last = x_.size() - 2;  // of the inner points
    std::vector<double> slope(x_.size());
    std::vector<double> rest(x_.size());
    for (std::size_t i = 1; i <= last; ++i) {
      const double left = x_[i] - x_[i - 1];
      const double right = x_[i + 1] - x_[i];
      const double ends = (i == 1 ? left : 0) + (i == last ? right : 0);  // where the neighbour bends as this one does
      const double before = i == 1 ? 0 : left;
      const double pivot = 2 * (left + right) + ends - before * slope[i - 1];
      slope[i] = i == last ? 0 : right / pivot;
      const double turn = 6 * ((y_[i + 1] - y_[i]) / right - (y_[i] - y_[i - 1]) / left);
      rest[i] = (turn - before * rest[i - 1]) / pivot;
    }
    for (std::size_t i = last; i >= 1; --i) bend_[i] = rest[i] - slope[i] * bend_[i + 1];
    bend_.front() = bend_[1];
    bend_.back() = bend_[last];
  }

  double at(double x) const {
    const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
    const auto i = static_cast<std::size_t>(above - x_.begin());
    const double h = x_[i] - x_[i - 1];
    const double a = (x_[i] - x) / h;
    const double b = (x - x_[i - 1]) / h;
    return a * y_[i - 1] + b * y_[i] + ((a * a * a - a) * bend_[i - 1] + (b * b * b - b) * bend_[i]) * h * h / 6;
  }

 private:
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> bend_;  // the second derivative
};

int best_of(const Spline& curve, const std::vector<int>& ratings) {
  int best = ratings.front();
  for (int rating = best; rating <= ratings.back(); rating += step) {
    if (curve.at(rating) > curve.at(best)) best = rating;
  }
  return best;
}

}  // namespace

void Likelihood::add(std::span<const double> probabilities) {
  constexpr double least = 1e-4;  // what nobody plays says no more than what hardly anybody does
  for (std::size_t i = 0; i < logs_.size(); ++i) logs_[i] += std::log(std::max(probabilities[i], least));
  ++moves_;
}

std::optional<PlayedLike> played_like(const Likelihood& likelihood, std::string_view model) {
  if (likelihood.moves() < fewest_moves || likelihood.ratings().size() < 3) return std::nullopt;
  return played_like(likelihood, likelihood_drop(model));
}

PlayedLike played_like(const Likelihood& likelihood, double drop) {
  const auto& ratings = likelihood.ratings();
  const Spline curve(ratings, likelihood.logs());
  const int best = best_of(curve, ratings);
  const double least = curve.at(best) - drop;
  PlayedLike like{best, best, best, likelihood.moves()};
  while (like.low - step >= ratings.front() && curve.at(like.low - step) >= least) like.low -= step;
  while (like.high + step <= ratings.back() && curve.at(like.high + step) >= least) like.high += step;
  return like;
}

double drop_to(const Likelihood& likelihood, int rating) {
  const auto& ratings = likelihood.ratings();
  const Spline curve(ratings, likelihood.logs());
  return curve.at(best_of(curve, ratings)) - curve.at(std::clamp(rating, ratings.front(), ratings.back()));
}

}  // namespace pm::human
