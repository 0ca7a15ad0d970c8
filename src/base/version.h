// The version of the program, as CMakeLists.txt has it.
#pragma once

#include <string_view>

namespace pm {

std::string_view version();  // "0.9.0"

}  // namespace pm
