#include "human/models.h"

#include <cstdlib>

#include <fmt/format.h>

#include "human/built_in.h"
#include "human/maia.h"
#include "human/postmortem_model.h"

namespace pm::human {
namespace {

constexpr const char* where_from =
    "the official networks are maia-1100.pb.gz to maia-1900.pb.gz at https://github.com/CSSLab/maia-chess "
    "(folder maia_weights), and the program has a network of its own when no folder is named";

std::string named_folder(const ModelChoice& choice) {
  if (!choice.folder.empty()) return choice.folder;
  const char* named = std::getenv("POSTMORTEM_MODELS");
  return named != nullptr ? named : "";
}

std::string own_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fmt::format("{}/.local/share/postmortem/models", home) : "";
}

}  // namespace

Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice) {
  const std::string named = named_folder(choice);
  if (named != built_in) {
    auto files = find_maia_files(named.empty() ? own_folder() : named);
    if (!files.empty()) return open_maia(std::move(files), choice.threads);
    if (!named.empty()) {
      return fail(ErrorCode::weights_missing,
                  fmt::format("no human model: expected maia-LEVEL.pb.gz files in {}; {}", named, where_from));
    }
  }
  return open_postmortem_model(built_in_network(), choice.threads);
}

}  // namespace pm::human
