#include "nn/network.h"

#include <gtest/gtest.h>

#include <thread>

#include "chess/movegen.h"
#include "nn/leela_file.h"
#include "nn/tiny_network.h"

namespace pm::nn {
namespace {

// A game of random legal moves: boards of every sort, repetitions and clocks included.
std::vector<chess::PositionHistory> random_game(unsigned seed, int plies) {
  std::mt19937 random(seed);
  std::vector<chess::PositionHistory> histories{chess::PositionHistory(chess::Position::start())};
  for (int i = 0; i < plies; ++i) {
    const chess::MoveList moves = chess::legal_moves(histories.back().newest());
    if (moves.empty()) break;
    chess::PositionHistory next = histories.back();
    next.play(moves[random() % moves.size()]);
    histories.push_back(next);
  }
  return histories;
}

struct Question {
  Planes planes;
  std::vector<PolicySlot> slots;
};

std::vector<Question> questions(const std::vector<chess::PositionHistory>& histories) {
  std::vector<Question> all;
  for (const chess::PositionHistory& history : histories) {
    Question q{encode_planes(history), {}};
    for (const chess::Move m : chess::legal_moves(history.newest())) {
      q.slots.push_back(policy_slot(m, history.newest().side_to_move()));
    }
    all.push_back(std::move(q));
  }
  return all;
}

std::vector<NetworkInput> inputs_of(const std::vector<Question>& all) {
  std::vector<NetworkInput> inputs;
  inputs.reserve(all.size());
  for (const Question& q : all) inputs.push_back({&q.planes, q.slots});
  return inputs;
}

struct Shape {
  std::size_t channels, blocks, squeezed, value_planes, hidden;
};

class NetworkShapes : public testing::TestWithParam<Shape> {};

TEST_P(NetworkShapes, AnswerLikeThePlainWayInDoublePrecisionOnEveryInstructionSet) {
  const Shape s = GetParam();
  const tiny::Network tiny = tiny::Maker(7).make(s.channels, s.blocks, s.squeezed, s.value_planes, s.hidden);
  const auto weights = parse_leela(tiny::packed(tiny::written(tiny)));
  ASSERT_TRUE(weights) << weights.error().sentence;
  const auto all = questions(random_game(s.channels, 12));
  const auto inputs = inputs_of(all);
  std::vector<tiny::Answer> plain;
  plain.reserve(all.size());
  for (const Question& q : all) plain.push_back(tiny::run(tiny, q.planes));
  for (const Kernels* kernels : usable_kernels()) {
    SCOPED_TRACE(kernels->name);
    const Network network(*weights, *kernels);
    std::vector<NetworkOutput> outputs(inputs.size());
    network.run(inputs, true, outputs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(outputs[i].logits.size(), all[i].slots.size());
      for (std::size_t m = 0; m < all[i].slots.size(); ++m) {
        const PolicySlot slot = all[i].slots[m];
        const double expected =
            plain[i].policy[static_cast<std::size_t>(slot.plane)][static_cast<std::size_t>(slot.from)];
        EXPECT_NEAR(outputs[i].logits[m], expected, 2e-4 * std::max(1.0, std::abs(expected)));
      }
      for (std::size_t r = 0; r < 3; ++r) EXPECT_NEAR(outputs[i].wdl[r], plain[i].wdl[r], 1e-4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkShapes,
                         testing::Values(Shape{5, 1, 2, 3, 7}, Shape{16, 2, 4, 8, 16}, Shape{24, 1, 1, 1, 1},
                                         Shape{48, 2, 8, 20, 33}),
                         [](const auto& info) { return std::to_string(info.param.channels) + "Channels"; });

TEST(Network, GivesABatchBitForBitWhatItsPositionsGiveOneByOne) {
  const tiny::Network tiny = tiny::Maker(1).make(32, 2, 4, 8, 32);
  const auto weights = parse_leela(tiny::packed(tiny::written(tiny)));
  ASSERT_TRUE(weights) << weights.error().sentence;
  const auto all = questions(random_game(3, 25));
  const auto inputs = inputs_of(all);
  for (const Kernels* kernels : usable_kernels()) {
    SCOPED_TRACE(kernels->name);
    const Network network(*weights, *kernels);
    std::vector<NetworkOutput> single(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      network.run(std::span(inputs).subspan(i, 1), true, std::span(single).subspan(i, 1));
    }
    for (std::size_t batch = 2; batch <= inputs.size(); ++batch) {
      std::vector<NetworkOutput> together(batch);
      network.run(std::span(inputs).first(batch), true, together);
      for (std::size_t i = 0; i < batch; ++i) {
        ASSERT_EQ(together[i].logits, single[i].logits) << "position " << i << " of " << batch;
        ASSERT_EQ(together[i].wdl, single[i].wdl) << "position " << i << " of " << batch;
      }
    }
  }
}

TEST(Network, RunsOnManyThreadsAtOnce) {
  const tiny::Network tiny = tiny::Maker(2).make(16, 1, 2, 4, 8);
  const auto weights = parse_leela(tiny::packed(tiny::written(tiny)));
  ASSERT_TRUE(weights);
  const Network network(*weights);
  const auto all = questions(random_game(4, 20));
  const auto inputs = inputs_of(all);
  std::vector<NetworkOutput> expected(inputs.size());
  network.run(inputs, true, expected);
  std::vector<std::vector<NetworkOutput>> found(4, std::vector<NetworkOutput>(inputs.size()));
  {
    std::vector<std::jthread> threads;
    threads.reserve(found.size());
    for (auto& mine : found) {
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) network.run(inputs, true, mine);
      });
    }
  }
  for (const auto& mine : found) {
    for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(mine[i].logits, expected[i].logits);
  }
}

TEST(Network, LeavesTheResultOutWhenItIsNotAskedFor) {
  const tiny::Network tiny = tiny::Maker(2).make(16, 1, 2, 4, 8);
  const auto weights = parse_leela(tiny::packed(tiny::written(tiny)));
  ASSERT_TRUE(weights);
  const Network network(*weights);
  const auto all = questions({chess::PositionHistory(chess::Position::start())});
  std::vector<NetworkOutput> with(1);
  std::vector<NetworkOutput> without(1);
  network.run(inputs_of(all), true, with);
  network.run(inputs_of(all), false, without);
  EXPECT_EQ(with[0].logits, without[0].logits);
  EXPECT_EQ(without[0].wdl, (std::array<float, 3>{}));
}

}  // namespace
}  // namespace pm::nn
