// A family of Maia-1 networks (McIlroy-Young, Sen, Kleinberg, Anderson, "Aligning Superhuman AI with Human Behavior",
// 2020), one file per rating level: maia-1100.pb.gz and so on.
//
// A rating between two levels blends their answers in proportion. The opponent's rating plays no part. Networks are
// loaded when first asked for, once for all threads; a batch is shared among `threads`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "human/human_model.h"

namespace pm::human {

struct MaiaFile {
  int level;
  std::string path;
};

// Of a name such as maia-1500.pb.gz.
std::optional<int> maia_level(std::string_view name);

// The maia-LEVEL.pb.gz files of a folder, lowest level first; empty when there are none or no such folder.
std::vector<MaiaFile> find_maia_files(const std::string& folder);

// The files must be sorted by level and not empty. Reads them all once, for their sums; fails when one cannot be read.
Expected<std::shared_ptr<HumanModel>> open_maia(std::vector<MaiaFile> files, int threads);

}  // namespace pm::human
