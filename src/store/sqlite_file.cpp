#include "store/sqlite_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

namespace pm::store {
namespace {

constexpr int busy_milliseconds = 10'000;  // another process may be writing

bool is_damage(const SQLite::Exception& error) {
  return error.getErrorCode() == SQLITE_CORRUPT || error.getErrorCode() == SQLITE_NOTADB;
}

// The change to a write-ahead log does not wait for others by itself.
void use_write_ahead_log(SQLite::Database& db) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_milliseconds);
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode=WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > until) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Throws SQLite::Exception.
SQLite::Database open_checked(const std::string& path, const SqliteSchema& schema) {
  SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_milliseconds);
  use_write_ahead_log(db);
  db.exec("PRAGMA synchronous=NORMAL");
  SQLite::Transaction all(db, SQLite::TransactionBehavior::IMMEDIATE);
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version > schema.version) {
    throw SQLite::Exception(
        fmt::format("it is of version {}, made by a newer program; expected {}", version, schema.version));
  }
  if (version < schema.version) {
    schema.upgrade(db, version);
    db.exec(fmt::format("PRAGMA user_version={}", schema.version));
  }
  all.commit();
  return db;
}

// Only one process at a time looks after the files of a folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : file_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  int file_;
};

// With what SQLite keeps beside it, and without writing over one that was set aside before. Nothing: it cannot be
// moved.
std::optional<std::string> set_aside(const std::string& path) {
  std::error_code failed;
  std::string name = path + ".damaged";
  for (int n = 2; std::filesystem::exists(name, failed); ++n) name = fmt::format("{}.damaged-{}", path, n);
  std::filesystem::rename(path, name, failed);
  if (failed) return std::nullopt;
  for (const char* side : {"-wal", "-shm"}) std::filesystem::rename(path + side, name + side, failed);
  return name;
}

}  // namespace

Expected<SQLite::Database> open_sqlite_file(const std::string& path, const SqliteSchema& schema, const Warn& warn) {
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  const auto cannot_open = [&](const SQLite::Exception& error) {
    return fail(ErrorCode::file_open, fmt::format("cannot open the {} {}: {}", schema.what, path, error.what()));
  };
  try {
    return open_checked(path, schema);
  } catch (const SQLite::Exception& error) {
    if (!is_damage(error)) return cannot_open(error);
  }
  const FolderLock lock(folder);  // another process may have set it aside in the meantime
  try {
    return open_checked(path, schema);
  } catch (const SQLite::Exception& error) {
    const auto kept = is_damage(error) ? set_aside(path) : std::nullopt;
    if (!kept) return cannot_open(error);
    warn(fmt::format("the {} {} is damaged ({}); it is kept as {} and a new one is begun", schema.what, path,
                     error.what(), *kept));
  }
  try {
    return open_checked(path, schema);
  } catch (const SQLite::Exception& error) {
    return cannot_open(error);
  }
}

}  // namespace pm::store
