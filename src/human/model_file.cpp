#include "human/model_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace pm::human {

Expected<std::string> read_network_file(const std::string& path, std::size_t most_bytes) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed) return fail(ErrorCode::file_open, fmt::format("cannot read {}: {}", path, failed.message()));
  if (size > most_bytes) {
    return fail(ErrorCode::weights_format,
                fmt::format("{}: expected at most {} MB, found {}", path, most_bytes >> 20, size >> 20));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file) {
    const std::string why =
        errno != 0 ? std::error_code(errno, std::generic_category()).message() : "it ends too early";
    return fail(ErrorCode::file_read, fmt::format("cannot read {}: {}", path, why));
  }
  return bytes;
}

}  // namespace pm::human
