// Every call that SQLite makes of the system fails once: whatever comes of it is told, and what was kept is there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "store/fault_vfs.h"
#include "store/store.h"

namespace pm::store {
namespace {

class StoreFaults : public testing::TestWithParam<Fault> {
 protected:
  StoreFaults()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_faults_" + std::to_string(::getpid()))) {}
  ~StoreFaults() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "cache.sqlite").string(); }
  void begin_anew() const {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  Expected<std::unique_ptr<Store>> open(std::uint64_t most_bytes = 1 << 30) {
    warnings_.clear();
    return open_sqlite_store(path(), [this](const std::string& s) { warnings_.push_back(s); },
                             {.most_bytes = most_bytes, .wait = std::chrono::milliseconds(20)});
  }
  void expect_whole() const {
    for (const auto& each : std::filesystem::directory_iterator(folder_)) {
      EXPECT_EQ(each.path().string().find(".damaged"), std::string::npos) << each.path();
    }
    SQLite::Database db(path(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  }

  std::filesystem::path folder_;
  std::vector<std::string> warnings_;
  FaultVfs vfs_;
};

TEST_P(StoreFaults, while_it_is_made) {
  vfs_.each_call(
      GetParam(), [&] { begin_anew(); },
      [&] {
        const auto store = open();
        EXPECT_TRUE(store || !store.error().sentence.empty());
      },
      [&] {
        auto store = open();
        ASSERT_TRUE(store) << store.error().sentence;
        (*store)->put("key", "value");
        EXPECT_EQ((*store)->find("key"), "value");
        EXPECT_TRUE(warnings_.empty()) << warnings_.front();
        expect_whole();
      });
}

TEST_P(StoreFaults, while_it_is_upgraded) {
  vfs_.each_call(
      GetParam(),
      [&] {
        begin_anew();
        SQLite::Database old(path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        old.exec("CREATE TABLE evaluations (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
        old.exec("INSERT INTO evaluations VALUES ('key', 'value')");
        old.exec("PRAGMA user_version=1");
      },
      [&] {
        const auto store = open();
        EXPECT_TRUE(store || !store.error().sentence.empty());
      },
      [&] {
        auto store = open();
        ASSERT_TRUE(store) << store.error().sentence;
        EXPECT_EQ((*store)->find("key"), "value");
        EXPECT_TRUE(warnings_.empty()) << warnings_.front();
        expect_whole();
      });
}

TEST_P(StoreFaults, while_it_is_used) {
  constexpr int count = 8;
  bool told = false;
  vfs_.each_call(
      GetParam(),
      [&] {
        begin_anew();
        (*open())->put("before", std::string(9000, 'b'));
      },
      [&] {
        const auto store = open();
        for (int i = 0; store && i < count; ++i) {
          (*store)->put(fmt::format("key {}", i), std::string(3000, 'v'));
          const auto value = (*store)->find(fmt::format("key {}", i));
          EXPECT_TRUE(value || !warnings_.empty());
          EXPECT_EQ(value.value_or(std::string(3000, 'v')).size(), 3000U);
        }
        told = !store || !warnings_.empty();
      },
      [&] {
        auto store = open();
        ASSERT_TRUE(store) << store.error().sentence;
        EXPECT_EQ((*store)->find("before").value_or("").size(), 9000U);
        for (int i = 0; !told && i < count; ++i) EXPECT_TRUE((*store)->find(fmt::format("key {}", i)));
        expect_whole();
      });
}

TEST_P(StoreFaults, while_it_makes_room) {
  constexpr std::uint64_t most = 100'000;
  vfs_.each_call(
      GetParam(),
      [&] {
        begin_anew();
        const auto store = open();
        for (int i = 0; i < 30; ++i) (*store)->put(fmt::format("old {}", i), std::string(5000, 'v'));
      },
      [&] {
        const auto store = open(most);
        for (int i = 0; store && i < 3; ++i) (*store)->put(fmt::format("new {}", i), std::string(3000, 'v'));
      },
      [&] {
        auto store = open(most);
        ASSERT_TRUE(store) << store.error().sentence;
        (*store)->put("last", "value");
        EXPECT_EQ((*store)->find("last"), "value");
        expect_whole();
      });
}

INSTANTIATE_TEST_SUITE_P(Each, StoreFaults, testing::ValuesIn(all_faults), [](const auto& info) {
  std::string name = info.param.name;
  std::erase(name, ',');
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace pm::store
