// The published Maia-1 networks against the reference implementation's figures, and the built-in one against those of
// another framework (train/golden.cpp), on every instruction set that runs here.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "human/built_in.h"
#include "human/maia.h"
#include "nn/leela_file.h"
#include "nn/network.h"
#include "nn/network_file.h"

namespace pm::human {
namespace {

using Json = nlohmann::json;

Json read_json(const std::string& path) { return Json::parse(std::ifstream(path)); }

chess::PositionHistory history_of(const Json& record) {
  const std::string start = record.value("start", "startpos");
  chess::PositionHistory history(chess::parse_fen(start == "startpos" ? std::string(chess::start_fen) : start).value());
  for (const std::string move : record["moves"]) history.play(chess::parse_uci(history.newest(), move).value());
  return history;
}

TEST(MaiaGolden, PlanesAreTheReferencesBitForBit) {
  const auto planes_path = shared_data("golden/maia1-planes.json");
  const auto records_path = shared_data("golden/maia1.json");
  if (!planes_path || !records_path) GTEST_SKIP() << no_shared_data;
  const Json golden = read_json(*planes_path)["planes"];
  const Json records = read_json(*records_path)["records"];
  std::map<std::string, chess::PositionHistory> histories;
  for (const Json& record : records) histories.try_emplace(record["id"], history_of(record));
  ASSERT_GE(golden.size(), 80U);
  for (const auto& [id, planes] : golden.items()) {
    ASSERT_TRUE(histories.contains(id)) << id;
    ASSERT_EQ(planes.size(), nn::leela_planes);
    const nn::Planes ours = nn::encode_planes(histories.at(id));
    for (std::size_t p = 0; p < nn::leela_planes; ++p) {
      const std::uint64_t mask = std::stoull(planes[p][0].get<std::string>(), nullptr, 16);
      const float value = planes[p][1];
      for (std::size_t s = 0; s < 64; ++s) {
        const float theirs = ((mask >> s) & 1U) != 0 ? value : 0;
        const float mine = ((ours[p].mask >> s) & 1U) != 0 ? ours[p].value : 0;
        ASSERT_EQ(mine, theirs) << id << ", plane " << p << ", square " << s;
      }
    }
  }
}

// How far a network's answer is from the golden one: percentage points of the moves, and the value.
struct Differences {
  double policy = 0;
  double value = 0;
};

void compare(const nn::Network& network, const nn::Planes& planes, const chess::Position& position, const Json& record,
             Differences& worst) {
  const chess::MoveList moves = chess::legal_moves(position);
  std::vector<nn::PolicySlot> slots;
  for (const chess::Move m : moves) slots.push_back(nn::policy_slot(m, position.side_to_move()));
  const nn::NetworkInput input{&planes, slots};
  nn::NetworkOutput output;
  network.run({&input, 1}, true, {&output, 1});
  double sum = 0;
  for (const float logit : output.logits) sum += std::exp(static_cast<double>(logit));
  ASSERT_EQ(record["policy_pct"].size(), moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const double percent = 100 * std::exp(static_cast<double>(output.logits[i])) / sum;
    const double expected = record["policy_pct"].at(chess::format_uci(moves[i]));
    ASSERT_NEAR(percent, expected, 0.01) << chess::format_uci(moves[i]);
    worst.policy = std::max(worst.policy, std::abs(percent - expected));
  }
  for (std::size_t r = 0; r < 3; ++r) {
    const double expected = record["wdl"][r];
    ASSERT_NEAR(output.wdl[r], expected, 1e-4);
    worst.value = std::max(worst.value, std::abs(output.wdl[r] - expected));
  }
}

TEST(MaiaGolden, PoliciesAndValuesAreTheReferences) {
  const auto records_path = shared_data("golden/maia1.json");
  const auto networks_path = shared_data("maia1");
  if (!records_path || !networks_path) GTEST_SKIP() << no_shared_data;
  std::map<std::string, std::vector<Json>> by_network;
  const Json all = read_json(*records_path);
  for (const Json& record : all["records"]) by_network[record["net"]].push_back(record);
  ASSERT_EQ(by_network.size(), 9U);
  Differences worst;
  for (const auto& [name, records] : by_network) {
    std::ifstream file(*networks_path + "/" + name + ".pb.gz", std::ios::binary);
    const auto weights = nn::parse_leela(std::string{std::istreambuf_iterator<char>(file), {}});
    ASSERT_TRUE(weights) << weights.error().sentence;
    for (const nn::Kernels* kernels : nn::usable_kernels()) {
      const nn::Network network(*weights, *kernels);
      for (const Json& record : records) {
        const std::string id = record["id"];
        SCOPED_TRACE(fmt::format("{} {} {}", name, id, kernels->name));
        const chess::PositionHistory history = history_of(record);
        compare(network, nn::encode_planes(history), history.newest(), record, worst);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  std::cout << "largest differences: " << worst.policy << " percentage points, " << worst.value << " of value\n";
}

TEST(BuiltInGolden, PoliciesAndValuesAreAnotherFrameworks) {
  const auto own = nn::parse_network(built_in_network());
  ASSERT_TRUE(own) << own.error().sentence;
  const Json golden = read_json(std::string(POSTMORTEM_SOURCE_DIR) + "/models/postmortem-2.golden.json");
  ASSERT_GE(golden["records"].size(), 40U);
  Differences worst;
  for (const nn::Kernels* kernels : nn::usable_kernels()) {
    const nn::Network network(own->weights, *kernels);
    for (const Json& record : golden["records"]) {
      const chess::PositionHistory history = history_of(record);
      SCOPED_TRACE(fmt::format("{} {}", history.newest().move_number(), kernels->name));
      compare(network, nn::encode_planes(history, record["rating"], record["opponent_rating"]), history.newest(),
              record, worst);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  std::cout << "largest differences: " << worst.policy << " percentage points, " << worst.value << " of value\n";
}

TEST(MaiaGolden, AFamilyBlendsNeighboursAndNamesItsRange) {
  const auto folder = shared_data("maia1");
  if (!folder) GTEST_SKIP() << no_shared_data;
  const auto model = open_maia(find_maia_files(*folder), 2);
  ASSERT_TRUE(model) << model.error().sentence;
  EXPECT_EQ((*model)->identity().ratings.steps,
            (std::vector{1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2200}));
  const chess::PositionHistory start(chess::Position::start());
  const std::vector<Query> queries{{start, 1900, 1900}, {start, 2200, 2200}, {start, 1975, 1500}};
  const auto answers = (*model)->predict(queries, Want::moves_and_result);
  ASSERT_TRUE(answers) << answers.error().sentence;
  for (std::size_t i = 0; i < (*answers)[0].moves.size(); ++i) {
    const double blend = 0.75 * (*answers)[0].moves[i].probability + 0.25 * (*answers)[1].moves[i].probability;
    EXPECT_NEAR((*answers)[2].moves[i].probability, blend, 1e-12);
  }
  EXPECT_NEAR((*answers)[2].result.win, 0.75 * (*answers)[0].result.win + 0.25 * (*answers)[1].result.win, 1e-9);
  const auto outside = (*model)->predict(std::vector<Query>{{start, 1099, 1500}}, Want::moves);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().sentence, "Maia-1 covers ratings from 1100 to 2200, not 1099");
}

}  // namespace
}  // namespace pm::human
