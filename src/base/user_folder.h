// Where programs keep things for their user, as the XDG specification has it.
#pragma once

#include <filesystem>
#include <optional>

namespace pm {

// The folder named by a variable such as XDG_CACHE_HOME, or this one below the user's home; nothing when there is no
// home.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* below_home);

}  // namespace pm
