#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/user_folder.h"
#include "store/cache_schema.h"
#include "store/salvage.h"
#include "store/sqlite_error.h"
#include "store/sqlite_file.h"
#include "store/store.h"

namespace pm::store {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int schema_version = 2;
constexpr int first_version = 1;  // without `used`
constexpr milliseconds short_wait{100};
constexpr milliseconds first_pause{1'000};
constexpr milliseconds longest_pause{60'000};
constexpr std::size_t most_unwritten_uses = 500;
constexpr int rows_at_once = 200;  // that go, for each one that comes
constexpr int pages_at_once = 1'000;

// When something was used, to the hour: most uses change nothing.
std::int64_t hour_now() {
  return std::chrono::duration_cast<std::chrono::hours>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Whether somebody has written to a file. Who reads a file that he cannot write has no lock that would say so.
struct FileState {
  std::filesystem::file_time_type written;
  std::uintmax_t size = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};
FileState state_of(const std::string& path) {
  std::error_code failed;
  return {std::filesystem::last_write_time(path, failed), std::filesystem::file_size(path, failed)};
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string path, Warn warn, const StoreSettings& settings)
      : path_(std::move(path)), warn_(std::move(warn)), settings_(settings) {}
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;
  ~SqliteStore() override {
    const std::scoped_lock lock(mutex_);
    write_uses();
  }

  // An error that will not pass is the caller's.
  Expected<void> open() {
    const FileState before = state_of(path_);
    auto db = open_sqlite_file(path_, cache_schema(), warn_, reading_.wait(settings_));
    if (!db && db.error().code != ErrorCode::file_locked) return tl::make_unexpected(std::move(db.error()));
    if (!db) {
      reading_.begin_pause();
      warn_once(Kind::passing, fmt::format("{}; going on without it until it is free", db.error().sentence));
      return {};
    }
    can_write_ = !is_read_only(*db);
    state_ = before;
    unchecked_ = settings_.most_bytes;  // its size is looked at with the first that is put
    db_.emplace(std::move(*db));
    if (!can_write_) warn_read_only();
    return {};
  }

  std::optional<std::string> find(const std::string& key) override {
    const std::scoped_lock lock(mutex_);
    if (!ready()) return std::nullopt;
    std::optional<std::string> value;
    std::int64_t used = 0;
    const bool read = guarded(reading_, [&] {
      SQLite::Statement query(*db_, can_write_ ? "SELECT value, used FROM evaluations WHERE key = ?"
                                               : "SELECT value, 0 FROM evaluations WHERE key = ?");
      query.bind(1, key);
      if (!query.executeStep()) return;
      value = query.getColumn(0).getString();
      used = query.getColumn(1).getInt64();
    });
    if (!read || !value) return std::nullopt;
    if (!can_write_ && state_of(path_) != state_) {  // what was read may be of two states
      db_.reset();
      return std::nullopt;
    }
    if (can_write_ && used != hour_now()) unwritten_uses_.push_back(key);
    if (unwritten_uses_.size() >= most_unwritten_uses) write_uses();
    return value;
  }

  void put(const std::string& key, const std::string& value) override {
    const std::scoped_lock lock(mutex_);
    if (!ready() || !can_write_ || !writing_.is_open()) return;
    const bool written = guarded(writing_, [&] {
      SQLite::Statement insert(*db_, "INSERT OR REPLACE INTO evaluations (key, value, used) VALUES (?, ?, ?)");
      insert.bind(1, key);
      insert.bind(2, value);
      insert.bind(3, hour_now());
      insert.exec();
    });
    if (!written) return;
    unchecked_ += key.size() + value.size();
    if (unchecked_ >= settings_.most_bytes / 64) guarded(writing_, [&] { make_room(key); });
  }

 private:
  // Reading and writing have their own trouble: who cannot write may still read.
  class Way {
   public:
    bool is_open() const { return Clock::now() >= until_; }
    void begin_pause() {
      until_ = Clock::now() + length_;
      length_ = std::min(2 * length_, longest_pause);
      patient_ = false;
    }
    void went_well() {
      length_ = first_pause;
      patient_ = true;
    }
    // For a lock; hardly, after it was in vain.
    milliseconds wait(const StoreSettings& settings) const {
      return patient_ ? settings.wait : std::min(settings.wait, short_wait);
    }

   private:
    Clock::time_point until_;
    milliseconds length_ = first_pause;
    bool patient_ = true;
  };
  enum class Kind : std::uint8_t { passing, no_room, read_only };

  // Opens it again where that failed before.
  bool ready() {
    if (broken_ || !reading_.is_open()) return false;
    if (db_) return true;
    if (const auto opened = open(); !opened) give_up(opened.error().sentence);
    return db_.has_value();
  }

  template <class Work>
  bool guarded(Way& way, Work work) {
    try {
      db_->setBusyTimeout(static_cast<int>(way.wait(settings_).count()));
      work();
      way.went_well();
      return true;
    } catch (const SQLite::Exception& error) {
      meet(way, error);
      return false;
    }
  }

  void meet(Way& way, const SQLite::Exception& error) {
    if (is_read_only_error(error)) {
      can_write_ = false;
      return warn_read_only();
    }
    if (!may_pass(error)) {
      return give_up(fmt::format("the cache {} cannot be used any more ({}){}", path_, error.what(),
                                 is_damage(error) ? "; postmortem doctor --repair saves what can be read of it" : ""));
    }
    way.begin_pause();
    if (error_of(error, "", &*db_).code == ErrorCode::no_room) {
      return warn_once(Kind::no_room, fmt::format("there is no room for the cache {} ({}); nothing new is kept until "
                                                  "there is",
                                                  path_, error.what()));
    }
    warn_once(Kind::passing, fmt::format("the cache {} cannot be used now ({}); going on without it until it can",
                                         path_, error.what()));
  }

  void warn_read_only() {
    warn_once(Kind::read_only,
              fmt::format("the cache {} cannot be written; what is in it is used, and nothing new is kept", path_));
  }
  void warn_once(Kind kind, const std::string& sentence) {
    if (warned_.insert(kind).second) warn_(sentence);
  }
  void give_up(const std::string& why) {
    broken_ = true;
    warn_(fmt::format("{}; going on without it", why));
  }

  // Not worth a warning: what is lost is only when something was used.
  void write_uses() {
    std::vector<std::string> keys;
    keys.swap(unwritten_uses_);
    if (!db_ || !can_write_ || broken_ || keys.empty()) return;
    try {
      db_->setBusyTimeout(static_cast<int>(short_wait.count()));
      SQLite::Transaction all(*db_, SQLite::TransactionBehavior::IMMEDIATE);
      SQLite::Statement update(*db_, "UPDATE evaluations SET used = ?1 WHERE key = ?2 AND used < ?1");
      for (const std::string& key : keys) {
        update.bind(1, hour_now());
        update.bind(2, key);
        update.exec();
        update.reset();
      }
      all.commit();
    } catch (const SQLite::Exception&) {
      return;
    }
  }

  // A few go for each one that comes, until a tenth of the room is free; other programs write in between.
  void make_room(const std::string& just_put) {
    const SqliteSize size = size_of(*db_);
    makes_room_ = size.used > (makes_room_ ? settings_.most_bytes / 10 * 9 : settings_.most_bytes);
    if (makes_room_) remove_oldest(size.used - settings_.most_bytes / 10 * 9, just_put);
    // Where the limit was higher before: room that will be used again stays.
    const bool too_large = size.file > settings_.most_bytes / 8 * 9 && size.used < size.file && can_give_back(*db_);
    if (too_large) db_->exec(fmt::format("PRAGMA incremental_vacuum({})", pages_at_once));
    if (!makes_room_ && !too_large) unchecked_ = 0;
  }

  void remove_oldest(std::uint64_t bytes, const std::string& but) {
    SQLite::Transaction all(*db_, SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<std::string> keys;
    SQLite::Statement oldest(*db_,
                             "SELECT key, length(key) + length(value) FROM evaluations WHERE key IN (SELECT key FROM "
                             "evaluations WHERE key <> ? ORDER BY used LIMIT ?)");
    oldest.bind(1, but);
    oldest.bind(2, rows_at_once);
    for (std::uint64_t found = 0; found < bytes && oldest.executeStep();) {
      keys.push_back(oldest.getColumn(0).getString());
      found += static_cast<std::uint64_t>(oldest.getColumn(1).getInt64());
    }
    oldest.reset();
    SQLite::Statement remove(*db_, "DELETE FROM evaluations WHERE key = ?");
    for (const std::string& key : keys) {
      remove.bind(1, key);
      remove.exec();
      remove.reset();
    }
    all.commit();
  }

  std::string path_;
  Warn warn_;
  StoreSettings settings_;
  std::mutex mutex_;
  std::optional<SQLite::Database> db_;  // nothing: it was locked when it was to be opened
  FileState state_;                     // before it was opened
  Way reading_;
  Way writing_;
  std::set<Kind> warned_;
  std::vector<std::string> unwritten_uses_;  // keys
  std::uint64_t unchecked_ = 0;              // bytes put since its size was last looked at
  bool makes_room_ = false;
  bool can_write_ = true;
  bool broken_ = false;
};

// A program that was killed may have left the table without its version, so by what is there.
void upgrade(SQLite::Database& db, int /*from*/) {
  if (!db.tableExists("evaluations")) {
    db.exec(
        "CREATE TABLE evaluations (key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL DEFAULT 0)"
        " WITHOUT ROWID");
  } else if (db.execAndGet("SELECT count(*) FROM pragma_table_info('evaluations') WHERE name = 'used'").getInt() == 0) {
    db.exec("ALTER TABLE evaluations ADD COLUMN used INTEGER NOT NULL DEFAULT 0");
  }
  db.exec("CREATE INDEX IF NOT EXISTS evaluations_used ON evaluations (used)");
}

}  // namespace

SqliteSchema cache_schema() {
  SqliteSchema schema{"cache", schema_version, upgrade};
  schema.can_shrink = true;
  schema.oldest_readable = first_version;
  return schema;
}

Expected<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, const Warn& warn,
                                                   const StoreSettings& settings) {
  auto store = std::make_unique<SqliteStore>(path, warn, settings);
  if (auto opened = store->open(); !opened) return tl::make_unexpected(std::move(opened.error()));
  return store;
}

Expected<Repaired> repair_sqlite_store(const std::string& path, const Warn& warn) {
  return repair(path, cache_schema(), {"evaluations", "key", "evaluations_used"}, warn);
}

std::optional<std::string> default_store_path() {
  const auto folder = user_folder("XDG_CACHE_HOME", ".cache");
  if (!folder) return std::nullopt;
  return (*folder / "postmortem" / "evaluations.sqlite").string();
}

}  // namespace pm::store
