// Learning: batches from the data, a step down the gradient for each, now and then a look at games that are not learnt
// from.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <numbers>
#include <thread>

#include <fmt/format.h>

#include "train/checkpoint.h"
#include "train/commands.h"
#include "train/data_file.h"
#include "train/net.h"
#include "train/samples.h"

namespace pm::train {
namespace {

using torch::Tensor;

constexpr std::size_t check_every = 100;      // every hundredth game is not learnt from but checked against
constexpr std::size_t most_checked = 20'000;  // positions
constexpr std::int64_t steps_between_checks = 1000;
constexpr double value_weight = 0.3;  // of the results in the loss
constexpr std::int64_t slots = 73 * 64;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Batch {
  Tensor planes;   // [n][112][8][8]
  Tensor legal;    // [n][slots]: 0 where there is a legal move, else minus a lot
  Tensor moves;    // [n][slots]: probabilities
  Tensor results;  // [n][3]
};

Batch batch_of(const std::vector<Sample>& samples) {
  const auto n = static_cast<std::int64_t>(samples.size());
  Batch batch{torch::zeros({n, static_cast<std::int64_t>(human::plane_count), 8, 8}), torch::full({n, slots}, -1e9F),
              torch::zeros({n, slots}), torch::zeros({n, 3})};
  float* planes = batch.planes.data_ptr<float>();
  float* legal = batch.legal.data_ptr<float>();
  float* moves = batch.moves.data_ptr<float>();
  float* results = batch.results.data_ptr<float>();
  for (const Sample& sample : samples) {
    for (const human::Plane& plane : sample.planes) {
      for (std::uint64_t left = plane.mask; left != 0; left &= left - 1) planes[std::countr_zero(left)] = plane.value;
      planes += 64;
    }
    for (std::size_t i = 0; i < sample.slots.size(); ++i) {
      legal[sample.slots[i]] = 0;
      moves[sample.slots[i]] = sample.moves[i];
    }
    legal += slots;
    moves += slots;
    results = std::copy(sample.results.begin(), sample.results.end(), results);
  }
  return batch;
}

struct Losses {
  Tensor moves;
  Tensor results;
  Tensor agreed;  // the likeliest move is the teacher's
};

Losses losses_of(Net& net, const Batch& batch) {
  const auto answers = net->forward(batch.planes);
  const Tensor logits = answers.moves + batch.legal;
  return {-(batch.moves * torch::log_softmax(logits, 1)).sum(1).mean(),
          -(batch.results * torch::log_softmax(answers.results, 1)).sum(1).mean(),
          (logits.argmax(1) == batch.moves.argmax(1)).to(torch::kFloat).mean()};
}

// Makes batches on a thread of its own, a few ahead.
class Loader {
 public:
  Loader(const std::vector<TaughtGame>& games, std::uint64_t seed, std::size_t batch)
      : samples_(games, seed), batch_(batch), thread_([this](const std::stop_token& stop) { work(stop); }) {}

  Batch next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ready_.empty(); });
    Batch batch = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return batch;
  }

 private:
  void work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::vector<Sample> some;
      for (std::size_t i = 0; i < batch_; ++i) some.push_back(samples_.next());
      Batch batch = batch_of(some);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return ready_.size() < 4; });
      ready_.push_back(std::move(batch));
      changed_.notify_all();
    }
  }

  Samples samples_;
  std::size_t batch_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Batch> ready_;
  std::jthread thread_;  // last: it uses everything above
};

struct Checked {
  double moves = 0;
  double results = 0;
  double agreed = 0;
};

Checked check(Net& net, const std::vector<Batch>& batches) {
  const torch::NoGradGuard no_gradients;
  net->eval();
  Checked sum;
  for (const Batch& batch : batches) {
    const Losses losses = losses_of(net, batch);
    sum.moves += losses.moves.item<double>();
    sum.results += losses.results.item<double>();
    sum.agreed += losses.agreed.item<double>();
  }
  net->train();
  const auto n = static_cast<double>(std::max<std::size_t>(1, batches.size()));
  return {sum.moves / n, sum.results / n, sum.agreed / n};
}

}  // namespace

