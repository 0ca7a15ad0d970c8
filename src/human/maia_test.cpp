// The family's own work (finding files, blending, threads, errors, cache) on small networks of random numbers.
#include "human/maia.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "chess/movegen.h"
#include "human/cached_model.h"
#include "human/fake_model.h"
#include "human/models.h"
#include "nn/tiny_network.h"

namespace pm::human {
namespace {

class MaiaFamily : public testing::Test {
 protected:
  MaiaFamily() : folder_(std::filesystem::path(testing::TempDir()) / ("models_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~MaiaFamily() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  void write_level(int level) const {
    const auto network = nn::tiny::Maker(static_cast<unsigned>(level)).make(8, 1, 2, 2, 4);
    write("maia-" + std::to_string(level) + ".pb.gz", nn::tiny::packed(nn::tiny::written(network)));
  }
  std::shared_ptr<HumanModel> open(int threads) const {
    auto model = open_model({folder_.string(), threads});
    EXPECT_TRUE(model) << model.error().sentence;
    return *model;
  }

  std::filesystem::path folder_;
};

std::vector<Query> some_queries(std::size_t count) {
  std::mt19937 random(11);
  std::vector<Query> queries;
  chess::PositionHistory history(chess::Position::start());
  while (queries.size() < count) {
    const chess::MoveList moves = chess::legal_moves(history.newest());
    if (moves.empty()) {
      history = chess::PositionHistory(chess::Position::start());
      continue;
    }
    queries.push_back({history, 1100 + static_cast<int>(random() % 801), 1500});
    history.play(moves[random() % moves.size()]);
  }
  return queries;
}

bool same(const Prediction& a, const Prediction& b) {
  if (a.moves.size() != b.moves.size()) return false;
  for (std::size_t i = 0; i < a.moves.size(); ++i) {
    if (a.moves[i].move != b.moves[i].move || a.moves[i].probability != b.moves[i].probability) return false;
  }
  return a.result.win == b.result.win && a.result.draw == b.result.draw && a.result.loss == b.result.loss;
}

TEST_F(MaiaFamily, FindsItsFilesByName) {
  write_level(1900);
  write_level(1100);
  write("maia-best.pb.gz", "");
  write("maia-01100.pb.gz", "");
  write("maia-1500.pb", "");
  write("README", "");
  const auto files = find_maia_files(folder_.string());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].level, 1100);
  EXPECT_EQ(files[1].level, 1900);
  EXPECT_TRUE(find_maia_files((folder_ / "nowhere").string()).empty());
}

TEST_F(MaiaFamily, AnswersTheSameToTheLastBitWhateverTheBatchAndTheThreads) {
  for (const int level : {1100, 1500, 1900}) write_level(level);
  const auto queries = some_queries(40);
  const auto one = open(1);
  std::vector<Prediction> expected;
  expected.reserve(queries.size());
  for (const Query& query : queries) expected.push_back((*one->predict({&query, 1}, Want::moves_and_result))[0]);
  for (const int threads : {1, 2, 3, 7}) {
    const auto model = open(threads);
    for (const std::size_t batch : {std::size_t{2}, std::size_t{7}, std::size_t{40}}) {
      for (std::size_t begin = 0; begin < queries.size(); begin += batch) {
        const std::size_t now = std::min(batch, queries.size() - begin);
        const auto found = model->predict(std::span(queries).subspan(begin, now), Want::moves_and_result);
        ASSERT_TRUE(found);
        for (std::size_t i = 0; i < now; ++i) EXPECT_TRUE(same((*found)[i], expected[begin + i])) << begin + i;
      }
    }
  }
}

TEST_F(MaiaFamily, AddsUpToOneAlsoBetweenLevels) {
  for (const int level : {1100, 1900}) write_level(level);
  const auto model = open(2);
  const auto queries = some_queries(20);
  const auto found = model->predict(queries, Want::moves_and_result);
  ASSERT_TRUE(found);
  for (const Prediction& p : *found) {
    double sum = 0;
    for (const MoveProbability& m : p.moves) sum += m.probability;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_NEAR(p.result.win + p.result.draw + p.result.loss, 1, 1e-6);
  }
}

TEST_F(MaiaFamily, HasNoMoveForAPositionWithoutAny) {
  write_level(1500);
  chess::PositionHistory mate(chess::Position::start());
  for (const auto& [from, to] : {std::pair{chess::Square::f2, chess::Square::f3},
                                 {chess::Square::e7, chess::Square::e5},
                                 {chess::Square::g2, chess::Square::g4},
                                 {chess::Square::d8, chess::Square::h4}}) {
    mate.play(chess::Move::plain(from, to));
  }
  const auto found = open(1)->predict(std::vector<Query>{{mate, 1500, 1500}}, Want::moves_and_result);
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)[0].moves.empty());
}

