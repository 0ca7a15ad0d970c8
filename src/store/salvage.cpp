#include "store/salvage.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/folder_lock.h"
#include "store/set_aside.h"
#include "store/sqlite_error.h"

namespace pm::store {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::int64_t most_tried_numbers = 1'000'000;  // keys in a gap, one by one

// What a disk has for certain. A folder that cannot be told so is no reason to stop.
void sync_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

void remove_with_all(const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
  for (const char* side : files_beside) fs::remove(path + side, ignored);
}

// Values go from one to another as they are, whatever type they have; SQLite::Statement has no way for that.
class RawStatement {
 public:
  // Throws SQLite::Exception, as step().
  RawStatement(const SQLite::Database& db, const std::string& sql) : db_(db.getHandle()) {
    const int result = sqlite3_prepare_v2(db_, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
    if (result != SQLITE_OK) throw SQLite::Exception(db_, result);
  }
  RawStatement(const RawStatement&) = delete;
  RawStatement& operator=(const RawStatement&) = delete;
  ~RawStatement() { sqlite3_finalize(statement_); }
  sqlite3_stmt* get() { return statement_; }
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) throw SQLite::Exception(db_, result);
    return result == SQLITE_ROW;
  }
  sqlite3_value* value(int column) { return sqlite3_column_value(statement_, column); }
  void reset() { sqlite3_reset(statement_); }
  void bind(int parameter, const sqlite3_value* value) { checked(sqlite3_bind_value(statement_, parameter, value)); }
  void bind(int parameter, std::int64_t value) { checked(sqlite3_bind_int64(statement_, parameter, value)); }

