#include "server/review_store.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/user_folder.h"
#include "server/old_reviews.h"
#include "store/process_lock.h"
#include "store/salvage.h"
#include "store/sqlite_error.h"
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

constexpr const char* what_it_is = "file of saved reviews";
constexpr const char* index_of_ids = "sqlite_autoindex_reviews_1";

// What a row may have; anything else was not written by us.
constexpr std::int64_t most_plies = 1'000'000;
constexpr int most_depth = 1'000;
constexpr std::size_t most_text = 1 << 20;  // of a tag, a problem, options

// The values of a row, each looked at. The first that cannot be is what is wrong with the row.
class RowReader {
 public:
  explicit RowReader(SQLite::Statement& row) : row_(row) {}

  std::string text(const char* name, std::size_t most = most_text) {
    const SQLite::Column column = next();
    if (!column.isText()) return wrong(name, "no text"), std::string();
    if (static_cast<std::size_t>(column.getBytes()) > most) return wrong(name, "longer than it may be"), std::string();
    return column.getString();
  }
  std::int64_t number(const char* name, std::int64_t most) {
    const SQLite::Column column = next();
    const std::int64_t value = column.getInt64();
    if (column.isInteger() && value >= 0 && value <= most) return value;
    return wrong(name,
                 fmt::format("{}, expected 0 to {}", column.isInteger() ? std::to_string(value) : "no number", most)),
           0;
  }
  std::optional<double> accuracy(const char* name) {
    const SQLite::Column column = next();
    if (column.isNull()) return std::nullopt;
    const double value = column.getDouble();
    if ((column.isFloat() || column.isInteger()) && value >= 0 && value <= 100) return value;
    wrong(name, "no number from 0 to 100");
    return std::nullopt;
  }
  const std::string& problem() const { return problem_; }

 private:
  SQLite::Column next() { return row_.getColumn(at_++); }
  void wrong(const char* name, std::string_view how) {
    if (problem_.empty()) problem_ = fmt::format("What was saved of this review cannot be read: {} is {}.", name, how);
  }

  SQLite::Statement& row_;
  int at_ = 0;
  std::string problem_;
};

SavedReview head_of(SQLite::Statement& row) {
  RowReader read(row);
  SavedReview saved;
  saved.id = read.text("id");
  saved.created = read.text("created");
  saved.state = static_cast<ReviewState>(read.number("state", static_cast<std::int64_t>(words.size()) - 1));
  saved.game.white = read.text("white");
  saved.game.black = read.text("black");
  saved.game.result = read.text("result");
  saved.game.date = read.text("date");
  saved.game.event = read.text("event");
  saved.game.plies = static_cast<std::size_t>(read.number("plies", most_plies));
  saved.depth = static_cast<int>(read.number("depth", most_depth));
  saved.engine = read.text("engine");
  saved.white_accuracy = read.accuracy("white_accuracy");
  saved.black_accuracy = read.accuracy("black_accuracy");
  saved.problem = read.text("problem");
  saved.note = read.text("note");
  saved.options = read.text("options");
  if (!read.problem().empty()) {
    saved.state = ReviewState::failed;
    saved.problem = read.problem();
  }
  return saved;
}

// As the filter of the list does it in SQL.
bool lets_through(const ReviewFilter& filter, const SavedReview& saved) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  const std::string all =
      lower(fmt::format("{}\n{}\n{}\n{}", saved.game.white, saved.game.black, saved.game.event, saved.game.date));
  return all.find(lower(filter.text)) != std::string::npos && (!filter.state || saved.state == *filter.state);
}

class SqliteReviewStore final : public ReviewStore {
 public:
  SqliteReviewStore(std::optional<store::ProcessLock> lock, SQLite::Database db, std::string path,
                    const ReviewStoreSettings& settings)
      : lock_(std::move(lock)), db_(std::move(db)), path_(std::move(path)), settings_(settings) {
    db_.setBusyTimeout(0);  // attempt() waits, without holding up others
  }

