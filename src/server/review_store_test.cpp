#include "server/review_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>

#include "server/saved_game.h"

namespace pm::server {
namespace {

class ReviewStoreTest : public testing::Test {
 protected:
  ReviewStoreTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_reviews_" + std::to_string(::getpid()))) {}
  ~ReviewStoreTest() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "below" / "reviews.sqlite").string(); }
  std::unique_ptr<ReviewStore> open() const {
    return ReviewStore::open(path(), [](const std::string&) {}).value();
  }

  std::filesystem::path folder_;
  GameHead game_{"Morphy, Paul", "Duke \"Karl\"; DROP TABLE reviews", "1-0", "1858", "Opera", 33};
};

TEST_F(ReviewStoreTest, KeepsReviewsBetweenRuns) {
  std::string id;
  {
    const auto reviews = open();
    const auto saved = reviews->add({"1. e4 *", game_, 18});
    ASSERT_TRUE(saved);
    id = saved->id;
    reviews->finish(id, {"evidence 1\n", "Stockfish", 97.9, std::nullopt});
  }
  const auto reviews = open();
  const auto found = reviews->find(id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, ReviewState::complete);
  EXPECT_EQ(found->game.black, game_.black);
  EXPECT_EQ(found->game.plies, 33U);
  EXPECT_EQ(found->white_accuracy, 97.9);
  EXPECT_EQ(found->black_accuracy, std::nullopt);
  EXPECT_EQ(reviews->pgn(id), "1. e4 *");
  EXPECT_EQ(reviews->evidence(id), "evidence 1\n");
  EXPECT_TRUE(reviews->remove(id));
  EXPECT_FALSE(reviews->remove(id));
  EXPECT_FALSE(reviews->find(id));
}

TEST_F(ReviewStoreTest, ListsTheNewestFirstAndKnowsWhatIsUnfinished) {
  const auto reviews = open();
  const std::string first = reviews->add({"a", game_, 10}).value().id;
  const std::string second = reviews->add({"b", game_, 10}).value().id;
  const std::string third = reviews->add({"c", game_, 10}).value().id;
  reviews->set_state(first, ReviewState::running, "");
  reviews->set_state(second, ReviewState::failed, "no engine");
  EXPECT_EQ(reviews->unfinished(), (std::vector{first, third}));
  const auto list = reviews->list({.most = 2})->reviews;
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].id, third);
  EXPECT_EQ(list[1].problem, "no engine");
  EXPECT_EQ(reviews->list({})->total, 3U);
}

// What version 1 saved: a finished review as JSON, in which one position could have two scores.
TEST_F(ReviewStoreTest, CarriesOverReviewsOfTheVersionBefore) {
  std::filesystem::create_directories(folder_ / "below");
  {
    SQLite::Database db(path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec(
        "CREATE TABLE reviews (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created TEXT NOT "
        "NULL,"
        " state INTEGER NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, date TEXT NOT NULL,"
        " event TEXT NOT NULL, plies INTEGER NOT NULL, depth INTEGER NOT NULL, engine TEXT NOT NULL DEFAULT '',"
        " white_accuracy REAL, black_accuracy REAL, problem TEXT NOT NULL DEFAULT '', pgn TEXT NOT NULL,"
        " review TEXT NOT NULL DEFAULT '')");
    db.exec("CREATE TABLE exports (id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, name))");
    const auto add = [&](const char* id, int state, const std::string& review) {
      SQLite::Statement insert(db,
                               "INSERT INTO reviews (id, created, state, white, black, result, date, event, plies,"
                               " depth, pgn, review) VALUES (?, 'then', ?, 'A', 'B', '*', '', '', 2, 12, ?, ?)");
      insert.bind(1, id);
      insert.bind(2, state);
      insert.bind(3, "1. e4 a5 *");
      insert.bind(4, review);
      insert.exec();
    };
    add("old", 2, R"({"engine":{"source":"engine","name":"Stockfish 15.1","options":{"Hash":"64"},"limit":"depth 12",
      "lines":2},"human":{"name":"Postmortem-2","sha256":"ab","white_rating":1500,"black_rating":1600},"plies":[
      {"before":[{"cp":30,"depth":12,"nodes":9,"pv":["e2e4","e7e5"]}],"after":[{"cp":28,"depth":12,"pv":["e7e5"]}],
       "best":{"san":"e4","uci":"e2e4"},
       "human":{"probability":0.5,"likeliest":{"san":"d4","uci":"d2d4","probability":0.4}}},
      {"before":[{"cp":44,"depth":14,"pv":["c7c5"]}],"after":[{"mate":3,"depth":12,"pv":["d2d4"]}],
       "best":{"san":"c5","uci":"c7c5"}}]})");
    add("odd", 2, "{}");
    add("waiting", 0, "");
    db.exec("PRAGMA user_version=1");
  }
  const auto reviews = open();
  EXPECT_EQ(reviews->find("old")->state, ReviewState::complete);
  EXPECT_NE(reviews->find("old")->note.find("earlier version"), std::string::npos);
  EXPECT_EQ(reviews->find("odd")->state, ReviewState::cancelled) << "to be begun again";
  EXPECT_EQ(reviews->find("waiting")->state, ReviewState::waiting);
  const auto game = open_saved_game(*reviews, "old");
  ASSERT_TRUE(game);
  const SavedGame& old = **game;
  EXPECT_EQ(old.evidence.engine->name, "Stockfish 15.1");
  EXPECT_EQ(old.evidence.human->black_rating, 1600);
  EXPECT_EQ(old.evidence.positions[1].lines.front().score, score::WhiteScore(score::Centipawns{44})) << "the deeper";
  EXPECT_EQ(old.evidence.positions[1].limit, (engine::Limit{engine::Limit::Kind::depth, 14}));
  EXPECT_EQ(old.evidence.plies[0].human->probability, 0.5);
  for (const auto& ply : old.review().plies) EXPECT_TRUE(ply.verdicts);
}

TEST_F(ReviewStoreTest, SetsAFileAsideThatIsNone) {
  std::filesystem::create_directories(folder_ / "below");
  std::ofstream(path()) << std::string(4000, 'x');
  std::string warning;
  const auto reviews = ReviewStore::open(path(), [&](const std::string& sentence) { warning = sentence; });
  ASSERT_TRUE(reviews);
  EXPECT_NE(warning.find(path()), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path() + ".damaged"));
}

}  // namespace
}  // namespace pm::server
