#include "store/sqlite_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "store/folder_lock.h"
#include "store/set_aside.h"
#include "store/sqlite_error.h"

namespace pm::store {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t most_log_bytes = 16 << 20;  // what is left of a write-ahead log that once was larger

// The change to a write-ahead log does not wait for others by itself.
void use_write_ahead_log(SQLite::Database& db, milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode=WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if (!is_busy(error) || std::chrono::steady_clock::now() > until) throw;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
}

// Throws SQLite::Exception.
SQLite::Database open_checked(const std::string& path, const SqliteSchema& schema, milliseconds wait) {
  SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, static_cast<int>(wait.count()));
  if (schema.can_shrink) db.exec("PRAGMA auto_vacuum=INCREMENTAL");  // before the first page is written, or never
  use_write_ahead_log(db, wait);
  db.exec(schema.durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  db.exec(fmt::format("PRAGMA journal_size_limit={}", most_log_bytes));
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

std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Throws SQLite::Exception.
SQLite::Database open_to_read(const std::string& path, const SqliteSchema& schema, milliseconds wait) {
  const auto open = [&](const std::string& name) {
    SQLite::Database db(name, SQLite::OPEN_READONLY | SQLite::OPEN_URI, static_cast<int>(wait.count()));
    const int version = db.execAndGet("PRAGMA user_version").getInt();
    if (version < schema.oldest_readable || version > schema.version) {
      throw SQLite::Exception(
          fmt::format("it cannot be written, and is of version {}; expected {}", version, schema.version));
    }
    return db;
  };
  const std::string uri = uri_of(path);
  try {
    return open(uri);
  } catch (const SQLite::Exception&) {
    // A write-ahead log cannot be read where nothing can be written. When it is empty, the file alone is all there is.
    std::error_code failed;
    const auto log = std::filesystem::file_size(path + "-wal", failed);
    if (!failed && log > 0) throw;
  }
  return open(uri + "?immutable=1");
}

// A file, or a folder in which nothing can be made: a file system that is only read, or somebody else's.
bool cannot_be_written(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  const auto refuses = [](const char* name) { return ::faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) != 0; };
  return ::access(path.c_str(), F_OK) == 0 && (refuses(path.c_str()) || refuses(folder.empty() ? "." : folder.c_str()));
}

Error cannot_open(const std::string& path, const SqliteSchema& schema, const SQLite::Exception& error) {
  Error told = error_of(error, fmt::format("cannot open the {} {}", schema.what, path));
  const bool passes = told.code == ErrorCode::file_locked || told.code == ErrorCode::no_room;
  if (!passes && told.code != ErrorCode::store_damaged) told.code = ErrorCode::file_open;
  return told;
}

}  // namespace

Expected<SQLite::Database> open_sqlite_file(const std::string& path, const SqliteSchema& schema, const Warn& warn,
                                            milliseconds wait) {
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  const auto told = [&](const SQLite::Exception& error) {
    return tl::make_unexpected(cannot_open(path, schema, error));
  };
  try {
    const FolderLock lock(folder, FolderLock::Kind::shared, wait);
    return open_checked(path, schema, wait);
  } catch (const SQLite::Exception& error) {
    const bool readable = schema.oldest_readable > 0 && !is_busy(error) && cannot_be_written(path);
    if (!readable && !is_damage(error)) return told(error);
    if (readable) {
      try {
        return open_to_read(path, schema, wait);
      } catch (const SQLite::Exception& second) {
        return told(second);
      }
    }
  }
  const FolderLock lock(folder, FolderLock::Kind::alone, wait);  // another process may have set it aside meanwhile
  try {
    return open_checked(path, schema, wait);
  } catch (const SQLite::Exception& error) {
    if (!is_damage(error)) return told(error);
    const SoleUse alone(path);
    if (!lock.held() || !alone.held()) {
      return fail(ErrorCode::store_damaged,
                  fmt::format("the {} {} is damaged ({}), and another program has it open: end that first", schema.what,
                              path, error.what()));
    }
    const auto kept = set_aside(path);
    if (!kept) return told(error);
    warn(fmt::format("the {} {} is damaged ({}); it is kept as {} and a new one is begun", schema.what, path,
                     error.what(), *kept));
  }
  try {
    return open_checked(path, schema, wait);
  } catch (const SQLite::Exception& error) {
    return told(error);
  }
}

bool is_read_only(const SQLite::Database& db) { return sqlite3_db_readonly(db.getHandle(), "main") == 1; }

bool can_give_back(SQLite::Database& db) {
  constexpr int incremental = 2;  // PRAGMA auto_vacuum
  return db.execAndGet("PRAGMA auto_vacuum").getInt() == incremental;
}

SqliteSize size_of(SQLite::Database& db) {
  const auto number = [&](const char* pragma) {
    return static_cast<std::uint64_t>(db.execAndGet(std::string("PRAGMA ") + pragma).getInt64());
  };
  const std::uint64_t page = number("page_size");
  const std::uint64_t pages = number("page_count");
  return {(pages - std::min(pages, number("freelist_count"))) * page, pages * page};
}

}  // namespace pm::store
