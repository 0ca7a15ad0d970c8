// The families of human models this program knows: each says which files are its own and opens them. A new family is a
// line in families.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

struct Family {
  std::string_view name;        // as --models takes it: "maia3"
  std::string_view licence;     // of its networks
  std::string_view files;       // what they are called, for messages
  std::string_view where_from;  // how to get them; empty: they are made by oneself
  // Whether a file is of this family, by its name.
  bool (*is_own)(std::string_view path);
  // What open() takes among the files of a folder, the best last; none when the folder has none.
  std::vector<std::string> (*find)(const std::string& folder);
  Expected<std::shared_ptr<HumanModel>> (*open)(const std::string& where, int threads);
};

// Those that know people best come first.
std::span<const Family> families();

}  // namespace pm::human
