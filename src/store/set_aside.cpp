#include "store/set_aside.h"

#include <sqlite3.h>

#include <filesystem>

#include <fmt/format.h>

namespace pm::store {

SoleUse::SoleUse(const std::string& path) {
  try {
    db_.emplace(path, SQLite::OPEN_READWRITE);
  } catch (const SQLite::Exception&) {
    return;
  }
  // Not by SQL, which would look into the file. A connection that uses the write-ahead log holds its shared lock as
  // long as it is open, so this lock is given only when there is none.
  sqlite3_file* file = nullptr;
  const int found =
      sqlite3_file_control(db_->getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (found != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return;
  held_ = file->pMethods->xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK &&
          file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK;
}

std::string name_aside(const std::string& path) {
  std::error_code failed;
  std::string name = path + ".damaged";
  for (int n = 2; std::filesystem::exists(name, failed); ++n) name = fmt::format("{}.damaged-{}", path, n);
  return name;
}

std::optional<std::string> set_aside(const std::string& path) {
  std::error_code failed;
  std::string name = name_aside(path);
  // The log goes first: beside a new file of this name it would be taken for its own.
  for (const char* side : files_beside) std::filesystem::rename(path + side, name + side, failed);
  std::filesystem::rename(path, name, failed);
  if (failed) return std::nullopt;
  return name;
}

}  // namespace pm::store
