#include "server/library.h"

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace pm::server {
namespace {

constexpr int schema_version = 1;
constexpr int busy_milliseconds = 10'000;
constexpr std::array<const char*, 5> words{"waiting", "running", "complete", "cancelled", "failed"};

constexpr const char* schema =
    "CREATE TABLE reviews ("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created TEXT NOT NULL, state INTEGER NOT NULL,"
    " white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, date TEXT NOT NULL, event TEXT NOT NULL,"
    " plies INTEGER NOT NULL, depth INTEGER NOT NULL, engine TEXT NOT NULL DEFAULT '', white_accuracy REAL,"
    " black_accuracy REAL, problem TEXT NOT NULL DEFAULT '', pgn TEXT NOT NULL, review TEXT NOT NULL DEFAULT '')";

constexpr const char* exports_schema =
    "CREATE TABLE exports (id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, name))";

constexpr const char* head_columns =
    "id, created, state, white, black, result, date, event, plies, depth, engine, white_accuracy, black_accuracy, "
    "problem";

std::string now_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::optional<double> number_or_none(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getDouble());
}

SavedReview head_of(SQLite::Statement& row) {
  SavedReview saved;
  saved.id = row.getColumn(0).getString();
  saved.created = row.getColumn(1).getString();
  saved.state = static_cast<ReviewState>(row.getColumn(2).getInt());
  saved.game = {row.getColumn(3).getString(), row.getColumn(4).getString(),
                row.getColumn(5).getString(), row.getColumn(6).getString(),
                row.getColumn(7).getString(), static_cast<std::size_t>(row.getColumn(8).getInt64())};
  saved.depth = row.getColumn(9).getInt();
  saved.engine = row.getColumn(10).getString();
  saved.white_accuracy = number_or_none(row.getColumn(11));
  saved.black_accuracy = number_or_none(row.getColumn(12));
  saved.problem = row.getColumn(13).getString();
  return saved;
}

class SqliteLibrary final : public Library {
 public:
  explicit SqliteLibrary(SQLite::Database db) : db_(std::move(db)) {}

  Expected<SavedReview> add(const std::string& pgn, const GameHead& game, int depth) override {
    const std::scoped_lock lock(mutex_);
    SavedReview saved;
    saved.id = new_id();
    saved.created = now_text();
    saved.game = game;
    saved.depth = depth;
    try {
      SQLite::Statement insert(db_,
                               "INSERT INTO reviews (id, created, state, white, black, result, date, event, plies, "
                               "depth, pgn) VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)");
      insert.bind(1, saved.id);
      insert.bind(2, saved.created);
      insert.bind(3, game.white);
      insert.bind(4, game.black);
      insert.bind(5, game.result);
      insert.bind(6, game.date);
      insert.bind(7, game.event);
      insert.bind(8, static_cast<std::int64_t>(game.plies));
      insert.bind(9, depth);
      insert.bind(10, pgn);
      insert.exec();
    } catch (const SQLite::Exception& error) {
      return fail(ErrorCode::file_read, fmt::format("the review cannot be saved: {}", error.what()));
    }
    return saved;
  }

  std::vector<SavedReview> list(std::size_t most) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews ORDER BY number DESC LIMIT ?", head_columns));
    query.bind(1, static_cast<std::int64_t>(most));
    std::vector<SavedReview> all;
    while (query.executeStep()) all.push_back(head_of(query));
    return all;
  }

  std::optional<SavedReview> find(const std::string& id) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews WHERE id = ?", head_columns));
    query.bind(1, id);
    return query.executeStep() ? std::optional(head_of(query)) : std::nullopt;
  }

  std::string pgn(const std::string& id) override { return text_of("pgn", id); }
  std::string review(const std::string& id) override { return text_of("review", id); }

  std::string exported(const std::string& id, const std::string& name) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, "SELECT text FROM exports WHERE id = ? AND name = ?");
    query.bind(1, id);
    query.bind(2, name);
    return query.executeStep() ? query.getColumn(0).getString() : "";
  }

  std::vector<std::string> unfinished() override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, "SELECT id FROM reviews WHERE state IN (0, 1) ORDER BY number");
    std::vector<std::string> ids;
    while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
    return ids;
  }

  void set_state(const std::string& id, ReviewState state, const std::string& problem) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement update(db_, "UPDATE reviews SET state = ?, problem = ? WHERE id = ?");
    update.bind(1, static_cast<int>(state));
    update.bind(2, problem);
    update.bind(3, id);
    update.exec();
  }

  void keep(const std::string& id, const std::string& review_json) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement update(db_, "UPDATE reviews SET review = ? WHERE id = ?");
    update.bind(1, review_json);
    update.bind(2, id);
    update.exec();
  }

  void finish(const std::string& id, const FinishedReview& review) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Transaction all(db_);
    for (const auto& [name, text] : review.exports) {
      SQLite::Statement insert(db_, "INSERT OR REPLACE INTO exports (id, name, text) VALUES (?, ?, ?)");
      insert.bind(1, id);
      insert.bind(2, name);
      insert.bind(3, text);
      insert.exec();
    }
    SQLite::Statement update(db_,
                             "UPDATE reviews SET state = 2, problem = '', review = ?, engine = ?, white_accuracy = ?, "
                             "black_accuracy = ? WHERE id = ?");
    update.bind(1, review.json);
    update.bind(2, review.engine);
    if (review.white_accuracy) update.bind(3, *review.white_accuracy);
    if (review.black_accuracy) update.bind(4, *review.black_accuracy);
    update.bind(5, id);
    update.exec();
    all.commit();
  }

  bool remove(const std::string& id) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement exports(db_, "DELETE FROM exports WHERE id = ?");
    exports.bind(1, id);
    exports.exec();
    SQLite::Statement remove(db_, "DELETE FROM reviews WHERE id = ?");
    remove.bind(1, id);
    return remove.exec() > 0;
  }

 private:
  std::string text_of(const char* column, const std::string& id) {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews WHERE id = ?", column));
    query.bind(1, id);
    return query.executeStep() ? query.getColumn(0).getString() : "";
  }

  SQLite::Database db_;
  std::mutex mutex_;
};

}  // namespace

std::string new_id() {
  constexpr std::string_view letters = "abcdefghijkmnpqrstuvwxyz23456789";
  std::random_device random;
  std::string id;
  for (int i = 0; i < 12; ++i) id += letters[random() % letters.size()];
  return id;
}

const char* word_of(ReviewState state) { return words[static_cast<std::size_t>(state)]; }

Expected<std::unique_ptr<Library>> Library::open(const std::string& path) {
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  try {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_milliseconds);
    db.exec("PRAGMA journal_mode=WAL");
    const int version = db.execAndGet("PRAGMA user_version").getInt();
    if (version == 0 && !db.tableExists("reviews")) {
      db.exec(schema);
      db.exec(exports_schema);
      db.exec(fmt::format("PRAGMA user_version={}", schema_version));
    } else if (version != schema_version) {
      return fail(ErrorCode::file_damaged,
                  fmt::format("{}: expected saved reviews of version {}, found {}", path, schema_version, version));
    }
    return std::make_unique<SqliteLibrary>(std::move(db));
  } catch (const SQLite::Exception& error) {
    return fail(ErrorCode::file_open, fmt::format("cannot open the saved reviews {}: {}", path, error.what()));
  }
}

}  // namespace pm::server
