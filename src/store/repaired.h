// What came of the repair of a database (salvage.h), without its heavy header.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "store/store.h"

namespace pm::store {

struct Repaired {
  bool was_whole = false;  // nothing was changed
  std::size_t saved = 0;   // rows
  std::size_t lost = 0;    // that are known to have been there
  std::string kept_as;     // the damaged file
};

// Of the cache.
Expected<Repaired> repair_sqlite_store(const std::string& path, const Warn& warn);
// All of it as it is at this moment, whoever writes to it meanwhile. The copy has its name only when it is complete,
// and takes the place of a file of that name that is not in use. `what`: for messages.
Expected<void> back_up(const std::string& path, const std::string& to, const std::string& what,
                       std::chrono::milliseconds wait = std::chrono::seconds(10));

}  // namespace pm::store