 private:
  void checked(int result) {
    if (result != SQLITE_OK) throw SQLite::Exception(db_, result);
  }

  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

// Copies the rows of one table as far as they can be read.
class Salvage {
 public:
  Salvage(SQLite::Database& from, SQLite::Database& to, const SalvagedTable& table)
      : from_(from), to_(to), table_(table) {
    // Columns that both have: the damaged file may be of an earlier version.
    SQLite::Statement names(to_, "SELECT name FROM pragma_table_info(?)");
    names.bind(1, table_.name);
    std::vector<std::string> columns;
    while (names.executeStep()) {
      const std::string name = names.getColumn(0).getString();
      SQLite::Statement has(from_, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
      has.bind(1, table_.name);
      has.bind(2, name);
      if (has.executeStep()) columns.push_back(name);
    }
    if (columns.empty()) throw SQLite::Exception(fmt::format("there is no table {}", table_.name), SQLITE_CORRUPT);
    columns_ = fmt::format("{}", fmt::join(columns, ", "));
    insert_.emplace(to_, fmt::format("INSERT INTO {} ({}) VALUES ({})", table_.name, columns_,
                                     fmt::join(std::vector<std::string>(columns.size(), "?"), ", ")));
  }

  Repaired run() {
    SQLite::Transaction all(to_);
    const std::string select = fmt::format("SELECT {0}, {1} FROM {2} NOT INDEXED", table_.key, columns_, table_.name);
    const auto take_all = [&](const char* order) {
      return read(fmt::format("{} ORDER BY {} {}", select, table_.key, order), [&](RawStatement& row) { take(row); });
    };
    // From both ends as far as it goes; then one by one what the index knows, and what lies between the keys.
    if (!take_all("ASC")) {
      take_all("DESC");
      for (const char* order : {"ASC", "DESC"}) {
        const bool whole = read(fmt::format("SELECT {0} FROM {1} INDEXED BY {2} ORDER BY {0} {3}", table_.key,
                                            table_.name, table_.index, order),
                                [&](RawStatement& row) { take_known(row); });
        if (whole) break;
      }
      try_numbers();
    }
    all.commit();
    return {false, saved_, lost_, {}};
  }

 private:
  // Row after row until the end (true) or damage.
  template <class Each>
  bool read(const std::string& sql, Each each) {
    try {
      RawStatement rows(from_, sql);
      while (rows.step()) each(rows);
      return true;
    } catch (const SQLite::Exception& error) {
      // An index that is not there is an SQLITE_ERROR.
      const int code = error.getErrorCode();
      if (!is_damage(error) && code != SQLITE_ERROR && code != SQLITE_TOOBIG) throw;
      return false;
    }
  }

  bool has(const sqlite3_value* key) {
    RawStatement query(to_, fmt::format("SELECT 1 FROM {} WHERE {} = ?", table_.name, table_.key));
    query.bind(1, key);
    return query.step();
  }

  // The key comes first, then the row.
  void take(RawStatement& row) {
    if (has(row.value(0))) return;
    const int count = sqlite3_column_count(row.get());
    for (int i = 1; i < count; ++i) insert_->bind(i, row.value(i));
    const int result = sqlite3_step(insert_->get());
    insert_->reset();
    if (result == SQLITE_DONE) {
      ++saved_;
    } else if ((result & 0xff) == SQLITE_CONSTRAINT) {
      ++lost_;  // what the table does not allow was no row of it
    } else {
      throw SQLite::Exception(to_.getHandle(), result);
    }
  }

  // A row of which the index knows.
  void take_known(RawStatement& known) {
    const sqlite3_value* const key = known.value(0);
    if (has(key)) return;
    if (!take_one([&](RawStatement& query) { query.bind(1, key); })) ++lost_;
  }

  template <class Bind>
  bool take_one(Bind bind) {
    try {
      RawStatement query(
          from_, fmt::format("SELECT {0}, {1} FROM {2} NOT INDEXED WHERE {0} = ?", table_.key, columns_, table_.name));
      bind(query);
      if (!query.step()) return false;
      take(query);
      return true;
    } catch (const SQLite::Exception& error) {
      if (!is_damage(error)) throw;
      return false;
    }
  }

  // Numbers up to the greatest that was saved, where keys are numbers.
  void try_numbers() {
    SQLite::Statement greatest(to_, fmt::format("SELECT max({0}), typeof(max({0})) FROM {1}", table_.key, table_.name));
    if (!greatest.executeStep() || greatest.getColumn(1).getString() != "integer") return;
    const std::int64_t last = std::min<std::int64_t>(greatest.getColumn(0).getInt64(), most_tried_numbers);
    for (std::int64_t number = 1; number <= last; ++number) {
      SQLite::Statement query(to_, fmt::format("SELECT 1 FROM {} WHERE {} = ?", table_.name, table_.key));
      query.bind(1, number);
      if (!query.executeStep()) take_one([&](RawStatement& one) { one.bind(1, number); });
    }
  }

  SQLite::Database& from_;
  SQLite::Database& to_;
  const SalvagedTable& table_;
  std::string columns_;
  std::optional<RawStatement> insert_;
  std::size_t saved_ = 0;
  std::size_t lost_ = 0;
};

bool is_whole(SQLite::Database& db) {
  try {
    return db.execAndGet("PRAGMA integrity_check(1)").getString() == "ok";
  } catch (const SQLite::Exception& error) {
    if (is_damage(error)) return false;
    throw;
  }
}

// Throws SQLite::Exception.
Repaired copy_rows(const std::string& path, const std::string& fresh, const SqliteSchema& schema,
                   const SalvagedTable& table, const Warn& warn, milliseconds wait) {
  SQLite::Database from(path, SQLite::OPEN_READWRITE, static_cast<int>(wait.count()));
  from.exec("PRAGMA cell_size_check=ON");
  if (is_whole(from)) return {true, 0, 0, {}};
  auto to = open_sqlite_file(fresh, schema, warn, wait);
  if (!to) throw SQLite::Exception(to.error().sentence);
  const Repaired repaired = Salvage(from, *to, table).run();
  to->exec("PRAGMA wal_checkpoint(TRUNCATE)");
  try {
    from.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (const SQLite::Exception&) {
    return repaired;  // what the log has was read all the same, and it goes with the file
  }
  return repaired;
}

// The new file in its place, the old one with its log beside it. There is always a file of this name.
Expected<std::string> swap(const std::string& path, const std::string& fresh) {
  std::string aside = name_aside(path);
  std::error_code failed;
  for (const char* side : files_beside) fs::rename(path + side, aside + side, failed);
  fs::create_hard_link(path, aside, failed);
  if (failed) fs::copy_file(path, aside, failed);  // where there are no links
  if (!failed) fs::rename(fresh, path, failed);
  if (failed) {
    std::error_code ignored;
    for (const char* side : files_beside) fs::rename(aside + side, path + side, ignored);
    fs::remove(aside, ignored);
    remove_with_all(fresh);
    return fail(ErrorCode::file_write, fmt::format("cannot put {} in its place: {}", path, failed.message()));
  }
  const std::string folder = fs::path(path).parent_path();
  sync_to_disk(folder.empty() ? "." : folder);
  return aside;
}

}  // namespace

Expected<Repaired> repair(const std::string& path, const SqliteSchema& schema, const SalvagedTable& table,
                          const Warn& warn, milliseconds wait) {
  const std::string fresh = path + ".repair";
  const std::string what = fmt::format("cannot repair the {} {}", schema.what, path);
  try {
    remove_with_all(fresh);
    Repaired repaired = copy_rows(path, fresh, schema, table, warn, wait);
    if (repaired.was_whole) return repaired;
    sync_to_disk(fresh);
    const FolderLock lock(fs::path(path).parent_path(), FolderLock::Kind::alone, wait);
    const SoleUse alone(path);
    if (!alone.held()) {
      remove_with_all(fresh);
      return fail(ErrorCode::file_locked, fmt::format("{}: another program has it open; end that first", what));
    }
    auto kept = swap(path, fresh);
    if (!kept) return tl::make_unexpected(std::move(kept.error()));
    repaired.kept_as = std::move(*kept);
    return repaired;
  } catch (const SQLite::Exception& error) {
    remove_with_all(fresh);
    return tl::make_unexpected(error_of(error, what));
  }
}

Expected<void> back_up(const std::string& path, const std::string& to, const std::string& what, milliseconds wait) {
  const std::string part = to + ".part";
  std::error_code failed;
  if (fs::equivalent(path, to, failed) || fs::exists(to + "-wal", failed)) {
    return fail(ErrorCode::bad_input, fmt::format("{} is in use; name another file for the copy", to));
  }
  const std::string sentence = fmt::format("cannot copy the {} {} to {}", what, path, to);
  try {
    remove_with_all(part);
    {
      SQLite::Database from(path, SQLite::OPEN_READONLY, static_cast<int>(wait.count()));
      SQLite::Database copy(part, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, static_cast<int>(wait.count()));
      SQLite::Backup backup(copy, from);
      // All at once: a moment of it. Writers of the write-ahead log do not wait for readers.
      const auto until = std::chrono::steady_clock::now() + wait;
      while (backup.executeStep() != SQLITE_DONE) {
        if (std::chrono::steady_clock::now() > until) throw SQLite::Exception("it stays locked", SQLITE_BUSY);
        std::this_thread::sleep_for(milliseconds(10));
      }
    }
    {
      SQLite::Database copy(part, SQLite::OPEN_READWRITE, static_cast<int>(wait.count()));
      if (!is_whole(copy))
        throw SQLite::Exception("it is damaged; postmortem doctor --repair saves what can be read", SQLITE_CORRUPT);
    }
    sync_to_disk(part);
  } catch (const SQLite::Exception& error) {
    remove_with_all(part);
    return tl::make_unexpected(error_of(error, sentence));
  }
  fs::rename(part, to, failed);
  if (failed) return fail(ErrorCode::file_write, fmt::format("{}: {}", sentence, failed.message()));
  for (const char* side : files_beside) fs::remove(part + side, failed);
  const std::string folder = fs::path(to).parent_path();
  sync_to_disk(folder.empty() ? "." : folder);
  return {};
}

}  // namespace pm::store
