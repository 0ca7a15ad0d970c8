// Whole files; an error names the file.
#pragma once

#include <string>

#include "base/error.h"
#include "nn/network_file.h"

namespace pm::train {

Expected<std::string> read_file(const std::string& path);
Expected<nn::OwnNetwork> read_network(const std::string& path);

}  // namespace pm::train
