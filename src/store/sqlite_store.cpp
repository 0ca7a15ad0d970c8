#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/user_folder.h"
#include "store/sqlite_file.h"
#include "store/store.h"

namespace pm::store {
namespace {

constexpr int schema_version = 1;

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

void upgrade(SQLite::Database& db, int /*from*/) {
  // A program that was killed may have left the table without its version.
  db.exec("CREATE TABLE IF NOT EXISTS evaluations (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
}

}  // namespace

Expected<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, const Warn& warn) {
  auto db = open_sqlite_file(path, {"cache", schema_version, upgrade}, warn);
  if (!db) return tl::make_unexpected(db.error());
  return std::make_unique<SqliteStore>(std::move(*db), path, warn);
}

std::optional<std::string> default_store_path() {
  const auto folder = user_folder("XDG_CACHE_HOME", ".cache");
  if (!folder) return std::nullopt;
  return (*folder / "postmortem" / "evaluations.sqlite").string();
}

}  // namespace pm::store
