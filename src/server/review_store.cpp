#include "server/review_store.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <mutex>
#include <random>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "server/old_reviews.h"
#include "store/sqlite_file.h"

namespace pm::server {
namespace {

constexpr int schema_version = 3;
constexpr std::array<const char*, 5> words{"waiting", "running", "complete", "cancelled", "failed"};

constexpr const char* schema =
    "CREATE TABLE reviews ("
    " number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created TEXT NOT NULL, state INTEGER NOT NULL,"
    " white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, date TEXT NOT NULL, event TEXT NOT NULL,"
    " plies INTEGER NOT NULL, depth INTEGER NOT NULL, engine TEXT NOT NULL DEFAULT '', white_accuracy REAL,"
    " black_accuracy REAL, problem TEXT NOT NULL DEFAULT '', pgn TEXT NOT NULL, evidence TEXT NOT NULL DEFAULT '',"
    " note TEXT NOT NULL DEFAULT '', options TEXT NOT NULL DEFAULT '', lines TEXT NOT NULL DEFAULT '')";

constexpr const char* head_columns =
    "id, created, state, white, black, result, date, event, plies, depth, engine, white_accuracy, black_accuracy, "
    "problem, note, options";

// Version 1 kept the finished review as JSON, and exports beside it. What the engine said is in there; a review in
// which it cannot be found is marked as stopped, to be begun again.
void carry_over_from_version_1(SQLite::Database& db) {
  db.exec("ALTER TABLE reviews ADD COLUMN evidence TEXT NOT NULL DEFAULT ''");
  db.exec("ALTER TABLE reviews ADD COLUMN note TEXT NOT NULL DEFAULT ''");
  SQLite::Statement query(db, "SELECT id, pgn, review FROM reviews WHERE state = 2");
  SQLite::Statement update(
      db,
      "UPDATE reviews SET state = ?, evidence = ?, note = ?, white_accuracy = ?, black_accuracy = ? "
      "WHERE id = ?");
  while (query.executeStep()) {
    const auto found = carried_over(query.getColumn(1).getString(), query.getColumn(2).getString());
    update.bind(1, static_cast<int>(found ? ReviewState::complete : ReviewState::cancelled));
    update.bind(2, found ? found->evidence : "");
    update.bind(3, found ? "Reviewed by an earlier version; its verdicts are made anew from what the engine said."
                         : "Saved by an earlier version in a form that cannot be read any more: review it again.");
    if (found && found->white_accuracy) update.bind(4, *found->white_accuracy);
    if (found && found->black_accuracy) update.bind(5, *found->black_accuracy);
    update.bind(6, query.getColumn(0).getString());
    update.exec();
    update.reset();
    update.clearBindings();
  }
  db.exec("ALTER TABLE reviews DROP COLUMN review");
  db.exec("DROP TABLE IF EXISTS exports");
}

bool has_column(SQLite::Database& db, const char* name) {
  SQLite::Statement query(db, "SELECT 1 FROM pragma_table_info('reviews') WHERE name = ?");
  query.bind(1, name);
  return query.executeStep();
}

// By what is there: a program that was killed may have left the table without its version.
void upgrade(SQLite::Database& db, int /*from*/) {
  if (!db.tableExists("reviews")) {
    db.exec(schema);
    return;
  }
  if (has_column(db, "review")) carry_over_from_version_1(db);
  if (has_column(db, "lines")) return;
  db.exec("ALTER TABLE reviews ADD COLUMN options TEXT NOT NULL DEFAULT ''");
  db.exec("ALTER TABLE reviews ADD COLUMN lines TEXT NOT NULL DEFAULT ''");
}

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
  const int state = row.getColumn(2).getInt();
  const bool known = state >= 0 && state < static_cast<int>(words.size());
  saved.state = known ? static_cast<ReviewState>(state) : ReviewState::failed;
  saved.game = {row.getColumn(3).getString(), row.getColumn(4).getString(),
                row.getColumn(5).getString(), row.getColumn(6).getString(),
                row.getColumn(7).getString(), static_cast<std::size_t>(row.getColumn(8).getInt64())};
  saved.depth = row.getColumn(9).getInt();
  saved.engine = row.getColumn(10).getString();
  saved.white_accuracy = number_or_none(row.getColumn(11));
  saved.black_accuracy = number_or_none(row.getColumn(12));
  saved.problem = row.getColumn(13).getString();
  saved.note = row.getColumn(14).getString();
  saved.options = row.getColumn(15).getString();
  return saved;
}

class SqliteReviewStore final : public ReviewStore {
 public:
  explicit SqliteReviewStore(SQLite::Database db) : db_(std::move(db)) {}

