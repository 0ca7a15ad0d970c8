// Finds the human model to use: what somebody names (a folder, a file, or a family), what is in $POSTMORTEM_MODELS or
// in the user's own folder of models, and without any the network that is built in. Of several families in a folder the
// one that knows people best is taken (families.h). A family's name is looked for in both folders.
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
  std::string name;     // nobody else's: of the first of a family "maia3", of others their file or folder; "built-in"
  std::string licence;  // of its weights
  const Family* family = nullptr;  // null: built in
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::string where = {};  // for the family to open
};

// All that are there: in what was named, in $POSTMORTEM_MODELS and in the user's folder, the one that open_model would
// take first; the built-in one is always among them. An error when there is nothing in what was named.
Expected<std::vector<FoundModel>> find_models(const std::string& where = "");
Expected<std::shared_ptr<HumanModel>> open_model(const FoundModel& found, int threads);

// Networks in files are loaded when first asked for. This asks all of them once, a few at a time, and says what is
// wrong with those that cannot be used, lowest rating first. 25 ms of processor time for each Maia-1 network.
std::vector<Error> try_networks(HumanModel& model, int threads);

}  // namespace pm::human
