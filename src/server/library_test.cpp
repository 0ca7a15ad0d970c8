#include "server/library.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace pm::server {
namespace {

class LibraryTest : public testing::Test {
 protected:
  LibraryTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_library_" + std::to_string(::getpid()))) {}
  ~LibraryTest() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "below" / "reviews.sqlite").string(); }
  std::unique_ptr<Library> open() const { return Library::open(path()).value(); }

  std::filesystem::path folder_;
  GameHead game_{"Morphy, Paul", "Duke \"Karl\"; DROP TABLE reviews", "1-0", "1858", "Opera", 33};
};

TEST_F(LibraryTest, KeepsReviewsBetweenRuns) {
  std::string id;
  {
    const auto library = open();
    const auto saved = library->add("1. e4 *", game_, 18);
    ASSERT_TRUE(saved);
    id = saved->id;
    library->finish(id, {"{\"a\":1}\n", {{"csv", "x"}, {"pgn-points", "1. e4!"}}, "Stockfish", 97.9, std::nullopt});
  }
  const auto library = open();
  const auto found = library->find(id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, ReviewState::complete);
  EXPECT_EQ(found->game.black, game_.black);
  EXPECT_EQ(found->game.plies, 33U);
  EXPECT_EQ(found->white_accuracy, 97.9);
  EXPECT_EQ(found->black_accuracy, std::nullopt);
  EXPECT_EQ(library->pgn(id), "1. e4 *");
  EXPECT_EQ(library->review(id), "{\"a\":1}\n");
  EXPECT_EQ(library->exported(id, "pgn-points"), "1. e4!");
  EXPECT_EQ(library->exported(id, "nothing"), "");
  EXPECT_TRUE(library->remove(id));
  EXPECT_FALSE(library->remove(id));
  EXPECT_FALSE(library->find(id));
  EXPECT_EQ(library->exported(id, "csv"), "");
}

TEST_F(LibraryTest, ListsTheNewestFirstAndKnowsWhatIsUnfinished) {
  const auto library = open();
  const std::string first = library->add("a", game_, 10).value().id;
  const std::string second = library->add("b", game_, 10).value().id;
  const std::string third = library->add("c", game_, 10).value().id;
  library->set_state(first, ReviewState::running, "");
  library->set_state(second, ReviewState::failed, "no engine");
  EXPECT_EQ(library->unfinished(), (std::vector{first, third}));
  const auto list = library->list(2);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].id, third);
  EXPECT_EQ(list[1].problem, "no engine");
  EXPECT_EQ(library->list(10).size(), 3U);
}

TEST_F(LibraryTest, SaysWhenTheFileIsNotOne) {
  std::filesystem::create_directories(folder_ / "below");
  std::ofstream(path()) << "this is not a database, and long enough to be looked at as one";
  const auto library = Library::open(path());
  ASSERT_FALSE(library);
  EXPECT_NE(library.error().sentence.find(path()), std::string::npos);
}

}  // namespace
}  // namespace pm::server