Expected<void> train(const TrainCommand& command) {
  auto games = read_data(command.data);
  if (!games) return tl::make_unexpected(games.error());
  std::vector<TaughtGame> learnt;
  std::vector<Sample> kept;
  for (std::size_t i = 0; i < games->size(); ++i) {
    if (i % check_every == check_every - 1 && kept.size() < most_checked) {
      for (Sample& sample : all_samples((*games)[i])) kept.push_back(std::move(sample));
    } else if (!(*games)[i].plies.empty()) {
      learnt.push_back(std::move((*games)[i]));
    }
  }
  if (learnt.empty()) return fail(ErrorCode::bad_input, fmt::format("{}: no games", command.data));
  std::vector<Batch> checks;
  for (std::size_t i = 0; i < kept.size(); i += 512) {
    checks.push_back(batch_of({kept.begin() + static_cast<std::ptrdiff_t>(i),
                               kept.begin() + static_cast<std::ptrdiff_t>(std::min(kept.size(), i + 512))}));
  }

  torch::manual_seed(command.seed);
  torch::set_num_threads(command.threads);
  Net net(NetShape{command.channels, command.blocks});
  torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(command.rate).weight_decay(1e-4));
  const auto steps = static_cast<std::int64_t>(command.millions * 1e6 / command.batch);
  std::int64_t step = 0;
  std::filesystem::create_directories(command.out);
  if (std::filesystem::exists(checkpoint_path(command.out))) {
    auto checkpoint = load_checkpoint(command.out, &optimizer, &net);
    if (!checkpoint) return tl::make_unexpected(checkpoint.error());
    step = checkpoint->step;
    fmt::print(stderr, "going on at step {}\n", step);
  }
  std::ofstream curve(command.out + "/curve.csv", step == 0 ? std::ios::out : std::ios::app);
  if (step == 0)
    curve << "step,positions,rate,moves_loss,results_loss,agreed,checked_moves,checked_results,checked_agreed\n";

  Loader loader(learnt, command.seed + static_cast<std::uint64_t>(step), static_cast<std::size_t>(command.batch));
  const double begin = now();
  const std::int64_t first = step;
  double moves = 0;
  double results = 0;
  double agreed = 0;
  for (double seen = 0; step < steps;) {
    // A short warming up, then half a cosine down to nothing.
    const double part = static_cast<double>(step) / static_cast<double>(steps);
    const double rate =
        command.rate * std::min(1.0, static_cast<double>(step + 1) / 200) * (1 + std::cos(std::numbers::pi * part)) / 2;
    for (auto& group : optimizer.param_groups()) static_cast<torch::optim::AdamWOptions&>(group.options()).lr(rate);
    const Losses losses = losses_of(net, loader.next());
    optimizer.zero_grad();
    (losses.moves + value_weight * losses.results).backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 5.0);
    optimizer.step();
    ++step;
    ++seen;
    moves += losses.moves.item<double>();
    results += losses.results.item<double>();
    agreed += losses.agreed.item<double>();
    if (step % 20 == 0) {
      const double speed = static_cast<double>((step - first) * command.batch) / (now() - begin);
      fmt::print(stderr, "\rstep {} of {}: loss {:.4f} + {:.4f}, top-1 {:.1f}%, {:.0f} positions/s, {:.0f} min left   ",
                 step, steps, moves / seen, results / seen, 100 * agreed / seen, speed,
                 static_cast<double>((steps - step) * command.batch) / speed / 60);
    }
    if (step % steps_between_checks == 0 || step == steps) {
      const Checked c = check(net, checks);
      curve << fmt::format("{},{},{:.6f},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f}\n", step, step * command.batch, rate,
                           moves / seen, results / seen, agreed / seen, c.moves, c.results, c.agreed)
            << std::flush;
      fmt::print(stderr, "\nchecked at step {}: loss {:.4f} + {:.4f}, top-1 {:.1f}%\n", step, c.moves, c.results,
                 100 * c.agreed);
      moves = results = agreed = seen = 0;
      save_checkpoint(command.out, step, net, optimizer);
    }
  }
  return {};
}

}  // namespace pm::train
