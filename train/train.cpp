// Learning: batches from the data, a step down the gradient for each, now and then a look at games that are not learnt
// from.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "train/batch.h"
#include "train/checkpoint.h"
#include "train/commands.h"
#include "train/data_file.h"
#include "train/files.h"
#include "train/net.h"
#include "train/optimizer.h"
#include "train/samples.h"

namespace pm::train {
namespace {

constexpr std::size_t most_checked = 20'000;  // positions
constexpr std::size_t checked_at_once = 256;
constexpr std::int64_t steps_between_checks = 1000;
constexpr double value_weight = 0.3;  // of the results in the loss

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Makes batches on a thread of its own, a few ahead.
class Loader {
 public:
  Loader(const std::vector<TaughtGame>& games, std::uint64_t seed, std::size_t batch)
      : samples_(games, seed), batch_(batch), thread_([this](const std::stop_token& stop) { work(stop); }) {}

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ready_.empty(); });
  }

  Batch next() {
    wait();
    const std::lock_guard lock(mutex_);
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

Expected<Net> empty_net(const NetShape& shape) {
  if (shape.channels < 4 || shape.channels % 4 != 0) {  // what winograd.h takes
    return fail(ErrorCode::bad_input, "a network must have a multiple of 4 channels");
  }
  return Net(shape);
}

// Random numbers, or the network to go on from; only of its shape unless its weights are to be taken too.
Expected<Net> begin_net(const TrainCommand& command, bool take) {
  if (command.from.empty()) return empty_net(NetShape{command.channels, command.blocks});
  const auto network = read_network(command.from);
  if (!network) return tl::make_unexpected(network.error());
  if (network->weights.planes != nn::own_planes) {
    return fail(ErrorCode::bad_input, fmt::format("{} sees {} planes, not {}: `trainer grow` teaches it the others",
                                                  command.from, network->weights.planes, nn::own_planes));
  }
  const NetShape shape = shape_of(network->weights);
  if (shape != NetShape{shape.channels, shape.blocks}) {  // checkpoints keep no more than these two
    return fail(ErrorCode::bad_input,
                fmt::format("the heads of {} are of another size than those learnt here", command.from));
  }
  auto net = empty_net(shape);
  if (net && take) (*net)->take(network->weights);
  return net;
}

}  // namespace

Expected<void> train(const TrainCommand& command) {
  std::vector<TaughtGame> learnt;
  std::vector<Sample> kept;
  for (const std::string& path : command.data) {
    auto games = read_data(path);
    if (!games) return tl::make_unexpected(games.error());
    for (std::size_t i = 0; i < games->size(); ++i) {
      if (is_checked(i) && kept.size() < most_checked) {
        for (Sample& sample : all_samples((*games)[i])) kept.push_back(std::move(sample));
      } else if (!(*games)[i].plies.empty()) {
        learnt.push_back(std::move((*games)[i]));
      }
    }
  }
  if (learnt.empty()) return fail(ErrorCode::bad_input, "there are no games to learn from");
  std::vector<Batch> checks;
  for (std::size_t i = 0; i + checked_at_once <= kept.size(); i += checked_at_once) {
    const auto first = kept.begin() + static_cast<std::ptrdiff_t>(i);
    checks.push_back(batch_of({first, first + checked_at_once}));
  }

  if (command.batch < 16 || command.batch % 16 != 0) {
    return fail(ErrorCode::bad_input, "--batch must be a multiple of 16");
  }

  // Every step takes and gives back the same large blocks: keep them.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  torch::manual_seed(command.seed);
  torch::set_num_threads(command.threads);
  std::filesystem::create_directories(command.out);
  const bool resumed = std::filesystem::exists(checkpoint_path(command.out));
  const auto begun = begin_net(command, !resumed);
  if (!begun) return tl::make_unexpected(begun.error());
  Net net = *begun;
  Optimizer optimizer(net);
  const auto steps = static_cast<std::int64_t>(command.millions * 1e6 / command.batch);
  std::int64_t step = 0;
  if (resumed) {
    auto checkpoint = load_checkpoint(command.out, &optimizer, &net);
    if (!checkpoint) return tl::make_unexpected(checkpoint.error());
    step = checkpoint->step;
    fmt::print(stderr, "going on at step {}\n", step);
  }
  std::ofstream curve(command.out + "/curve.csv", step == 0 ? std::ios::out : std::ios::app);
  if (step == 0)
    curve << "step,positions,step_size,moves_loss,results_loss,agreed,checked_moves,checked_results,checked_agreed\n";

  Loader loader(learnt, command.seed + static_cast<std::uint64_t>(step), static_cast<std::size_t>(command.batch));
  loader.wait();  // for the first batch, which takes longest
  const double begin = now();
  const std::int64_t first = step;
  double moves = 0;
  double results = 0;
  double agreed = 0;
  for (double seen = 0; step < steps;) {
    // A short warming up, then straight down to nothing.
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    const double part = command.step_size * std::min(1.0, static_cast<double>(step + 1) / 200) * (1 - done);
    const Losses losses = losses_of(net, loader.next());
    optimizer.zero_grad();
    (losses.moves + value_weight * losses.results).backward();
    torch::nn::utils::clip_grad_norm_(net->parameters(), 5.0);
    optimizer.step(part);
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
      curve << fmt::format("{},{},{:.6f},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f}\n", step, step * command.batch, part,
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
