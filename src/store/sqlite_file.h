// The one way to open a file of SQLite, for caches and for saved reviews.
//
//   auto db = open_sqlite_file(path, {"cache", 2, upgrade}, warn);
//
// Creation, version check and upgrade are one transaction: whatever kills the program, the file is as it was before or
// as it should be. Only a file that SQLite itself calls corrupt or no database is set aside (as .damaged, whole) and
// begun anew; one that is locked, cannot be written or is of a newer version is an error and stays where it is.
#pragma once

#include <functional>
#include <string>

#include <SQLiteCpp/Database.h>

#include "store/store.h"

namespace pm::store {

struct SqliteSchema {
  std::string what;  // for messages: "cache"
  int version = 1;
  // Brings a file of version `from` to this version; 0 is an empty one. Inside a transaction; may throw
  // SQLite::Exception.
  std::function<void(SQLite::Database& db, int from)> upgrade;
};

Expected<SQLite::Database> open_sqlite_file(const std::string& path, const SqliteSchema& schema, const Warn& warn);

}  // namespace pm::store
