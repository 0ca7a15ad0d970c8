#include "human/postmortem_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "chess/fen.h"
#include "chess/uci.h"
#include "human/built_in.h"
#include "human/models.h"
#include "nn/half.h"
#include "nn/network_file.h"
#include "nn/planes.h"
#include "nn/policy_map.h"

namespace pm::human {
namespace {

TEST(Half, ReadsBackWhatItWrote) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = nn::half_to_float(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(nn::float_to_half(value), bits) << value;
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(0.1F)), 0.0999755859375F);
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(2049)), 2048);
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(2051)), 2052);
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(65519)), 65504);
  EXPECT_TRUE(std::isinf(nn::half_to_float(nn::float_to_half(65520))));
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(0x1p-25F)), 0);
  EXPECT_EQ(nn::half_to_float(nn::float_to_half(-0x1.8p-25F)), -0x1p-24F);
  EXPECT_TRUE(std::isnan(nn::half_to_float(nn::float_to_half(NAN))));
}

nn::Layer random_layer(std::mt19937& random, std::size_t weights, std::size_t biases) {
  std::uniform_real_distribution<float> number(-0.2F, 0.2F);
  nn::Layer layer;
  for (std::size_t i = 0; i < weights; ++i) layer.weights.push_back(number(random));
  for (std::size_t i = 0; i < biases; ++i) layer.biases.push_back(number(random));
  return layer;
}

nn::OwnNetwork small_network(std::size_t blocks = 2) {
  constexpr std::size_t channels = 6;
  std::mt19937 random(7);
  nn::OwnNetwork network{"Postmortem test", 1100, 1900, {}};
  nn::Weights& w = network.weights;
  w.planes = nn::own_planes;
  w.channels = channels;
  w.input = random_layer(random, channels * nn::own_planes * 9, channels);
  for (std::size_t i = 0; i < blocks; ++i) {
    w.blocks.push_back({random_layer(random, channels * channels * 9, channels),
                        random_layer(random, channels * channels * 9, channels), random_layer(random, 2 * channels, 2),
                        random_layer(random, 2 * channels * 2, 2 * channels)});
  }
  w.policy1 = random_layer(random, channels * channels * 9, channels);
  w.policy2 = random_layer(random, nn::policy_planes * channels * 9, nn::policy_planes);
  w.pairing = random_layer(random, channels * channels, channels);
  w.value1 = random_layer(random, 3 * channels, 3);
  w.value2 = random_layer(random, std::size_t{5} * 3 * 64, 5);
  w.value3 = random_layer(random, std::size_t{3} * 5, 3);
  return network;
}

TEST(NetworkFile, ReadsBackWhatItWrote) {
  const std::string bytes = nn::format_network(small_network());
  const auto read = nn::parse_network(bytes);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_EQ(read->name, "Postmortem test");
  EXPECT_EQ(read->lowest_rating, 1100);
  EXPECT_EQ(read->highest_rating, 1900);
  EXPECT_EQ(nn::format_network(*read), bytes);
  EXPECT_NEAR(read->weights.value3.weights.back(), small_network().weights.value3.weights.back(), 1e-4);
}

TEST(NetworkFile, RefusesEveryDamage) {
  const std::string good = nn::format_network(small_network(1));
  for (std::size_t size = 0; size < good.size(); size += 97)
    EXPECT_FALSE(nn::parse_network(good.substr(0, size))) << size;
  for (std::size_t at = 0; at < good.size(); at += 101) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    EXPECT_FALSE(nn::parse_network(bad)) << at;
  }
  EXPECT_FALSE(nn::parse_network(good + "x"));
  EXPECT_EQ(nn::parse_network("Pawn to king four, and so on; long enough to be looked at.").error().sentence,
            "expected a file that begins with PMHUMAN");
}

TEST(NetworkFile, SaysWhenItIsNewer) {
  std::string newer = nn::format_network(small_network(1));
  newer[8] = 4;
  EXPECT_EQ(nn::parse_network(newer).error().sentence, "version: expected 3, found 4; a newer program reads it");
  newer[8] = 2;
  EXPECT_EQ(nn::parse_network(newer).error().sentence, "version: expected 3, found 2; it is too old");
}

