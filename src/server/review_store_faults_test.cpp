// Saved reviews when something goes wrong: locks, damage, rows that make no sense, a full disk, and every call of
// SQLite to the system failing once.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "server/review_store.h"
#include "store/fault_vfs.h"
#include "store/test_process.h"

namespace pm::server {
namespace {

const GameHead morphy{"Morphy, Paul", "Duke Karl", "1-0", "1858", "Opera", 33};
constexpr ReviewStoreSettings hasty{.wait = std::chrono::milliseconds(20)};

class DamagedReviews : public testing::Test {
 protected:
  DamagedReviews()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_damaged_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~DamagedReviews() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "reviews.sqlite").string(); }
  Expected<std::unique_ptr<ReviewStore>> open(const ReviewStoreSettings& settings = hasty) const {
    return ReviewStore::open(path(), [](const std::string&) {}, settings);
  }
  void run(const std::string& sql) const { SQLite::Database(path(), SQLite::OPEN_READWRITE, 10'000).exec(sql); }
  void expect_whole() const {
    EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
    SQLite::Database db(path(), SQLite::OPEN_READWRITE, 10'000);
    EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  }
  void damage_page(int page) const {
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * 4096L);
    file << std::string(4096, '\xff');
  }

  std::filesystem::path folder_;
};

TEST_F(DamagedReviews, AreOfOneServerAtATime) {
  const auto first = open();
  ASSERT_TRUE(first);
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::file_locked);
  EXPECT_NE(second.error().sentence.find(path()), std::string::npos) << second.error().sentence;
  EXPECT_NE(second.error().sentence.find(fmt::format("process {}", ::getpid())), std::string::npos);
  std::filesystem::create_symlink(path(), folder_ / "link.sqlite");
  EXPECT_FALSE(ReviewStore::open((folder_ / "link.sqlite").string(), [](const std::string&) {}, hasty));
  EXPECT_FALSE(ReviewStore::repair(path(), [](const std::string&) {}));
}

TEST_F(DamagedReviews, AreFreeWhenTheServerWasKilled) {
  store::says_another([&] {
    const auto held = open();
    ::kill(::getpid(), SIGKILL);
    return held.has_value();
  });
  EXPECT_TRUE(open());
}

TEST_F(DamagedReviews, SayWhichRowMakesNoSense) {
  struct Case {
    const char* change;
    const char* found;
  };
  const Case cases[] = {
      {"state = 9", "state"},
      {"state = 'complete'", "state"},
      {"plies = -3", "plies"},
      {"plies = 1e12", "plies"},
      {"depth = 70000", "depth"},
      {"white_accuracy = 1e300", "white_accuracy"},
      {"black_accuracy = -1", "black_accuracy"},
      {"black_accuracy = 'good'", "black_accuracy"},
      {"event = x'ff00'", "event"},
      {"white = replace(hex(zeroblob(1000000)), '00', 'xx')", "white"},
  };
  for (const Case& each : cases) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::string id;
    std::string other;
    {
      const auto reviews = open().value();
      id = reviews->add({"1. e4 *", morphy, 18})->id;
      other = reviews->add({"1. d4 *", morphy, 18})->id;
    }
    run(fmt::format("UPDATE reviews SET {} WHERE id = '{}'", each.change, id));
    const auto reviews = open().value();
    const auto found = reviews->find(id);
    ASSERT_TRUE(found) << each.change;
    EXPECT_EQ(found->state, ReviewState::failed) << each.change;
    EXPECT_NE(found->problem.find(each.found), std::string::npos) << found->problem;
    EXPECT_EQ(reviews->list({})->total, 2U);
    EXPECT_EQ(reviews->find(other)->state, ReviewState::waiting);
    EXPECT_TRUE(reviews->finish(id, {"evidence 1\n", "Stockfish", 50, 60}));
    EXPECT_TRUE(reviews->remove(id)) << "it can be deleted";
  }
}

