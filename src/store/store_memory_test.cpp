// Every allocation of SQLite fails once: that is no damage, and what was kept is there.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "store/fault_memory.h"
#include "store/fault_vfs.h"
#include "store/repaired.h"
#include "store/store.h"

namespace pm::store {
namespace {

class StoreMemory : public testing::TestWithParam<bool> {
 protected:
  StoreMemory()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_memory_" + std::to_string(::getpid()))) {}
  ~StoreMemory() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "cache.sqlite").string(); }
  void begin_anew() const {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  Expected<std::unique_ptr<Store>> open() {
    warnings_.clear();
    return open_sqlite_store(path(), [this](const std::string& s) { warnings_.push_back(s); },
                             {.wait = std::chrono::milliseconds(20)});
  }
  void expect_whole() const {
    EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
    SQLite::Database db(path(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
  FaultVfs vfs_;  // for its speed
};

TEST_P(StoreMemory, while_it_is_made) {
  FaultMemory::each_allocation(
      GetParam(), [&] { begin_anew(); },
      [&] {
        const auto store = open();
        EXPECT_TRUE(store || !store.error().sentence.empty());
      },
      [&] {
        const auto store = open();
        ASSERT_TRUE(store) << store.error().sentence;
        (*store)->put("key", "value");
        EXPECT_EQ((*store)->find("key"), "value");
        expect_whole();
      });
}

TEST_P(StoreMemory, while_it_is_used) {
  const std::string value(5000, 'v');
  bool told = false;
  FaultMemory::each_allocation(
      GetParam(),
      [&] {
        begin_anew();
        (*open())->put("before", value);
      },
      [&] {
        const auto store = open();
        if (store) {
          (*store)->put("key", value);
          EXPECT_EQ((*store)->find("key").value_or(value), value);
          EXPECT_EQ((*store)->find("before").value_or(value), value);
        }
        told = !store || !warnings_.empty();
      },
      [&] {
        const auto store = open();
        ASSERT_TRUE(store) << store.error().sentence;
        EXPECT_EQ((*store)->find("before"), value);
        EXPECT_TRUE(told || (*store)->find("key") == value);
        expect_whole();
      });
}

TEST_P(StoreMemory, while_it_is_repaired_and_copied) {
  const std::string copy = (folder_ / "copy.sqlite").string();
  const std::string value(2000, 'v');
  constexpr int count = 6;
  constexpr int step = 11;  // what is repaired and copied is on the disk for certain, and that takes its time
  bool copied = false;
  const auto repair = [&] { return repair_sqlite_store(path(), [](const std::string&) {}); };
  begin_anew();
  {
    const auto store = open();
    for (int i = 0; i < count; ++i) (*store)->put(fmt::format("key {}", i), value);
  }
  {
    SQLite::Database db(path(), SQLite::OPEN_READWRITE);  // an index that is not as its table
    db.exec("PRAGMA writable_schema=ON");
    db.exec(
        "UPDATE sqlite_schema SET sql = 'CREATE INDEX evaluations_used ON evaluations (value)' WHERE name = "
        "'evaluations_used'");
  }
  const std::string damaged = folder_.string() + ".sqlite";
  std::filesystem::rename(path(), damaged);
  FaultMemory::each_allocation(
      GetParam(),
      [&] {
        begin_anew();
        std::filesystem::copy_file(damaged, path());
      },
      [&] {
        const auto repaired = repair();
        EXPECT_TRUE(!repaired || repaired->saved == count);
        copied = repaired && back_up(path(), copy, "cache", std::chrono::milliseconds(20));
        EXPECT_EQ(std::filesystem::exists(copy), copied);
      },
      [&] {
        const auto repaired = repair();
        ASSERT_TRUE(repaired) << repaired.error().sentence;
        const auto store = open();
        for (int i = 0; i < count; ++i) EXPECT_TRUE((*store)->find(fmt::format("key {}", i)) == value) << i;
      },
      step);
  std::filesystem::remove(damaged);
}

INSTANTIATE_TEST_SUITE_P(Each, StoreMemory, testing::Bool());

}  // namespace
}  // namespace pm::store
