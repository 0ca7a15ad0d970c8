#include "store/store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "store/test_process.h"

namespace pm::store {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_store_" + std::to_string(::getpid()))) {}
  ~SqliteStoreTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Store> open(const StoreSettings& settings = {}) {
    return open_sqlite_store(path(), [this](const std::string& s) { warnings_.push_back(s); }, settings).value();
  }
  static constexpr StoreSettings hasty{.wait = std::chrono::milliseconds(50)};
  // Until what was put is found: after trouble a store pauses.
  static bool keeps_again(Store& store) {
    for (int i = 0; i < 6000; ++i) {
      store.put("again", "there");
      if (store.find("again")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::string path() const { return (folder_ / "deep" / "cache.sqlite").string(); }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
};

TEST_F(SqliteStoreTest, remembers_between_runs) {
  open()->put("key", "value");
  open()->put("other", "thing");
  EXPECT_EQ(open()->find("key"), "value");
  EXPECT_EQ(open()->find("nothing"), std::nullopt);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SqliteStoreTest, a_damaged_file_is_moved_aside) {
  open()->put("key", "value");
  std::ofstream(path(), std::ios::binary | std::ios::trunc) << std::string(5000, 'x');
  auto store = open();
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find(".damaged"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path() + ".damaged"));
  EXPECT_EQ(store->find("key"), std::nullopt);
  store->put("key", "again");
  EXPECT_EQ(store->find("key"), "again");
}

TEST_F(SqliteStoreTest, of_a_newer_version_is_an_error_and_stays) {
  open()->put("key", "value");
  SQLite::Database(path(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version=99");
  EXPECT_EQ(open_sqlite_store(path(), [](const std::string&) {}).error().code, ErrorCode::file_open);
  SQLite::Database(path(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version=1");
  EXPECT_EQ(open()->find("key"), "value");
}

TEST_F(SqliteStoreTest, a_file_that_breaks_later_is_only_a_warning) {
  auto store = open();
  SQLite::Database(path(), SQLite::OPEN_READWRITE).exec("DROP TABLE evaluations");
  EXPECT_EQ(store->find("key"), std::nullopt);
  store->put("key", "value");
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(SqliteStoreTest, two_may_write_at_once) {
  auto first = open();
  auto second = open();
  const auto fill = [](Store& store, const std::string& name) {
    for (int i = 0; i < 100; ++i) store.put(name + std::to_string(i), "x");
  };
  {
    const std::jthread a([&] { fill(*first, "a"); });
    const std::jthread b([&] { fill(*second, "b"); });
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(first->find("b" + std::to_string(i)));
    EXPECT_TRUE(second->find("a" + std::to_string(i)));
  }
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SqliteStoreTest, a_place_that_cannot_be_written_is_an_error) {
  EXPECT_EQ(open_sqlite_store("/proc/no/such/cache.sqlite", [](const std::string&) {}).error().code,
            ErrorCode::file_open);
}

TEST_F(SqliteStoreTest, that_is_locked_is_used_again_later) {
  auto store = open(hasty);
  store->put("key", "value");
  store.reset();
  {
    const Locker other(path());
    ASSERT_TRUE(other.locked());
    store = open(hasty);
    EXPECT_EQ(store->find("key"), std::nullopt);
    store->put("other", "lost");
    EXPECT_EQ(warnings_.size(), 1U) << "for all of it";
    EXPECT_NE(warnings_.front().find("locked"), std::string::npos) << warnings_.front();
  }
  EXPECT_TRUE(keeps_again(*store));
  EXPECT_EQ(store->find("key"), "value");
  EXPECT_EQ(warnings_.size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
}

TEST_F(SqliteStoreTest, whose_writing_is_locked_still_reads) {
  auto store = open(hasty);
  store->put("key", "value");
  SQLite::Database other(path(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  store->put("second", "lost");
  store->put("third", "lost");
  EXPECT_EQ(store->find("key"), "value");
  EXPECT_EQ(warnings_.size(), 1U);
  other.exec("COMMIT");
  EXPECT_TRUE(keeps_again(*store));
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(SqliteStoreTest, that_cannot_be_written_is_read) {
  struct Case {
    const char* name;
    mode_t file;
    mode_t folder;
  };
  open()->put("key", "value");
  const std::string folder = std::filesystem::path(path()).parent_path();
  for (const Case& each : {Case{"the file", 0444, 0777}, Case{"the folder", 0666, 0555}, Case{"both", 0444, 0555}}) {
    ::chmod(path().c_str(), each.file);
    ::chmod(folder.c_str(), each.folder);
    const auto work = [&] {
      int warnings = 0;
      const auto store = open_sqlite_store(path(), [&](const std::string&) { ++warnings; });
      if (!store || (*store)->find("key") != "value") return false;
      (*store)->put("other", "lost");
      (*store)->put("key", "lost");
      return warnings == 1 && !(*store)->find("other") && (*store)->find("key") == "value";
    };
    EXPECT_TRUE(says_another(work, true)) << each.name;
    ::chmod(folder.c_str(), 0755);
    ::chmod(path().c_str(), 0644);
  }
  EXPECT_EQ(open()->find("key"), "value");
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
}

TEST_F(SqliteStoreTest, of_version_1_is_read_and_upgraded) {
  std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
  {
    SQLite::Database old(path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec("CREATE TABLE evaluations (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    old.exec("INSERT INTO evaluations VALUES ('key', 'value')");
    old.exec("PRAGMA user_version=1");
  }
  ::chmod(path().c_str(), 0444);
  ::chmod(std::filesystem::path(path()).parent_path().c_str(), 0555);
  const auto find = [&] {
    const auto store = open_sqlite_store(path(), [](const std::string&) {});
    return store && (*store)->find("key") == "value";
  };
  EXPECT_TRUE(says_another(find, true)) << "as it is";
  ::chmod(std::filesystem::path(path()).parent_path().c_str(), 0755);
  ::chmod(path().c_str(), 0644);
  EXPECT_EQ(open()->find("key"), "value");
  SQLite::Database now(path(), SQLite::OPEN_READONLY);
  EXPECT_EQ(now.execAndGet("PRAGMA user_version").getInt(), 2);
  EXPECT_GT(now.execAndGet("SELECT used FROM evaluations").getInt64(), 0) << "it was found";
}

TEST_F(SqliteStoreTest, forgets_what_was_not_used_for_longest_when_it_is_full) {
  constexpr std::uint64_t most = 4 << 20;
  const StoreSettings settings{.most_bytes = most};
  const std::string value(3000, 'v');
  {
    auto store = open(settings);
    for (int i = 0; i < 600; ++i) store->put("old " + std::to_string(i), value);
  }
  SQLite::Database(path(), SQLite::OPEN_READWRITE).exec("UPDATE evaluations SET used = 5");
  {
    auto store = open(settings);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(store->find("old " + std::to_string(i)));  // and so used
  }
  auto store = open(settings);
  for (int i = 0; i < 900; ++i) store->put("new " + std::to_string(i), value);
  EXPECT_FALSE(store->find("old 300"));
  EXPECT_TRUE(store->find("old 7"));
  EXPECT_TRUE(store->find("new 899"));
  for (int i = 0; i < 3000; ++i) store->put("newer " + std::to_string(i), value);
  store.reset();
  EXPECT_LT(std::filesystem::file_size(path()), most * 9 / 8);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SqliteStoreTest, gives_room_back_when_the_limit_is_lower_than_it_was) {
  const std::string value(3000, 'v');
  {
    auto store = open();
    for (int i = 0; i < 2000; ++i) store->put(std::to_string(i), value);
  }
  constexpr std::uint64_t most = 1 << 20;
  auto store = open({.most_bytes = most});
  for (int i = 0; i < 100; ++i) store->put("new " + std::to_string(i), value);
  EXPECT_TRUE(store->find("new 99"));
  store.reset();
  EXPECT_LT(std::filesystem::file_size(path()), most * 9 / 8);
}

TEST(DefaultStore, follows_the_environment) {
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(default_store_path(), "/somewhere/postmortem/evaluations.sqlite");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(default_store_path(), "/home/me/.cache/postmortem/evaluations.sqlite");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(default_store_path(), std::nullopt);
}

}  // namespace
}  // namespace pm::store
