#include "human/models.h"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "human/maia.h"

namespace pm::human {
namespace {

constexpr const char* where_from =
    "the official networks are maia-1100.pb.gz to maia-1900.pb.gz at https://github.com/CSSLab/maia-chess "
    "(folder maia_weights)";

}  // namespace

std::vector<std::string> model_folders() {
  std::vector<std::string> folders;
  if (const char* named = std::getenv("POSTMORTEM_MODELS"); named != nullptr && *named != '\0') {
    folders.emplace_back(named);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    folders.push_back(fmt::format("{}/.local/share/postmortem/models", home));
  }
  return folders;
}

Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice) {
  const std::vector<std::string> folders = choice.folder.empty() ? model_folders() : std::vector{choice.folder};
  for (const std::string& folder : folders) {
    if (auto files = find_maia_files(folder); !files.empty()) return open_maia(std::move(files), choice.threads);
  }
  return fail(
      ErrorCode::weights_missing,
      fmt::format("no human model: expected maia-LEVEL.pb.gz files in {}; {}",
                  choice.folder.empty() ? fmt::format("{} (or name a folder with --models)", fmt::join(folders, " or "))
                                        : choice.folder,
                  where_from));
}

}  // namespace pm::human
