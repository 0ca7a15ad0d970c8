// The beginning of a UTF-8 text, not cut within a character.
#pragma once

#include <cstddef>
#include <string_view>

namespace pm {

inline std::string_view beginning(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  constexpr auto goes_on = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (most_bytes > 0 && goes_on(text[most_bytes])) --most_bytes;
  return text.substr(0, most_bytes);
}

}  // namespace pm
