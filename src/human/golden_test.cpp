// The published Maia-1 networks against the reference implementation's figures, on every instruction set that runs
// here.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "human/leela_file.h"
#include "human/maia.h"
#include "human/network.h"

namespace pm::human {
namespace {

using Json = nlohmann::json;

Json read_json(const std::string& path) { return Json::parse(std::ifstream(path)); }

Trail trail_of(const Json& record) {
  const std::string start = record["start"];
  Trail trail(chess::parse_fen(start == "startpos" ? std::string(chess::start_fen) : start).value());
  for (const std::string move : record["moves"]) trail.play(chess::parse_uci(trail.newest(), move).value());
  return trail;
}

TEST(MaiaGolden, PlanesAreTheReferencesBitForBit) {
  const auto planes_path = shared_data("golden/maia1-planes.json");
  const auto records_path = shared_data("golden/maia1.json");
  if (!planes_path || !records_path) GTEST_SKIP() << no_shared_data;
  const Json golden = read_json(*planes_path)["planes"];
  const Json records = read_json(*records_path)["records"];
  std::map<std::string, Trail> trails;
  for (const Json& record : records) trails.try_emplace(record["id"], trail_of(record));
  ASSERT_GE(golden.size(), 80U);
  for (const auto& [id, planes] : golden.items()) {
    ASSERT_TRUE(trails.contains(id)) << id;
    ASSERT_EQ(planes.size(), plane_count);
    const Planes ours = encode_planes(trails.at(id));
    for (std::size_t p = 0; p < plane_count; ++p) {
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

TEST(MaiaGolden, PoliciesAndValuesAreTheReferences) {
  const auto records_path = shared_data("golden/maia1.json");
  const auto networks_path = shared_data("maia1");
  if (!records_path || !networks_path) GTEST_SKIP() << no_shared_data;
  std::map<std::string, std::vector<Json>> by_network;
  const Json all = read_json(*records_path);
  for (const Json& record : all["records"]) by_network[record["net"]].push_back(record);
  ASSERT_EQ(by_network.size(), 9U);
  double worst_policy = 0;
  double worst_value = 0;
  for (const auto& [name, records] : by_network) {
    std::ifstream file(*networks_path + "/" + name + ".pb.gz", std::ios::binary);
    const auto weights = parse_leela(std::string{std::istreambuf_iterator<char>(file), {}});
    ASSERT_TRUE(weights) << weights.error().sentence;
    for (const Kernels* kernels : usable_kernels()) {
      const Network network(*weights, *kernels);
      for (const Json& record : records) {
        const std::string id = record["id"];
        SCOPED_TRACE(fmt::format("{} {} {}", name, id, kernels->name));
        const Trail trail = trail_of(record);
        const chess::Position& position = trail.newest();
        const Planes planes = encode_planes(trail);
        const chess::MoveList moves = chess::legal_moves(position);
        std::vector<PolicySlot> slots;
        for (const chess::Move m : moves) slots.push_back(policy_slot(m, position.side_to_move()));
        const NetworkInput input{&planes, slots};
        NetworkOutput output;
        network.run({&input, 1}, true, {&output, 1});
        double sum = 0;
        for (const float logit : output.logits) sum += std::exp(static_cast<double>(logit));
        ASSERT_EQ(record["policy_pct"].size(), moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) {
          const double percent = 100 * std::exp(static_cast<double>(output.logits[i])) / sum;
          const double expected = record["policy_pct"].at(chess::format_uci(moves[i]));
          ASSERT_NEAR(percent, expected, 0.01) << chess::format_uci(moves[i]);
          worst_policy = std::max(worst_policy, std::abs(percent - expected));
        }
        for (std::size_t r = 0; r < 3; ++r) {
          const double expected = record["wdl"][r];
          ASSERT_NEAR(output.wdl[r], expected, 1e-4);
          worst_value = std::max(worst_value, std::abs(output.wdl[r] - expected));
        }
      }
    }
  }
  std::cout << "largest differences: " << worst_policy << " percentage points, " << worst_value << " of value\n";
}

TEST(MaiaGolden, AFamilyBlendsNeighboursAndNamesItsRange) {
  const auto folder = shared_data("maia1");
  if (!folder) GTEST_SKIP() << no_shared_data;
  const auto model = open_maia(find_maia_files(*folder), 2);
  ASSERT_TRUE(model) << model.error().sentence;
  EXPECT_EQ((*model)->identity().levels, (std::vector{1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2200}));
  const Trail start(chess::Position::start());
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