// A correct sum over wrong contents: the lengths are still not believed.
TEST(NetworkFile, ChecksTheShape) {
  nn::OwnNetwork odd = small_network(1);
  odd.weights.value2.weights.pop_back();
  EXPECT_NE(nn::parse_network(nn::format_network(odd)).error().sentence.find("weights: expected"), std::string::npos);
  odd = small_network(1);
  odd.weights.channels = 300;
  EXPECT_EQ(nn::parse_network(nn::format_network(odd)).error().sentence, "channels: expected 1 to 256, found 300");
  odd = small_network(1);
  odd.weights.input.weights[5] = INFINITY;
  EXPECT_EQ(nn::parse_network(nn::format_network(odd)).error().sentence, "weights: expected finite numbers");
  odd = small_network(1);
  odd.name = "";
  EXPECT_FALSE(nn::parse_network(nn::format_network(odd)));
}

TEST(PostmortemModel, IsToldBothRatings) {
  const auto model = open_postmortem_model(nn::format_network(small_network()), 2).value();
  EXPECT_EQ(model->identity().name, "Postmortem test");
  EXPECT_EQ(model->identity().ratings.lowest(), 1100);
  EXPECT_EQ(model->identity().ratings.steps.size(), 9U);
  const chess::PositionHistory start(chess::Position::start());
  const auto answers =
      model
          ->predict(
              std::vector<Query>{{start, 1500, 1500}, {start, 1900, 1500}, {start, 1500, 1900}, {start, 1500, 1500}},
              Want::moves_and_result)
          .value();
  for (const Prediction& answer : answers) {
    double sum = 0;
    for (const MoveProbability& move : answer.moves) sum += move.probability;
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(answer.result.win + answer.result.draw + answer.result.loss, 1, 1e-6);
    EXPECT_EQ(answer.moves.size(), 20U);
  }
  EXPECT_NE(answers[0].moves[0].probability, answers[1].moves[0].probability);
  EXPECT_NE(answers[0].moves[0].probability, answers[2].moves[0].probability);
  EXPECT_EQ(answers[0].moves[0].probability, answers[3].moves[0].probability);
}

TEST(PostmortemModel, RefusesRatingsItWasNotMadeFor) {
  const auto model = open_postmortem_model(nn::format_network(small_network()), 1).value();
  const chess::PositionHistory start(chess::Position::start());
  const auto answer = model->predict(std::vector<Query>{{start, 1500, 2000}}, Want::moves);
  EXPECT_EQ(answer.error().sentence, "Postmortem test covers ratings from 1100 to 1900, not 2000");
}

TEST(BuiltIn, IsTheFileInTheRepository) {
  std::ifstream file(std::string(POSTMORTEM_SOURCE_DIR) + "/models/postmortem-2.net", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(built_in_network() == bytes);
  EXPECT_LE(bytes.size(), 4'000'000U);
  std::ifstream sums(std::string(POSTMORTEM_SOURCE_DIR) + "/models/SHA256SUMS");
  std::string sum;
  sums >> sum;
  const auto model = open_model({built_in, 1});
  ASSERT_TRUE(model) << model.error().sentence;
  EXPECT_EQ((*model)->identity().sha256, sum);
  EXPECT_EQ((*model)->identity().name, "Postmortem-2");
  EXPECT_TRUE((*model)->identity().files.empty());
}

// What everybody knows of people, as a check that it is a model of them at all.
TEST(BuiltIn, KnowsWhatPeoplePlay) {
  const auto model = open_model({built_in, 1}).value();
  const auto probability = [&](const chess::PositionHistory& history, std::string_view move, int rating) {
    const std::vector<Query> query{{history, rating, rating}};
    const auto answer = model->predict(query, Want::moves).value();
    for (const MoveProbability& each : answer[0].moves) {
      if (chess::format_uci(each.move) == move) return each.probability;
    }
    return 0.0;
  };
  const chess::PositionHistory start(chess::Position::start());
  EXPECT_GT(probability(start, "e2e4", 1500), 0.4);
  EXPECT_LT(probability(start, "a2a3", 1500), 0.05);
  // A queen to be taken for nothing, a pawn to be taken back, and the scholar's mate.
  EXPECT_GT(
      probability(chess::PositionHistory(chess::parse_fen("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1").value()), "c3d5", 1500),
      0.7);
  const auto after = [&](const std::vector<const char*>& moves) {
    chess::PositionHistory history = start;
    for (const char* move : moves) history.play(chess::parse_uci(history.newest(), move).value());
    return history;
  };
  EXPECT_GT(probability(after({"e2e4", "d7d5", "e4d5"}), "d8d5", 1500), 0.5);
  EXPECT_GT(probability(after({"e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"}), "h5f7", 1500), 0.5);
}

}  // namespace
}  // namespace pm::human
