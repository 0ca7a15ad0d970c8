// Saves what can be read of a damaged database: a new file beside it takes row after row, leaves out those that cannot
// be read, and takes its place at the end. The old one stays as .damaged.
//
//   const auto repaired = repair(path, cache_schema(), {"evaluations", "key", "evaluations_used"}, warn);
#pragma once

#include <string>

#include "store/repaired.h"
#include "store/sqlite_file.h"

namespace pm::store {

// Whose rows are saved: by a key that is an integer or a text. `index` covers the key, and says which rows there were
// where they themselves cannot be read.
struct SalvagedTable {
  std::string name;
  std::string key;
  std::string index;
};

// Nobody else may have it open.
Expected<Repaired> repair(const std::string& path, const SqliteSchema& schema, const SalvagedTable& table,
                          const Warn& warn, std::chrono::milliseconds wait = usual_wait);

}  // namespace pm::store
