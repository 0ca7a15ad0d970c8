#include "base/user_folder.h"

#include <cstdlib>

namespace pm {

std::optional<std::filesystem::path> user_folder(const char* variable, const char* below_home) {
  const char* named = std::getenv(variable);
  if (named != nullptr && std::filesystem::path(named).is_absolute()) return named;  // relative ones are to be ignored
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return std::nullopt;
  return std::filesystem::path(home) / below_home;
}

}  // namespace pm
