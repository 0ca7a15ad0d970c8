#include "human/calibration.h"

#include <algorithm>
#include <array>

namespace pm::human {
namespace {

struct Measured {
  std::string_view model;
  double likelihood_drop;
};

// docs/human-model.md says on what.
constexpr std::array<Measured, 1> measured{{{"Postmortem-1", 1.83}}};

}  // namespace

double likelihood_drop(std::string_view model) {
  double most = 0;
  for (const Measured& each : measured) {
    if (each.model == model) return each.likelihood_drop;
    most = std::max(most, each.likelihood_drop);
  }
  return most;
}

}  // namespace pm::human
