// Moves a damaged database out of the way, with what SQLite keeps beside it.
#pragma once

#include <optional>
#include <string>

#include <SQLiteCpp/Database.h>

namespace pm::store {

// Nobody has the file open but the one who holds this: neither another program nor another connection of this one.
// SQLite's own lock, so that who opens the file meanwhile waits.
class SoleUse {
 public:
  explicit SoleUse(const std::string& path);
  bool held() const { return held_; }

 private:
  std::optional<SQLite::Database> db_;
  bool held_ = false;
};

// What SQLite may keep beside a database.
inline constexpr const char* files_beside[] = {"-wal", "-shm", "-journal"};

// PATH.damaged, or PATH.damaged-2 and so on: what was set aside before is never written over.
std::string name_aside(const std::string& path);

// To name_aside(); where to. Whoever calls holds SoleUse. Nothing: it cannot be moved.
std::optional<std::string> set_aside(const std::string& path);

}  // namespace pm::store
