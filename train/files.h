// Whole files; an error names the file.
#pragma once

#include <string>

#include "base/error.h"
#include "human/network_file.h"

namespace pm::train {

Expected<std::string> read_file(const std::string& path);
Expected<human::OwnNetwork> read_network(const std::string& path);

}  // namespace pm::train