TEST_F(MaiaFamily, NamesTheFileThatIsBad) {
  write_level(1100);
  write("maia-1200.pb.gz", "not a network");
  const auto model = open(1);
  EXPECT_TRUE(
      model->predict(std::vector<Query>{{chess::PositionHistory(chess::Position::start()), 1100, 1100}}, Want::moves));
  const auto bad =
      model->predict(std::vector<Query>{{chess::PositionHistory(chess::Position::start()), 1150, 1100}}, Want::moves);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().sentence,
            (folder_ / "maia-1200.pb.gz").string() + ": file: expected gzip data, found something else");
}

TEST_F(MaiaFamily, IsNamedByWhatIsInItsFiles) {
  write_level(1100);
  write_level(1200);
  const std::string before = open(1)->identity().sha256;
  EXPECT_EQ(before.size(), 64U);
  EXPECT_EQ(open(2)->identity().sha256, before);
  write("maia-1200.pb.gz", "something else");
  EXPECT_NE(open(1)->identity().sha256, before);
}

TEST_F(MaiaFamily, SaysWhatIsMissingAndWhereItComesFrom) {
  const auto model = open_model({(folder_ / "empty").string(), 1});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::weights_missing);
  EXPECT_NE(model.error().sentence.find((folder_ / "empty").string()), std::string::npos);
  EXPECT_NE(model.error().sentence.find("https://github.com/CSSLab/maia-chess"), std::string::npos);
}

TEST_F(MaiaFamily, IsFoundThroughTheEnvironment) {
  write_level(1500);
  ::setenv("POSTMORTEM_MODELS", folder_.c_str(), 1);
  const auto model = open_model({});
  ::unsetenv("POSTMORTEM_MODELS");
  ASSERT_TRUE(model) << model.error().sentence;
  EXPECT_EQ((*model)->identity().ratings.steps, std::vector{1500});
}

TEST_F(MaiaFamily, IsFoundInTheUsersFolderBeforeTheBuiltInOne) {
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  ::setenv("HOME", folder_.c_str(), 1);
  const auto without = open_model({});
  std::filesystem::create_directories(folder_ / ".local/share/postmortem/models");
  write(".local/share/postmortem/models/maia-1500.pb.gz", "not looked at yet");
  const auto with = open_model({});
  const auto asked_for = open_model({built_in, 1});
  ::setenv("HOME", home.c_str(), 1);
  ASSERT_TRUE(without && with && asked_for);
  EXPECT_EQ((*without)->identity().name, "Postmortem-2");
  EXPECT_EQ((*with)->identity().name, "Maia-1");
  EXPECT_EQ((*asked_for)->identity().name, "Postmortem-2");
}

TEST(CachedModel, AsksOnceForEachHistoryAndRating) {
  const auto fake = std::make_shared<FakeModel>();
  CachedModel cached(fake);
  const auto queries = some_queries(10);
  const auto first = cached.predict(queries, Want::moves);
  const auto second = cached.predict(queries, Want::moves);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(fake->asked, 10U);
  for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_TRUE(same((*first)[i], (*second)[i]));
  std::vector<Query> stronger = queries;
  for (Query& query : stronger) query.rating = 1900;
  ASSERT_TRUE(cached.predict(stronger, Want::moves));
  EXPECT_EQ(fake->asked, 20U);
  EXPECT_EQ(cached.counts().found, 10U);
}

TEST(CachedModel, AsksAgainForAResultItDoesNotHaveYet) {
  const auto fake = std::make_shared<FakeModel>();
  CachedModel cached(fake);
  const auto queries = some_queries(1);
  ASSERT_TRUE(cached.predict(queries, Want::moves));
  const auto with_result = cached.predict(queries, Want::moves_and_result);
  EXPECT_EQ((*with_result)[0].result.win, 1.0 / 3);
  EXPECT_EQ(fake->asked, 2U);
  EXPECT_EQ((*cached.predict(queries, Want::moves))[0].result.win, 0);
  EXPECT_EQ(fake->asked, 2U);
}

TEST(CachedModel, ForgetsWhatWasNotAskedForLately) {
  const auto fake = std::make_shared<FakeModel>();
  CachedModel cached(fake, 8);
  const auto queries = some_queries(30);
  const auto ask = [&](std::size_t i) { ASSERT_TRUE(cached.predict(std::span(queries).subspan(i, 1), Want::moves)); };
  for (std::size_t i = 0; i < 30; ++i) {
    ask(i);
    ask(0);  // always wanted, never forgotten
  }
  EXPECT_EQ(fake->asked, 30U);
  ask(1);
  EXPECT_EQ(fake->asked, 31U);
}

}  // namespace
}  // namespace pm::human
