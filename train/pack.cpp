// From a checkpoint to the file that goes into the program.
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/sha256.h"
#include "nn/network_file.h"
#include "tools/plot.h"
#include "train/batch.h"
#include "train/checkpoint.h"
#include "train/commands.h"
#include "train/data_file.h"
#include "train/net.h"

namespace pm::train {
namespace {

// Columns of curve.csv over the positions seen, in millions.
std::string draw_curve(const std::string& path) {
  tools::Series learnt{"loss", {}};
  tools::Series checked{"loss on games not learnt from", {}};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<double> columns;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ',');) columns.push_back(std::stod(word));
    if (columns.size() < 9) continue;
    learnt.points.emplace_back(columns[1] / 1e6, columns[3]);
    checked.points.emplace_back(columns[1] / 1e6, columns[6]);
  }
  return tools::draw_plot("Learning", "million positions", "cross entropy of the moves, nats", {learnt, checked});
}

// A network is too sure of positions it has not learnt from. What its logits are to be divided by, so that it says best
// what is true of the games that were kept out of the training.
Expected<double> softened(const std::vector<std::string>& data, Net& net) {
  constexpr std::size_t at_once = 256;
  std::vector<Sample> kept;
  for (const std::string& path : data) {
    const auto games = read_data(path);
    if (!games) return tl::make_unexpected(games.error());
    for (std::size_t i = 0; i < games->size(); ++i) {
      if (!is_checked(i)) continue;
      for (Sample& sample : all_samples((*games)[i])) kept.push_back(std::move(sample));
    }
  }
  std::vector<Batch> batches;
  for (std::size_t i = 0; i + at_once <= kept.size(); i += at_once) {
    const auto first = kept.begin() + static_cast<std::ptrdiff_t>(i);
    batches.push_back(batch_of({first, first + at_once}));
  }
  if (batches.empty()) return fail(ErrorCode::bad_input, "there are too few games to check against");
  double best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int percent = 100; percent <= 150; percent += 2) {
    double sum = 0;
    for (const Batch& batch : batches) sum += losses_of(net, batch, percent / 100.0).moves.item<double>();
    if (sum < least) {
      least = sum;
      best = percent / 100.0;
    }
    fmt::print(stderr, "softened {:.2f}: loss {:.4f}\n", percent / 100.0, sum / static_cast<double>(batches.size()));
  }
  return best;
}

void divide(nn::Layer& layer, double by) {
  for (float& weight : layer.weights) weight = static_cast<float>(weight / by);
  for (float& bias : layer.biases) bias = static_cast<float>(bias / by);
}

}  // namespace

Expected<void> pack(const PackCommand& command) {
  const auto found = load_checkpoint(command.run, nullptr, nullptr);
  if (!found) return tl::make_unexpected(found.error());
  Net net(found->shape);
  if (const auto loaded = load_checkpoint(command.run, nullptr, &net); !loaded) {
    return tl::make_unexpected(loaded.error());
  }
  net->eval();
  const torch::NoGradGuard no_gradients;
  nn::Weights weights = net->weights();
  if (!command.data.empty()) {
    const auto by = softened(command.data, net);
    if (!by) return tl::make_unexpected(by.error());
    divide(weights.policy2, *by);
    divide(weights.pairing, *by);
    fmt::print("logits divided by {:.2f}\n", *by);
  }
  const std::string bytes =
      nn::format_network({command.name, command.lowest_rating, command.highest_rating, std::move(weights)});
  if (const auto sound = nn::parse_network(bytes); !sound) return tl::make_unexpected(sound.error());
  std::ofstream file(command.out, std::ios::binary);
  file << bytes << std::flush;
  if (!file) return fail(ErrorCode::file_open, fmt::format("cannot write {}", command.out));
  fmt::print("{}: {} bytes, sha256 {}\n", command.out, bytes.size(), sha256_hex(bytes));
  if (!command.plot.empty()) std::ofstream(command.plot) << draw_curve(command.run + "/curve.csv");
  return {};
}

}  // namespace pm::train