  Expected<std::vector<SavedReview>> add_all(std::span<const NewReview> games) override {
    const std::scoped_lock lock(mutex_);
    std::vector<SavedReview> all;
    all.reserve(games.size());
    try {
      SQLite::Transaction transaction(db_);
      for (const NewReview& game : games) all.push_back(insert(game));
      transaction.commit();
    } catch (const SQLite::Exception& error) {
      return fail(ErrorCode::file_read, fmt::format("the review cannot be saved: {}", error.what()));
    }
    return all;
  }

  ReviewList list(const ReviewFilter& filter) override {
    const std::scoped_lock lock(mutex_);
    const std::string where =
        "WHERE (?1 = '' OR instr(lower(white || char(10) || black || char(10) || event || char(10) || date), "
        "lower(?1)))"
        " AND (?2 < 0 OR state = ?2)";
    const auto bind = [&](SQLite::Statement& query) {
      query.bind(1, filter.text);
      query.bind(2, filter.state ? static_cast<int>(*filter.state) : -1);
    };
    ReviewList list;
    SQLite::Statement count(db_, "SELECT count(*) FROM reviews " + where);
    bind(count);
    if (count.executeStep()) list.total = static_cast<std::size_t>(count.getColumn(0).getInt64());
    SQLite::Statement query(
        db_, fmt::format("SELECT {} FROM reviews {} ORDER BY number DESC LIMIT ?3 OFFSET ?4", head_columns, where));
    bind(query);
    query.bind(3, static_cast<std::int64_t>(filter.most));
    query.bind(4, static_cast<std::int64_t>(filter.offset));
    while (query.executeStep()) list.reviews.push_back(head_of(query));
    return list;
  }

  std::optional<SavedReview> find(const std::string& id) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews WHERE id = ?", head_columns));
    query.bind(1, id);
    return query.executeStep() ? std::optional(head_of(query)) : std::nullopt;
  }

  std::string pgn(const std::string& id) override { return text_of("pgn", id); }
  std::string evidence(const std::string& id) override { return text_of("evidence", id); }
  std::string lines(const std::string& id) override { return text_of("lines", id); }

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

  void keep(const std::string& id, const std::string& evidence) override { set_text("evidence", id, evidence); }
  void set_lines(const std::string& id, const std::string& lines) override { set_text("lines", id, lines); }

  void set_options(const std::string& id, const std::string& options) override { set_text("options", id, options); }

  void finish(const std::string& id, const FinishedReview& review) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement update(db_,
                             "UPDATE reviews SET state = 2, problem = '', note = '', evidence = ?, engine = ?, "
                             "white_accuracy = ?, black_accuracy = ? WHERE id = ?");
    update.bind(1, review.evidence);
    update.bind(2, review.engine);
    if (review.white_accuracy) update.bind(3, *review.white_accuracy);
    if (review.black_accuracy) update.bind(4, *review.black_accuracy);
    update.bind(5, id);
    update.exec();
  }

  bool remove(const std::string& id) override {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement remove(db_, "DELETE FROM reviews WHERE id = ?");
    remove.bind(1, id);
    return remove.exec() > 0;
  }

 private:
  SavedReview insert(const NewReview& game) {
    SavedReview saved;
    saved.id = new_id();
    saved.created = now_text();
    saved.game = game.game;
    saved.depth = game.depth;
    saved.options = game.options;
    SQLite::Statement insert(db_,
                             "INSERT INTO reviews (id, created, state, white, black, result, date, event, plies, "
                             "depth, pgn, options) VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, saved.id);
    insert.bind(2, saved.created);
    insert.bind(3, game.game.white);
    insert.bind(4, game.game.black);
    insert.bind(5, game.game.result);
    insert.bind(6, game.game.date);
    insert.bind(7, game.game.event);
    insert.bind(8, static_cast<std::int64_t>(game.game.plies));
    insert.bind(9, game.depth);
    insert.bind(10, game.pgn);
    insert.bind(11, game.options);
    insert.exec();
    return saved;
  }

  void set_text(const char* column, const std::string& id, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    SQLite::Statement update(db_, fmt::format("UPDATE reviews SET {} = ? WHERE id = ?", column));
    update.bind(1, text);
    update.bind(2, id);
    update.exec();
  }

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

std::optional<ReviewState> parse_state(std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<ReviewState>(found - words.begin()));
}

Expected<std::unique_ptr<ReviewStore>> ReviewStore::open(const std::string& path, const store::Warn& warn) {
  auto db = store::open_sqlite_file(path, {"file of saved reviews", schema_version, upgrade}, warn);
  if (!db) return tl::make_unexpected(db.error());
  return std::make_unique<SqliteReviewStore>(std::move(*db));
}

}  // namespace pm::server