// Whatever page is damaged but the first: the server starts, and only what stood there is lost.
TEST_F(DamagedReviews, CostOnlyWhatStoodOnTheDamagedPage) {
  constexpr int count = 12;
  std::vector<std::string> ids;
  const auto make = [&] {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const auto reviews = open().value();
    ids.clear();
    for (int i = 0; i < count; ++i) ids.push_back(reviews->add({std::string(1500, 'x'), morphy, i})->id);
    EXPECT_TRUE(reviews->set_state(ids[3], ReviewState::running, ""));
  };
  make();
  const auto pages = static_cast<int>(std::filesystem::file_size(path()) / 4096);
  ASSERT_GT(pages, 6);
  int shown_as_failed = 0;
  for (int page = 2; page <= pages; ++page) {
    SCOPED_TRACE(page);
    make();
    damage_page(page);
    {
      const auto opened = open();
      ASSERT_TRUE(opened) << opened.error().sentence;
      const auto& reviews = *opened;
      const auto list = reviews->list({});
      ASSERT_TRUE(list) << list.error().sentence;
      for (const SavedReview& each : list->reviews) {
        if (each.state != ReviewState::failed) continue;
        ++shown_as_failed;
        EXPECT_NE(each.problem.find(path()), std::string::npos) << each.problem;
        EXPECT_NE(each.problem.find("doctor --repair"), std::string::npos) << each.problem;
        EXPECT_TRUE(reviews->find(each.id));
        EXPECT_FALSE(reviews->pgn(each.id));
      }
      EXPECT_TRUE(reviews->unfinished());
    }
    const auto repaired = ReviewStore::repair(path(), [](const std::string&) {});
    ASSERT_TRUE(repaired) << repaired.error().sentence;
    const auto reviews = open().value();
    EXPECT_EQ(reviews->list({})->total, repaired->was_whole ? count : repaired->saved);
  }
  EXPECT_GT(shown_as_failed, 0);
}

TEST_F(DamagedReviews, WaitForWhoeverHasThemLocked) {
  const auto reviews = open({.wait = std::chrono::seconds(60)}).value();
  const std::string id = reviews->add({"1. e4 *", morphy, 18})->id;
  auto locker = std::make_unique<store::Locker>(path(), std::vector<const char*>{"BEGIN IMMEDIATE"});
  ASSERT_TRUE(locker->locked());
  {
    const std::jthread writer([&] { EXPECT_TRUE(reviews->finish(id, {"evidence 1\n", "Stockfish", 50, 60})); });
    EXPECT_EQ(reviews->find(id)->state, ReviewState::waiting) << "nobody who reads waits for him who writes";
    locker->release();
  }
  EXPECT_EQ(reviews->find(id)->state, ReviewState::complete);
}

TEST_F(DamagedReviews, SayWhatIsLockedForTooLong) {
  const auto reviews = open().value();
  const std::string id = reviews->add({"1. e4 *", morphy, 18})->id;
  const store::Locker locker(path(), {"BEGIN IMMEDIATE"});
  const auto kept = reviews->keep(id, "evidence 1\n");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, ErrorCode::file_locked);
  EXPECT_EQ(reviews->add({"1. d4 *", morphy, 18}).error().code, ErrorCode::file_locked);
}

