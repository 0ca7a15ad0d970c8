// The one way to open a file of SQLite, for caches and for saved reviews.
//
//   auto db = open_sqlite_file(path, {"cache", 2, upgrade}, warn);
//
// Creation, version check and upgrade are one transaction: whatever kills the program, the file is as it was before or
// as it should be, and several programs may open it for the first time at once. Only a file that SQLite itself calls
// corrupt or no database, and that no other program has open, is set aside (as .damaged, whole) and begun anew; one
// that is locked, cannot be written or is of a newer version is an error and stays where it is.
#pragma once

#include <chrono>
#include <cstdint>
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
  bool durable = false;     // what was committed outlives a power cut too, not only the program
  bool can_shrink = false;  // a new file may give room back to the disk (PRAGMA incremental_vacuum)
  // A file that cannot be written is opened to be read from this version on (is_read_only); 0: that is an error.
  int oldest_readable = 0;
};

// How long another program may keep it locked before that is an error.
inline constexpr std::chrono::milliseconds usual_wait{10'000};

Expected<SQLite::Database> open_sqlite_file(const std::string& path, const SqliteSchema& schema, const Warn& warn,
                                            std::chrono::milliseconds wait = usual_wait);
bool is_read_only(const SQLite::Database& db);

// In bytes.
struct SqliteSize {
  std::uint64_t used = 0;  // by what is in it
  std::uint64_t file = 0;  // with room that is free to be used again
};
// Both may throw SQLite::Exception.
bool can_give_back(SQLite::Database& db);  // PRAGMA incremental_vacuum does something
SqliteSize size_of(SQLite::Database& db);

}  // namespace pm::store
