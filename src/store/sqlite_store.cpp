#include <filesystem>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/user_folder.h"
#include "store/store.h"

namespace pm::store {
namespace {

constexpr int schema_version = 1;
constexpr int busy_milliseconds = 10'000;  // another process may be writing

SQLite::Database open_database(const std::string& path) {
  SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_milliseconds);
  db.exec("PRAGMA journal_mode=WAL");
  db.exec("PRAGMA synchronous=NORMAL");
  return db;
}

class SqliteStore final : public Store {
 public:
  SqliteStore(SQLite::Database db, std::string path, Warn warn)
      : db_(std::move(db)), path_(std::move(path)), warn_(std::move(warn)) {}

  std::optional<std::string> find(const std::string& key) override {
    const std::scoped_lock lock(mutex_);
    std::optional<std::string> value;
    guarded([&] {
      SQLite::Statement query(db_, "SELECT value FROM evaluations WHERE key = ?");
      query.bind(1, key);
      if (query.executeStep()) value = query.getColumn(0).getString();
    });
    return value;
  }

  void put(const std::string& key, const std::string& value) override {
    const std::scoped_lock lock(mutex_);
    guarded([&] {
      SQLite::Statement insert(db_, "INSERT OR REPLACE INTO evaluations (key, value) VALUES (?, ?)");
      insert.bind(1, key);
      insert.bind(2, value);
      insert.exec();
    });
  }

 private:
  template <class Work>
  void guarded(Work work) {
    if (broken_) return;
    try {
      work();
    } catch (const SQLite::Exception& error) {
      broken_ = true;
      warn_(fmt::format("the cache {} cannot be used any more ({}); going on without it", path_, error.what()));
    }
  }

  SQLite::Database db_;
  std::string path_;
  Warn warn_;
  std::mutex mutex_;
  bool broken_ = false;
};

// Throws SQLite::Exception when the file is damaged or of another version.
SQLite::Database open_checked(const std::string& path) {
  SQLite::Database db = open_database(path);
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  const bool fresh = version == 0 && !db.tableExists("evaluations");
  if (fresh) {
    db.exec("CREATE TABLE IF NOT EXISTS evaluations (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    db.exec(fmt::format("PRAGMA user_version={}", schema_version));
  } else if (version != schema_version) {
    throw SQLite::Exception(fmt::format("version {}, expected {}", version, schema_version));
  }
  if (db.execAndGet("PRAGMA quick_check(1)").getString() != "ok") throw SQLite::Exception("it fails its check");
  return db;
}

void move_aside(const std::string& path) {
  std::error_code ignored;
  std::filesystem::rename(path, path + ".damaged", ignored);
  for (const char* side : {"-wal", "-shm"}) std::filesystem::remove(path + side, ignored);
}

}  // namespace

Expected<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, const Warn& warn) {
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  try {
    return std::make_unique<SqliteStore>(open_checked(path), path, warn);
  } catch (const SQLite::Exception& error) {
    const bool there = std::filesystem::is_regular_file(path, failed);
    if (!there) return fail(ErrorCode::file_open, fmt::format("cannot open the cache {}: {}", path, error.what()));
    warn(fmt::format("the cache {} is unusable ({}); it is kept as {}.damaged and a new one is begun", path,
                     error.what(), path));
    move_aside(path);
  }
  try {
    return std::make_unique<SqliteStore>(open_checked(path), path, warn);
  } catch (const SQLite::Exception& error) {
    return fail(ErrorCode::file_open, fmt::format("cannot open the cache {}: {}", path, error.what()));
  }
}

std::optional<std::string> default_store_path() {
  const auto folder = user_folder("XDG_CACHE_HOME", ".cache");
  if (!folder) return std::nullopt;
  return (*folder / "postmortem" / "evaluations.sqlite").string();
}

}  // namespace pm::store
