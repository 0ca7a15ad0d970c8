// Finds the human model to use: what somebody names (a folder, a file, or a family), what is in $POSTMORTEM_MODELS or
// in the user's own folder of models, and without any the network that is built in. Of several families in a folder the
// one that knows people best is taken (families.h).
//
//   auto model = open_model({.where = options.models, .threads = 2});
//   if (!model) fmt::print(stderr, "{}\n", model.error().sentence);     // what is missing, and where it comes from
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "human/families.h"
#include "human/human_model.h"

namespace pm::human {

// The network in the program, whatever is in the folders.
inline constexpr const char* built_in = "built-in";
inline constexpr const char* built_in_licence = "GPL-3.0-or-later";

struct ModelChoice {
  std::string where;  // a folder, a file, a family's name or built_in; empty: wherever one is found
  int threads = 1;
};

// What was named, by --models or by the variable, must be there.
Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice);

// ~/.local/share/postmortem/models; empty when there is no home.
std::string user_models_folder();

// A model that could be used.
struct FoundModel {
  std::string name;     // short: "maia3", "built-in"; a second one of a family by its file, "maia3-23m"
  std::string licence;  // of its weights
  std::string where;    // for ModelChoice
};

// All that are there: in what was named and in the user's folder, the one that open_model would take first; the
// built-in one is always among them.
std::vector<FoundModel> find_models(const std::string& where = "");

// Networks in files are loaded when first asked for. This asks all of them once, a few at a time, and says what is
// wrong with those that cannot be used, lowest rating first. 25 ms of processor time for each Maia-1 network.
std::vector<Error> try_networks(HumanModel& model, int threads);

}  // namespace pm::human
