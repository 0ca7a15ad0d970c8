#include "train/files.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace pm::train {

Expected<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) return fail(ErrorCode::file_open, fmt::format("cannot read {}", path));
  return bytes.str();
}

Expected<nn::OwnNetwork> read_network(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  auto network = nn::parse_network(*bytes);
  if (!network) return fail(network.error().code, fmt::format("{}: {}", path, network.error().sentence));
  return network;
}

}  // namespace pm::train
