#include "human/families.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "human/maia.h"
#include "human/maia3.h"
#include "human/postmortem_model.h"

namespace pm::human {
namespace {

// One network for each rating: a folder of them is one model.
std::vector<std::string> find_maia1(const std::string& folder) {
  return find_maia_files(folder).empty() ? std::vector<std::string>() : std::vector{folder};
}

Expected<std::shared_ptr<HumanModel>> open_maia1(const std::string& where, int threads) {
  std::error_code failed;
  if (std::filesystem::is_directory(where, failed)) return open_maia(find_maia_files(where), threads);
  const auto level = maia_level(std::filesystem::path(where).filename().string());
  if (level) return open_maia({{*level, where}}, threads);
  return fail(ErrorCode::weights_missing, fmt::format("{}: expected a name such as maia-1500.pb.gz", where));
}

constexpr std::array<Family, 3> all{
    {{"maia3", "AGPL-3.0", "maia3*.onnx with its .onnx.data", "`postmortem models get maia3` fetches it",
      [](std::string_view path) { return path.ends_with(".onnx"); }, find_maia3_files, open_maia3},
     {"maia1", "GPL-3.0", "maia-LEVEL.pb.gz",
      "its networks are maia-1100.pb.gz to maia-1900.pb.gz at https://github.com/CSSLab/maia-chess (folder "
      "maia_weights)",
      [](std::string_view path) { return path.ends_with(".pb.gz"); }, find_maia1, open_maia1},
     {"postmortem", "GPL-3.0-or-later", "NAME.net", "", [](std::string_view path) { return path.ends_with(".net"); },
      find_postmortem_files, open_postmortem_file}}};

}  // namespace

std::span<const Family> families() { return all; }

}  // namespace pm::human
