// Maia-3 against the figures of ONNX Runtime, on every instruction set that runs here, and as a model among others.
#include "human/maia3.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "base/shared_data.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "human/models.h"
#include "nn/transformer.h"

namespace pm::human {
namespace {

using Json = nlohmann::json;

chess::PositionHistory history_in(const Json& record) {
  const std::string start = record["start"];
  chess::PositionHistory history(chess::parse_fen(start == "startpos" ? std::string(chess::start_fen) : start).value());
  for (const std::string move : record["moves"]) history.play(chess::parse_uci(history.newest(), move).value());
  return history;
}

std::string file_bytes(const std::string& path) { return read_file(path, std::size_t{1} << 30U).value(); }

TEST(Maia3Golden, PoliciesAndValuesAreTheReferences) {
  const auto graph = shared_data("maia3/maia3-5m.onnx");
  const auto golden = shared_data("golden/maia3.json");
  if (!graph || !golden) GTEST_SKIP() << no_shared_data;
  const std::string graph_bytes = file_bytes(*graph);
  const std::string data_bytes = file_bytes(*graph + ".data");
  const auto weights = nn::parse_maia3(graph_bytes, data_bytes);
  ASSERT_TRUE(weights) << weights.error().sentence;
  const Json all = Json::parse(std::ifstream(*golden));
  ASSERT_EQ(all["records"].size(), 246U);
  for (const nn::Kernels* kernels : nn::usable_kernels()) {
    const nn::Maia3Network network(*weights, *kernels);
    const bool rounded = kernels->multiply_bfloat != nullptr;
    const double most_move = rounded ? 5e-3 : 5e-4;
    const double most_value = rounded ? 5e-3 : 1e-3;
    double worst_move = 0;
    double worst_value = 0;
    for (const Json& record : all["records"]) {
      const chess::PositionHistory history = history_in(record);
      const chess::MoveList moves = chess::legal_moves(history.newest());
      const nn::Maia3Squares squares = nn::encode_maia3(history, network.boards());
      std::vector<nn::Maia3Move> slots;
      slots.reserve(moves.size());
      for (const chess::Move m : moves) slots.push_back(nn::maia3_move(m, history.newest().side_to_move()));
      const nn::Maia3Input input{&squares, record["self_elo"], record["oppo_elo"], slots};
      nn::NetworkOutput output;
      network.run({&input, 1}, true, {&output, 1});
      double sum = 0;
      for (const float logit : output.logits) sum += std::exp(static_cast<double>(logit));
      ASSERT_EQ(record["policy"].size(), moves.size());
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const double expected = record["policy"].at(chess::format_uci(moves[i]));
        const double difference = std::abs(std::exp(static_cast<double>(output.logits[i])) / sum - expected);
        ASSERT_LT(difference, most_move) << kernels->name << ' ' << chess::format_uci(moves[i]);
        worst_move = std::max(worst_move, difference);
      }
      for (std::size_t r = 0; r < 3; ++r) {
        const double difference = std::abs(output.wdl[2 - r] - record["value"][r].get<double>());
        ASSERT_LT(difference, most_value) << kernels->name;
        worst_value = std::max(worst_value, difference);
      }
    }
    std::cout << kernels->name << ": " << 100 * worst_move << " percentage points, " << worst_value << " of value\n";
  }
}

// Bit for bit, whatever else is in the batch and however many threads there are.
TEST(Maia3Golden, ABatchGivesWhatItsPositionsGive) {
  const auto graph = shared_data("maia3/maia3-5m.onnx");
  if (!graph) GTEST_SKIP() << no_shared_data;
  const auto model = open_model({*graph, 2});
  ASSERT_TRUE(model) << model.error().sentence;
  EXPECT_EQ((*model)->identity().name, "Maia-3");
  EXPECT_EQ((*model)->identity().ratings.lowest(), 600);
  EXPECT_EQ((*model)->identity().ratings.highest(), 2600);
  std::vector<Query> queries;
  chess::PositionHistory history(chess::Position::start());
  for (const char* move : {"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"}) {
    queries.push_back({history, 800 + 200 * static_cast<int>(queries.size()), 1500});
    history.play(chess::parse_uci(history.newest(), move).value());
  }
  const auto together = (*model)->predict(queries, Want::moves_and_result);
  ASSERT_TRUE(together) << together.error().sentence;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto alone = (*model)->predict({&queries[i], 1}, Want::moves_and_result);
    ASSERT_TRUE(alone);
    EXPECT_EQ((*alone)[0].result.win, (*together)[i].result.win) << i;
    for (std::size_t m = 0; m < (*alone)[0].moves.size(); ++m) {
      EXPECT_EQ((*alone)[0].moves[m].probability, (*together)[i].moves[m].probability) << i;
    }
  }
  const Query outside{history, 599, 1500};
  EXPECT_EQ((*model)->predict({&outside, 1}, Want::moves).error().sentence,
            "Maia-3 covers ratings from 600 to 2600, not 599");
}

class Maia3Folder : public testing::Test {
 protected:
  Maia3Folder() { std::filesystem::create_directories(folder_); }
  ~Maia3Folder() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "postmortem_maia3";
};

TEST_F(Maia3Folder, NamesTheFileThatIsDamaged) {
  const std::string path = (folder_ / "maia3-5m.onnx").string();
  std::ofstream(path) << "rubbish";
  for (const std::string& where : {path, folder_.string()}) {
    const auto model = open_model({where, 1});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().sentence, path + ": model: expected an ONNX file, found something else or its beginning");
  }
}

TEST_F(Maia3Folder, SaysWhatWasLookedFor) {
  const auto model = open_model({folder_.string(), 1});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::weights_missing);
  EXPECT_NE(model.error().sentence.find("maia3"), std::string::npos) << model.error().sentence;
}

}  // namespace
}  // namespace pm::human