  Expected<std::vector<SavedReview>> add_all(std::span<const NewReview> games) override {
    bool has_room = true;
    auto added = attempt("the review cannot be saved", [&] {
      std::vector<SavedReview> all;
      all.reserve(games.size());
      SQLite::Transaction transaction(db_, SQLite::TransactionBehavior::IMMEDIATE);
      std::uint64_t bytes = store::size_of(db_).used;
      for (const NewReview& game : games) bytes += game.pgn.size();
      has_room = bytes <= settings_.most_bytes;
      if (!has_room) return all;
      for (const NewReview& game : games) all.push_back(insert(game));
      transaction.commit();
      return all;
    });
    if (added && !has_room) {
      return fail(
          ErrorCode::no_room,
          fmt::format("{} would be larger than it may be, {} MB: delete some reviews, or begin postmortem serve "
                      "with a higher --reviews-limit",
                      path_, settings_.most_bytes / 1'000'000));
    }
    return added;
  }

  Expected<ReviewList> list(const ReviewFilter& filter) override {
    return attempt("the reviews cannot be read", [&] {
      return despite_damage<ReviewList>([&] { return listed(filter); },
                                        [&](std::vector<SavedReview> all) {
                                          ReviewList list;
                                          for (SavedReview& each : all) {
                                            if (!lets_through(filter, each)) continue;
                                            const std::size_t at = list.total++;
                                            if (at < filter.offset || list.reviews.size() >= filter.most) continue;
                                            list.reviews.push_back(std::move(each));
                                          }
                                          return list;
                                        });
    });
  }

  Expected<SavedReview> find(const std::string& id) override {
    using Found = std::optional<SavedReview>;
    auto found = attempt("the review cannot be read", [&] {
      return despite_damage<Found>(
          [&] {
            SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews WHERE id = ?", head_columns));
            query.bind(1, id);
            return query.executeStep() ? Found(head_of(query)) : std::nullopt;
          },
          [&](const std::vector<SavedReview>& all) {
            const auto at =
                std::find_if(all.begin(), all.end(), [&](const SavedReview& each) { return each.id == id; });
            return at == all.end() ? std::nullopt : Found(*at);
          });
    });
    return there(std::move(found));
  }

  Expected<std::string> pgn(const std::string& id) override { return text_of("pgn", id); }
  Expected<std::string> evidence(const std::string& id) override { return text_of("evidence", id); }
  Expected<std::string> lines(const std::string& id) override { return text_of("lines", id); }

  Expected<std::vector<std::string>> unfinished() override {
    using Ids = std::vector<std::string>;
    return attempt("the reviews cannot be read", [&] {
      return despite_damage<Ids>(
          [&] {
            SQLite::Statement query(db_, "SELECT id FROM reviews WHERE state IN (0, 1) ORDER BY number");
            Ids ids;
            while (query.executeStep()) ids.push_back(query.getColumn(0).getString());
            return ids;
          },
          [&](const std::vector<SavedReview>& all) {
            Ids ids;
            for (const SavedReview& each : all) {
              const bool ended = each.state != ReviewState::waiting && each.state != ReviewState::running;
              if (!ended) ids.insert(ids.begin(), each.id);
            }
            return ids;
          });
    });
  }

  Expected<void> set_state(const std::string& id, ReviewState state, const std::string& problem) override {
    return update("UPDATE reviews SET state = ?, problem = ? WHERE id = ?", [&](SQLite::Statement& update) {
      update.bind(1, static_cast<int>(state));
      update.bind(2, problem);
      update.bind(3, id);
    });
  }
  Expected<void> begin(const std::string& id) override {
    return update("UPDATE reviews SET state = 1, problem = '' WHERE id = ? AND state = 0",
                  [&](SQLite::Statement& update) { update.bind(1, id); });
  }
  Expected<void> cancel(const std::string& id) override {
    return update("UPDATE reviews SET state = 3, problem = '' WHERE id = ? AND state IN (0, 1)",
                  [&](SQLite::Statement& update) { update.bind(1, id); });
  }

