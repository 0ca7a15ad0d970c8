// For tests: finds the data kept beside the checkout, in ../shared/data.
//
//   const auto path = shared_data("games/lichess-3000.pgn.zst");
//   if (!path) GTEST_SKIP() << no_shared_data;
//
// With POSTMORTEM_REQUIRE_SHARED=1 in the environment (as .ci/run sets it) missing data is a failure, not a skip.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace pm {

inline constexpr const char* no_shared_data = "../shared/data is not beside the checkout";

inline std::optional<std::string> shared_data(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(POSTMORTEM_SOURCE_DIR) / ".." / "shared" / "data" / name;
  if (std::filesystem::exists(path)) return path.string();
  const char* required = std::getenv("POSTMORTEM_REQUIRE_SHARED");
  if (required != nullptr && std::string(required) == "1") ADD_FAILURE() << "missing " << path;
  return std::nullopt;
}

}  // namespace pm
