// The file of a network, whole and not larger than it should be.
#pragma once

#include <string>

#include "base/error.h"

namespace pm::human {

Expected<std::string> read_network_file(const std::string& path, std::size_t most_bytes);

}  // namespace pm::human