  Expected<void> keep(const std::string& id, const std::string& evidence) override {
    return set_text("evidence", id, evidence);
  }
  Expected<void> set_lines(const std::string& id, const std::string& lines) override {
    return set_text("lines", id, lines);
  }
  Expected<void> set_options(const std::string& id, const std::string& options) override {
    return set_text("options", id, options);
  }

  Expected<void> finish(const std::string& id, const FinishedReview& review) override {
    return update(
        "UPDATE reviews SET state = 2, problem = '', note = '', evidence = ?, engine = ?, white_accuracy = ?, "
        "black_accuracy = ? WHERE id = ?",
        [&](SQLite::Statement& update) {
          update.bind(1, review.evidence);
          update.bind(2, review.engine);
          if (review.white_accuracy) update.bind(3, *review.white_accuracy);
          if (review.black_accuracy) update.bind(4, *review.black_accuracy);
          update.bind(5, id);
        });
  }

  Expected<void> remove(const std::string& id) override {
    const auto removed = attempt("the review cannot be deleted", [&] {
      SQLite::Statement remove(db_, "DELETE FROM reviews WHERE id = ?");
      remove.bind(1, id);
      return remove.exec();
    });
    if (!removed) return tl::make_unexpected(removed.error());
    if (*removed == 0) return no_such();
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;

  static tl::unexpected<Error> no_such() { return fail(ErrorCode::no_such_review, "There is no such review."); }

  template <class T>
  static Expected<T> there(Expected<std::optional<T>> found) {
    if (!found) return tl::make_unexpected(std::move(found.error()));
    if (!*found) return no_such();
    return std::move(**found);
  }

  // One attempt after the other while another program has the file locked.
  template <class Work>
  auto attempt(const char* what, Work work) -> Expected<decltype(work())> {
    const auto until = Clock::now() + settings_.wait;
    constexpr std::chrono::milliseconds longest{250};
    for (std::chrono::milliseconds pause{5};; pause = std::min(2 * pause, longest)) {
      try {
        const std::scoped_lock lock(mutex_);
        return work();
      } catch (const SQLite::Exception& error) {
        if (!store::is_busy(error) || Clock::now() >= until) return tl::make_unexpected(told(error, what));
      }
      std::this_thread::sleep_for(pause);
    }
  }

  Error told(const SQLite::Exception& error, const char* what) {
    Error told = store::error_of(error, fmt::format("{} ({})", what, path_), &db_);
    if (told.code == ErrorCode::store_damaged) told.sentence += advice;
    return told;
  }

  template <class Bind>
  Expected<void> update(const std::string& sql, Bind bind) {
    const auto done = attempt("the review cannot be saved", [&] {
      SQLite::Statement statement(db_, sql);
      bind(statement);
      return statement.exec();
    });
    if (!done) return tl::make_unexpected(done.error());
    return {};
  }

  // The quick way, or from all rows that can be read, newest first.
  template <class T, class Quick, class FromAll>
  T despite_damage(Quick quick, FromAll from_all) {
    try {
      return quick();
    } catch (const SQLite::Exception& error) {
      if (!store::is_damage(error)) throw;
      return from_all(rows_one_by_one(error.what()));
    }
  }

  // As far as it goes.
  template <class Each>
  void read_on(const std::string& sql, Each each) {
    try {
      SQLite::Statement query(db_, sql);
      while (query.executeStep()) each(query);
    } catch (const SQLite::Exception& error) {
      if (!store::is_damage(error)) throw;
    }
  }

  // Of a damaged file: what its table and its index have of them, from both ends.
  std::vector<SavedReview> rows_one_by_one(const std::string& why) {
    std::map<std::int64_t, std::string, std::greater<>> ids;  // by number
    for (const char* order : {"ASC", "DESC"}) {
      read_on(fmt::format("SELECT number, id FROM reviews INDEXED BY {} ORDER BY id {}", index_of_ids, order),
              [&](SQLite::Statement& row) { ids[row.getColumn(0).getInt64()] = row.getColumn(1).getString(); });
      read_on(fmt::format("SELECT number FROM reviews NOT INDEXED ORDER BY number {}", order),
              [&](SQLite::Statement& row) { ids.try_emplace(row.getColumn(0).getInt64()); });
    }
    std::vector<SavedReview> all;
    for (const auto& [number, id] : ids) {
      SavedReview saved;
      saved.id = id;
      saved.state = ReviewState::failed;
      saved.problem =
          fmt::format("What was saved of this review cannot be read: {} is damaged ({}){}", path_, why, advice);
      read_on(fmt::format("SELECT {} FROM reviews NOT INDEXED WHERE number = {}", head_columns, number),
              [&](SQLite::Statement& row) { saved = head_of(row); });
      if (!saved.id.empty()) all.push_back(std::move(saved));
    }
    return all;
  }

  ReviewList listed(const ReviewFilter& filter) {
    const std::string where =
        "WHERE (?1 = '' OR instr(lower(white || char(10) || black || char(10) || event || char(10) || date), "
        "lower(?1)))"
        " AND (?2 < 0 OR state = ?2 OR (?2 = 4 AND state NOT IN (0, 1, 2, 3)))";
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

  Expected<void> set_text(const char* column, const std::string& id, const std::string& text) {
    return update(fmt::format("UPDATE reviews SET {} = ? WHERE id = ?", column), [&](SQLite::Statement& update) {
      update.bind(1, text);
      update.bind(2, id);
    });
  }

  Expected<std::string> text_of(const char* column, const std::string& id) {
    return there(attempt("the review cannot be read", [&] {
      SQLite::Statement query(db_, fmt::format("SELECT {} FROM reviews WHERE id = ?", column));
      query.bind(1, id);
      return query.executeStep() ? std::optional(query.getColumn(0).getString()) : std::nullopt;
    }));
  }

  static constexpr const char* advice = "; end the server, and postmortem doctor --repair saves what can be read";

  std::optional<store::ProcessLock> lock_;  // none for a file in memory
  SQLite::Database db_;
  std::string path_;
  ReviewStoreSettings settings_;
  std::mutex mutex_;
};

store::SqliteSchema review_schema() {
  store::SqliteSchema schema{what_it_is, schema_version, upgrade};
  schema.durable = true;
  return schema;
}

}  // namespace

std::optional<std::string> default_reviews_path() {
  const auto folder = user_folder("XDG_DATA_HOME", ".local/share");
  if (!folder) return std::nullopt;
  return (*folder / "postmortem" / "reviews.sqlite").string();
}

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

Expected<std::unique_ptr<ReviewStore>> ReviewStore::open(const std::string& path, const store::Warn& warn,
                                                         const ReviewStoreSettings& settings) {
  std::optional<store::ProcessLock> lock;
  if (path != ":memory:") {
    auto taken = store::ProcessLock::take(path, what_it_is);
    if (!taken) return tl::make_unexpected(std::move(taken.error()));
    lock.emplace(std::move(*taken));
  }
  auto db = store::open_sqlite_file(path, review_schema(), warn, settings.wait);
  if (!db) return tl::make_unexpected(db.error());
  return std::make_unique<SqliteReviewStore>(std::move(lock), std::move(*db), path, settings);
}

Expected<store::Repaired> ReviewStore::repair(const std::string& path, const store::Warn& warn) {
  const auto lock = store::ProcessLock::take(path, what_it_is);
  if (!lock) return tl::make_unexpected(lock.error());
  return store::repair(path, review_schema(), {"reviews", "number", index_of_ids}, warn);
}

}  // namespace pm::server
