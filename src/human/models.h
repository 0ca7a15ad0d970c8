// Finds the human model to use: the folder somebody names, $POSTMORTEM_MODELS, or the user's own folder of models.
//
//   auto model = open_model({.folder = options.models, .threads = 2});
//   if (!model) fmt::print(stderr, "{}\n", model.error().sentence);     // what is missing, and where it comes from
//
// A model built into the program will stand behind the folders one day; this is where it goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

struct ModelChoice {
  std::string folder;  // of --models; empty: wherever one is found
  int threads = 1;
};

// A folder that was named must have networks in it; of the others the first that has some is taken.
Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice);

// The folders looked into when none is named, in this order.
std::vector<std::string> model_folders();

}  // namespace pm::human