TEST_F(DamagedReviews, AreRefusedRatherThanDeletedWhenThereIsNoMoreRoom) {
  const auto reviews = open({.most_bytes = 300'000}).value();
  const std::string pgn(60'000, 'x');
  std::vector<std::string> ids;
  Error refused{};
  for (int i = 0; i < 20 && refused.sentence.empty(); ++i) {
    auto added = reviews->add({pgn, morphy, 18});
    if (added) {
      ids.push_back(added->id);
    } else {
      refused = added.error();
    }
  }
  EXPECT_EQ(refused.code, ErrorCode::no_room);
  EXPECT_NE(refused.sentence.find(path()), std::string::npos) << refused.sentence;
  EXPECT_EQ(reviews->list({})->total, ids.size());
  EXPECT_TRUE(reviews->finish(ids[0], {"evidence 1\n", "Stockfish", 50, 60})) << "what is there is finished";
  EXPECT_TRUE(reviews->remove(ids[1]));
  EXPECT_TRUE(reviews->add({pgn, morphy, 18})) << "in the room of the deleted one";
}

TEST_F(DamagedReviews, AFullDiskIsNoDamage) {
  store::FaultVfs vfs;
  const auto reviews = open().value();
  const std::string id = reviews->add({"1. e4 *", morphy, 18})->id;
  vfs.arm({"full disk", store::Call::write, SQLITE_FULL, true}, 1);
  EXPECT_EQ(reviews->add({"1. d4 *", morphy, 18}).error().code, ErrorCode::no_room);
  EXPECT_EQ(reviews->finish(id, {"evidence 1\n", "", {}, {}}).error().code, ErrorCode::no_room);
  vfs.disarm();
  EXPECT_TRUE(reviews->finish(id, {"evidence 1\n", "", {}, {}}));
}

class ReviewFaults : public DamagedReviews, public testing::WithParamInterface<store::Fault> {
 protected:
  void begin_anew() const {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  store::FaultVfs vfs_;
};

TEST_P(ReviewFaults, WhileTheFileIsMade) {
  vfs_.each_call(
      GetParam(), [&] { begin_anew(); },
      [&] {
        const auto reviews = open();
        EXPECT_TRUE(reviews || !reviews.error().sentence.empty());
      },
      [&] {
        const auto reviews = open();
        ASSERT_TRUE(reviews) << reviews.error().sentence;
        EXPECT_TRUE((*reviews)->add({"1. e4 *", morphy, 18}));
        expect_whole();
      });
}

TEST_P(ReviewFaults, WhileTheFileIsUpgraded) {
  vfs_.each_call(
      GetParam(),
      [&] {
        begin_anew();
        {
          ASSERT_TRUE(open().value()->add({"1. e4 *", morphy, 18}));
        }
        run("ALTER TABLE reviews DROP COLUMN options; ALTER TABLE reviews DROP COLUMN lines; PRAGMA user_version=2");
      },
      [&] {
        const auto reviews = open();
        EXPECT_TRUE(reviews || !reviews.error().sentence.empty());
      },
      [&] {
        const auto reviews = open();
        ASSERT_TRUE(reviews) << reviews.error().sentence;
        EXPECT_EQ((*reviews)->list({})->reviews.at(0).game.white, morphy.white);
        expect_whole();
      });
}

TEST_P(ReviewFaults, WhileReviewsAreKept) {
  struct Kept {
    ReviewState state = ReviewState::waiting;
    std::string evidence;
    bool certain = true;  // what was refused may be there all the same, or not
  };
  std::map<std::string, Kept> kept;
  vfs_.each_call(
      GetParam(),
      [&] {
        begin_anew();
        kept.clear();
        const auto reviews = open().value();
        for (int i = 0; i < 4; ++i) kept[reviews->add({std::string(3000, 'x'), morphy, 18})->id] = {};
      },
      [&] {
        const auto opened = open();
        if (!opened) return;
        const auto& reviews = *opened;
        const std::vector ids{kept.begin()->first, std::next(kept.begin())->first, std::next(kept.begin(), 2)->first};
        const std::string evidence(9000, 'e');
        if (auto added = reviews->add({"1. d4 *", morphy, 18})) kept[added->id] = {};
        if (reviews->finish(ids[0], {evidence, "Stockfish", 50, 60})) {
          kept[ids[0]] = {ReviewState::complete, evidence, true};
        } else {
          kept[ids[0]].certain = false;
        }
        if (reviews->set_state(ids[1], ReviewState::failed, "why")) {
          kept[ids[1]] = {ReviewState::failed, "", true};
        } else {
          kept[ids[1]].certain = false;
        }
        if (reviews->remove(ids[2])) {
          kept.erase(ids[2]);
          EXPECT_FALSE(reviews->find(ids[2]));
        } else {
          kept[ids[2]].certain = false;
        }
        (void)reviews->list({});
      },
      [&] {
        const auto opened = open();
        ASSERT_TRUE(opened) << opened.error().sentence;
        for (const auto& [id, each] : kept) {
          const auto found = (*opened)->find(id);
          if (!each.certain) continue;
          ASSERT_TRUE(found) << found.error().sentence;
          EXPECT_EQ(found->state, each.state);
          EXPECT_EQ((*opened)->evidence(id), each.evidence);
        }
        expect_whole();
      });
}

INSTANTIATE_TEST_SUITE_P(Each, ReviewFaults, testing::ValuesIn(store::all_faults), [](const auto& info) {
  std::string name = info.param.name;
  std::erase(name, ',');
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace pm::server
