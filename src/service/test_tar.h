// For tests: small tar archives.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pm::service {

inline std::string tar_of(const std::vector<std::pair<std::string, std::string>>& files) {
  constexpr std::size_t block = 512;
  std::string archive;
  for (const auto& [name, content] : files) {
    std::string header(block, '\0');
    const auto put = [&](std::size_t at, const std::string& text) {
      std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(0, name);
    put(100, "0000644");
    put(124, fmt::format("{:011o}", content.size()));
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    archive += header + content + std::string((block - content.size() % block) % block, '\0');
  }
  return archive + std::string(2 * block, '\0');
}

}  // namespace pm::service
