#include "store/salvage.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "store/cache_schema.h"
#include "store/fault_vfs.h"
#include "store/test_process.h"

namespace pm::store {
namespace {

const SalvagedTable things{"things", "number", "sqlite_autoindex_things_1"};

SqliteSchema schema_of_things() {
  return {
      "file", 1, [](SQLite::Database& db, int) {
        db.exec("CREATE TABLE things (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, text TEXT)");
      }};
}

class SalvageTest : public testing::Test {
 protected:
  SalvageTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_salvage_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~SalvageTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name = "file.sqlite") const { return (folder_ / name).string(); }

  void make(int rows, std::size_t length = 1000) const {
    auto db = open_sqlite_file(path(), schema_of_things(), ignore).value();
    db.exec("BEGIN");
    for (int i = 1; i <= rows; ++i) {
      db.exec(fmt::format("INSERT INTO things (id, text) VALUES ('id {}', '{}')", i, std::string(length, 't')));
    }
    db.exec("COMMIT");
  }
  // The page in which something of this row stands.
  void damage(const char* sql) const {
    int page = 0;
    {
      SQLite::Database db(path(), SQLite::OPEN_READONLY);
      page = db.execAndGet(sql).getInt();
    }
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * 4096L);
    file << std::string(4096, '\xff');
  }
  Expected<Repaired> mend() const { return repair(path(), schema_of_things(), things, ignore, hasty); }
  static int count(const std::string& file) {
    SQLite::Database db(file, SQLite::OPEN_READWRITE);
    EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
    return db.execAndGet("SELECT count(*) FROM things").getInt();
  }

  static constexpr std::chrono::milliseconds hasty{20};
  static inline const Warn ignore = [](const std::string&) {};
  std::filesystem::path folder_;
};

TEST_F(SalvageTest, leaves_a_whole_file_alone) {
  make(10);
  const auto repaired = mend();
  ASSERT_TRUE(repaired) << repaired.error().sentence;
  EXPECT_TRUE(repaired->was_whole);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(SalvageTest, loses_only_what_stood_on_a_damaged_page) {
  make(300);
  // Any leaf of the table in its middle: its page numbers are unknown, but that each has about three rows.
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(40 * 4096L);
  file << std::string(4096, '\xff');
  file.close();
  const auto repaired = mend();
  ASSERT_TRUE(repaired) << repaired.error().sentence;
  EXPECT_FALSE(repaired->was_whole);
  EXPECT_GE(repaired->lost, 1U);
  EXPECT_LE(repaired->lost, 4U);
  EXPECT_EQ(repaired->saved + repaired->lost, 300U);
  EXPECT_EQ(count(path()), static_cast<int>(repaired->saved));
  EXPECT_EQ(repaired->kept_as, path() + ".damaged");
  EXPECT_TRUE(std::filesystem::exists(repaired->kept_as));
  EXPECT_FALSE(std::filesystem::exists(path("file.sqlite.repair")));
  EXPECT_TRUE(mend()->was_whole);
}

TEST_F(SalvageTest, saves_all_rows_when_only_the_index_is_damaged) {
  make(300);
  damage("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_things_1'");
  const auto repaired = mend();
  ASSERT_TRUE(repaired) << repaired.error().sentence;
  EXPECT_EQ(repaired->saved, 300U);
  EXPECT_EQ(count(path()), 300);
}

TEST_F(SalvageTest, of_what_is_no_database_changes_nothing) {
  std::ofstream(path(), std::ios::binary) << std::string(9000, 'x');
  const auto repaired = mend();
  ASSERT_FALSE(repaired);
  EXPECT_EQ(repaired.error().code, ErrorCode::store_damaged);
  EXPECT_NE(repaired.error().sentence.find(path()), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path()), 9000U);
}

TEST_F(SalvageTest, waits_for_nobody_who_has_the_file_open) {
  make(300);
  const Locker reader(path(), {"SELECT 1 FROM things"});
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(40 * 4096L);
  file << std::string(4096, '\xff');
  file.close();
  const auto repaired = mend();
  ASSERT_FALSE(repaired);
  EXPECT_NE(repaired.error().sentence.find("end that first"), std::string::npos) << repaired.error().sentence;
  EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
}

TEST_F(SalvageTest, of_the_cache_saves_by_text) {
  {
    auto store = open_sqlite_store(path(), ignore).value();
    for (int i = 0; i < 500; ++i) store->put(fmt::format("key {:03}", i), std::string(900, 'v'));
  }
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(60 * 4096L);
  file << std::string(4096, '\xff');
  file.close();
  const auto repaired = repair(path(), cache_schema(), {"evaluations", "key", "evaluations_used"}, ignore);
  ASSERT_TRUE(repaired) << repaired.error().sentence;
  EXPECT_GE(repaired->saved, 480U);
  EXPECT_EQ(repaired->saved + repaired->lost, 500U);
  auto store = open_sqlite_store(path(), ignore).value();
  EXPECT_TRUE(store->find("key 000"));
  EXPECT_TRUE(store->find("key 499"));
}

TEST_F(SalvageTest, copies_what_is_in_use) {
  make(50);
  auto writer = open_sqlite_file(path(), schema_of_things(), ignore).value();
  writer.exec("INSERT INTO things (id) VALUES ('in the log')");
  writer.exec("BEGIN IMMEDIATE");
  writer.exec("INSERT INTO things (id) VALUES ('not yet')");
  ASSERT_TRUE(back_up(path(), path("copy.sqlite"), "file"));
  writer.exec("COMMIT");
  EXPECT_EQ(count(path("copy.sqlite")), 51);
  EXPECT_TRUE(back_up(path(), path("copy.sqlite"), "file")) << "in place of the earlier one";
  EXPECT_EQ(count(path("copy.sqlite")), 52);
  EXPECT_FALSE(back_up(path(), path(), "file"));
  EXPECT_FALSE(back_up(path(), "/proc/no/such", "file"));
  EXPECT_FALSE(std::filesystem::exists(path("copy.sqlite.part")));
}

TEST_F(SalvageTest, and_copies_survive_faults) {
  FaultVfs vfs;
  for (const Fault& fault : all_faults) {
    bool copied = false;
    vfs.each_call(
        fault,
        [&] {
          std::filesystem::remove_all(folder_);
          std::filesystem::create_directories(folder_);
          make(20);
        },
        [&] { copied = back_up(path(), path("copy.sqlite"), "file", hasty).has_value(); },
        [&] {
          EXPECT_EQ(std::filesystem::exists(path("copy.sqlite")), copied);
          EXPECT_EQ(copied ? count(path("copy.sqlite")) : 20, 20);
          EXPECT_EQ(count(path()), 20);
        });
  }
}

TEST_F(SalvageTest, and_repairs_survive_faults) {
  FaultVfs vfs;
  for (const Fault& fault : all_faults) {
    vfs.each_call(
        fault,
        [&] {
          std::filesystem::remove_all(folder_);
          std::filesystem::create_directories(folder_);
          make(40);
          damage("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_things_1'");
        },
        [&] {
          const auto repaired = mend();
          EXPECT_TRUE(repaired || !repaired.error().sentence.empty());
          EXPECT_TRUE(!repaired || repaired->was_whole || repaired->saved == 40) << "nothing is lost to a fault";
        },
        [&] {
          EXPECT_TRUE(mend());
          EXPECT_EQ(count(path()), 40);
        });
  }
}

}  // namespace
}  // namespace pm::store
