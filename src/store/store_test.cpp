#include "store/store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace pm::store {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_store_" + std::to_string(::getpid()))) {}
  ~SqliteStoreTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Store> open() {
    return open_sqlite_store(path(), [this](const std::string& s) { warnings_.push_back(s); }).value();
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
