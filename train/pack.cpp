// From a checkpoint to the file that goes into the program.
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/sha256.h"
#include "nn/network_file.h"
#include "tools/plot.h"
#include "train/checkpoint.h"
#include "train/commands.h"
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
  const std::string bytes =
      nn::format_network({command.name, command.lowest_rating, command.highest_rating, net->weights()});
  if (const auto sound = nn::parse_network(bytes); !sound) return tl::make_unexpected(sound.error());
  std::ofstream file(command.out, std::ios::binary);
  file << bytes << std::flush;
  if (!file) return fail(ErrorCode::file_open, fmt::format("cannot write {}", command.out));
  fmt::print("{}: {} bytes, sha256 {}\n", command.out, bytes.size(), sha256_hex(bytes));
  if (!command.plot.empty()) std::ofstream(command.plot) << draw_curve(command.run + "/curve.csv");
  return {};
}

}  // namespace pm::train
