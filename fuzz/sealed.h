// For fuzz targets: bytes with their SHA-256 behind them, as files of networks end.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"

inline std::string sealed(std::string_view bytes) {
  std::string whole(bytes);
  const std::string sum = pm::sha256_hex(bytes);
  for (std::size_t i = 0; i < sum.size(); i += 2) {
    whole += static_cast<char>(std::stoi(sum.substr(i, 2), nullptr, 16));
  }
  return whole;
}
