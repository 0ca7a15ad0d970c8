#include "human/calibration.h"

#include <algorithm>
#include <array>

#include "human/solution.h"

namespace pm::human {
namespace {

struct Measured {
  std::string_view model;
  double likelihood_drop;
  std::array<double, SolutionFacts::count> solution_weights;
};

// Printed by bench/people; docs/human-model.md says on what, and how well they do on the rest.
constexpr auto measured = std::to_array<Measured>({
#include "human/calibration.inc"
});

const Measured* find(std::string_view model) {
  const auto found =
      std::find_if(measured.begin(), measured.end(), [&](const Measured& m) { return m.model == model; });
  return found == measured.end() ? nullptr : &*found;
}

}  // namespace

double likelihood_drop(std::string_view model) {
  if (const Measured* own = find(model)) return own->likelihood_drop;
  const auto most = std::max_element(measured.begin(), measured.end(), [](const Measured& a, const Measured& b) {
    return a.likelihood_drop < b.likelihood_drop;
  });
  return most->likelihood_drop;
}

std::optional<std::span<const double>> solution_weights(std::string_view model) {
  const Measured* own = find(model);
  return own == nullptr ? std::nullopt : std::optional(std::span<const double>(own->solution_weights));
}

}  // namespace pm::human
