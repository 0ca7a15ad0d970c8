// Every allocation of SQLite fails once: no review is lost, and nothing is taken for damage.
#include <unistd.h>

#include <filesystem>

#include <SQLiteCpp/SQLiteCpp.h>

#include "server/review_store.h"
#include "store/fault_memory.h"
#include "store/fault_vfs.h"

namespace pm::server {
namespace {

class ReviewMemory : public testing::TestWithParam<bool> {
 protected:
  ReviewMemory()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_memory_" + std::to_string(::getpid()))) {}
  ~ReviewMemory() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "reviews.sqlite").string(); }
  Expected<std::unique_ptr<ReviewStore>> open() const {
    return ReviewStore::open(path(), [](const std::string&) {}, {.wait = std::chrono::milliseconds(20)});
  }

  std::filesystem::path folder_;
  store::FaultVfs vfs_;  // for its speed
};

TEST_P(ReviewMemory, LosesNothingThatWasSaved) {
  const NewReview game{std::string(3000, 'x'), {"Morphy, Paul", "Duke Karl", "1-0", "1858", "Opera", 33}, 18};
  const std::string evidence(6000, 'e');
  std::string first;
  bool finished = false;
  std::string added;
  store::FaultMemory::each_allocation(
      GetParam(),
      [&] {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        first = open().value()->add(game)->id;
        finished = false;
        added.clear();
      },
      [&] {
        const auto reviews = open();
        if (!reviews) return;
        if (const auto saved = (*reviews)->add(game)) added = saved->id;
        finished = (*reviews)->finish(first, {evidence, "Stockfish", 50, 60}).has_value();
        if (const auto list = (*reviews)->list({})) {
          for (const SavedReview& each : list->reviews) EXPECT_EQ(each.game.white, "Morphy, Paul") << each.problem;
        }
        EXPECT_EQ((*reviews)->pgn(first).value_or(game.pgn), game.pgn);
        (void)(*reviews)->unfinished();
      },
      [&] {
        const auto reviews = open();
        ASSERT_TRUE(reviews) << reviews.error().sentence;
        EXPECT_TRUE(added.empty() || (*reviews)->find(added));
        EXPECT_EQ((*reviews)->pgn(first), game.pgn);
        EXPECT_EQ((*reviews)->evidence(first), finished ? evidence : (*reviews)->evidence(first).value_or(""));
        EXPECT_FALSE(std::filesystem::exists(path() + ".damaged"));
        SQLite::Database db(path(), SQLite::OPEN_READWRITE, 10'000);
        EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
      });
}

INSTANTIATE_TEST_SUITE_P(Each, ReviewMemory, testing::Bool());

}  // namespace
}  // namespace pm::server
