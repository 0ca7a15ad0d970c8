#include "train/batch.h"

#include <algorithm>
#include <bit>

#include "train/winograd.h"

namespace pm::train {
namespace {

using torch::Tensor;

// Where a square of a position's board is among all of `positions`.
std::size_t board_index(std::size_t positions, std::size_t channel, std::size_t square, std::size_t position) {
  const std::size_t group = position / group_positions;
  return ((channel * (positions / group_positions) + group) * 64 + square) * group_positions +
         position % group_positions;
}

}  // namespace

Batch batch_of(const std::vector<Sample>& samples) {
  const std::size_t n = samples.size();
  std::size_t most = 0;
  for (const Sample& sample : samples) most = std::max(most, sample.slots.size());
  const auto columns = static_cast<std::int64_t>(n);
  const auto rows = static_cast<std::int64_t>(most);
  constexpr auto group = static_cast<std::int64_t>(group_positions);
  Batch batch{torch::zeros({static_cast<std::int64_t>(nn::own_planes), columns / group, 64, group}),
              torch::zeros({rows, columns}, torch::kLong),
              torch::zeros({rows, columns}, torch::kLong),
              torch::zeros({rows, columns}, torch::kLong),
              torch::full({rows, columns}, -1e9F),
              torch::zeros({rows, columns}),
              torch::zeros({columns, 3})};
  float* planes = batch.planes.data_ptr<float>();
  auto* slots = batch.slots.data_ptr<std::int64_t>();
  auto* from = batch.from.data_ptr<std::int64_t>();
  auto* to = batch.to.data_ptr<std::int64_t>();
  float* legal = batch.legal.data_ptr<float>();
  float* moves = batch.moves.data_ptr<float>();
  float* results = batch.results.data_ptr<float>();
  for (std::size_t i = 0; i < n; ++i) {
    const Sample& sample = samples[i];
    for (std::size_t p = 0; p < sample.planes.size(); ++p) {
      for (std::uint64_t left = sample.planes[p].mask; left != 0; left &= left - 1) {
        planes[board_index(n, p, static_cast<std::size_t>(std::countr_zero(left)), i)] = sample.planes[p].value;
      }
    }
    for (std::size_t m = 0; m < sample.slots.size(); ++m) {
      const auto index = [&](int channel, int square) {
        return static_cast<std::int64_t>(
            board_index(n, static_cast<std::size_t>(channel), static_cast<std::size_t>(square), i));
      };
      const nn::PolicySlot& slot = sample.slots[m];
      slots[m * n + i] = index(slot.plane, slot.from);
      from[m * n + i] = index(0, slot.from);
      to[m * n + i] = index(0, slot.to);
      legal[m * n + i] = 0;
      moves[m * n + i] = sample.moves[m];
    }
    results = std::copy(sample.results.begin(), sample.results.end(), results);
  }
  return batch;
}

Losses losses_of(Net& net, const Batch& batch, double softened) {
  const auto answers = net->forward(batch.planes, {batch.slots, batch.from, batch.to});
  const Tensor logits = answers.moves / softened + batch.legal;
  return {-(batch.moves * torch::log_softmax(logits, 0)).sum(0).mean(),
          -(batch.results * torch::log_softmax(answers.results, 1)).sum(1).mean(),
          (logits.argmax(0) == batch.moves.argmax(0)).to(torch::kFloat).mean()};
}

}  // namespace pm::train
