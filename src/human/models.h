// Finds the human model to use: what somebody names (a folder, a file, or a family), what is in $POSTMORTEM_MODELS or
// in the user's own folder of models, and without any the network that is built in. Of several families in a folder the
// one that knows people best is taken: Maia-3, then Maia-1.
//
//   auto model = open_model({.where = options.models, .threads = 2});
//   if (!model) fmt::print(stderr, "{}\n", model.error().sentence);     // what is missing, and where it comes from
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

// The network in the program, whatever is in the folders.
inline constexpr const char* built_in = "built-in";

struct ModelChoice {
  std::string where;  // a folder, a file, "maia3", "maia1" or built_in; empty: wherever one is found
  int threads = 1;
};

// What was named, by --models or by the variable, must be there.
Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice);

// Networks in files are loaded when first asked for. This asks all of them once, a few at a time, and says what is
// wrong with those that cannot be used, lowest level first. 25 ms of processor time for each Maia-1 network.
std::vector<Error> try_networks(HumanModel& model, int threads);

}  // namespace pm::human
