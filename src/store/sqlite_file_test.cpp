#include "store/sqlite_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>

#include "store/test_process.h"

namespace pm::store {
namespace {

class SqliteFileTest : public testing::Test {
 protected:
  SqliteFileTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_file_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SqliteFileTest() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "file.sqlite").string(); }
  Expected<SQLite::Database> open(int version = 1) {
    const auto upgrade = [version](SQLite::Database& db, int from) {
      if (from < 1) db.exec("CREATE TABLE things (name TEXT)");
      if (from < 2 && version >= 2) db.exec("ALTER TABLE things ADD COLUMN size INTEGER");
    };
    return open_sqlite_file(path(), {"file", version, upgrade},
                            [this](const std::string& s) { warnings_.push_back(s); });
  }
  static int rows(SQLite::Database& db) { return db.execAndGet("SELECT count(*) FROM things").getInt(); }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
};

TEST_F(SqliteFileTest, is_made_and_upgraded) {
  {
    auto db = open(1);
    ASSERT_TRUE(db);
    db->exec("INSERT INTO things (name) VALUES ('a')");
  }
  auto db = open(2);
  ASSERT_TRUE(db);
  EXPECT_EQ(rows(*db), 1);
  EXPECT_EQ(db->execAndGet("PRAGMA user_version").getInt(), 2);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SqliteFileTest, an_upgrade_that_fails_changes_nothing) {
  ASSERT_TRUE(open(1));
  const auto broken = [](SQLite::Database& db, int) {
    db.exec("ALTER TABLE things ADD COLUMN other INTEGER");
    db.exec("no SQL at all");
  };
  EXPECT_FALSE(open_sqlite_file(path(), {"file", 2, broken}, [](const std::string&) {}));
  EXPECT_TRUE(open(2));
}

TEST_F(SqliteFileTest, of_a_newer_version_stays_where_it_is) {
  ASSERT_TRUE(open(2));
  const auto db = open(1);
  ASSERT_FALSE(db);
  EXPECT_NE(db.error().sentence.find("newer"), std::string::npos);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_TRUE(open(2));
}

TEST_F(SqliteFileTest, that_is_no_database_is_set_aside_and_never_written_over) {
  for (int n = 0; n < 2; ++n) {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << std::string(5000, 'x');
    EXPECT_TRUE(open());
    std::filesystem::remove(path() + "-wal");
    std::filesystem::remove(path() + "-shm");
  }
  EXPECT_EQ(warnings_.size(), 2U);
  EXPECT_TRUE(std::filesystem::exists(path() + ".damaged"));
  EXPECT_TRUE(std::filesystem::exists(path() + ".damaged-2"));
}

TEST_F(SqliteFileTest, that_is_locked_is_never_set_aside) {
  auto holder = open();
  ASSERT_TRUE(holder);
  holder->exec("INSERT INTO things (name) VALUES ('a')");
  holder->exec("BEGIN EXCLUSIVE");
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().sentence.find("locked"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
  holder->exec("COMMIT");
  auto again = open();
  EXPECT_EQ(rows(*again), 1);
}

TEST_F(SqliteFileTest, that_cannot_be_written_is_never_set_aside) {
  ASSERT_TRUE(open());
  ::chmod(path().c_str(), 0444);
  EXPECT_TRUE(says_another([&] { return !open(); }, true));
  ::chmod(path().c_str(), 0600);
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
}

// Who has it open would otherwise take the log of the new file for its own.
TEST_F(SqliteFileTest, that_somebody_has_open_is_never_set_aside) {
  ASSERT_TRUE(open());
  const Locker holder(path(), {"INSERT INTO things (name) VALUES ('a')", "PRAGMA wal_checkpoint(TRUNCATE)"});
  ASSERT_TRUE(holder.locked());
  std::fstream(path(), std::ios::binary | std::ios::in | std::ios::out) << std::string(4096, 'x');
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::store_damaged);
  EXPECT_NE(second.error().sentence.find("has it open"), std::string::npos) << second.error().sentence;
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
  EXPECT_TRUE(std::filesystem::exists(path() + "-wal"));
}

// Killed at any moment of its first start, the file opens the next time.
TEST_F(SqliteFileTest, survives_being_killed_while_it_is_made) {
  std::mt19937 random(11);
  for (int run = 0; run < 60; ++run) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const pid_t child = ::fork();
    if (child == 0) {
      (void)open(2);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 6000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    auto db = open(2);
    ASSERT_TRUE(db) << db.error().sentence;
    EXPECT_EQ(rows(*db), 0);
    ASSERT_TRUE(warnings_.empty()) << warnings_.front();
  }
}

TEST_F(SqliteFileTest, may_be_made_by_several_at_once) {
  for (int run = 0; run < 10; ++run) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::vector<pid_t> children;
    for (int n = 0; n < 4; ++n) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(open(2) ? 0 : 1);
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(WEXITSTATUS(status), 0) << "run " << run;
    }
  }
}

}  // namespace
}  // namespace pm::store
