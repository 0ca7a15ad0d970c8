// One network of our own for all ratings (network_file.h): it is told both players' ratings with the position.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

// The bytes of a network file; they are not needed afterwards. A batch is shared among `threads`.
Expected<std::shared_ptr<HumanModel>> open_postmortem_model(std::string_view bytes, int threads);

// The .net files of a folder, by name; empty when there are none or no such folder.
std::vector<std::string> find_postmortem_files(const std::string& folder);
Expected<std::shared_ptr<HumanModel>> open_postmortem_file(const std::string& path, int threads);

}  // namespace pm::human
