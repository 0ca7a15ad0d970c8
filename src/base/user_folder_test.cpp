#include "base/user_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace pm {
namespace {

TEST(UserFolder, TakesTheVariableOrTheHome) {
  ::setenv("HOME", "/home/ann", 1);
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(user_folder("XDG_DATA_HOME", ".local/share"), "/data");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(user_folder("XDG_DATA_HOME", ".local/share"), "/home/ann/.local/share");
  ::unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(user_folder("XDG_DATA_HOME", ".local/share"), "/home/ann/.local/share");
  ::setenv("HOME", "", 1);
  EXPECT_EQ(user_folder("XDG_DATA_HOME", ".local/share"), std::nullopt);
}

}  // namespace
}  // namespace pm
