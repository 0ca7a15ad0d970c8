// Characters of UTF-8 texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace pm {

// In bytes, of the one that the text begins with; 0: that is none.
inline std::size_t character_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0 ? 2
                             : (first & 0xF0U) == 0xE0     ? 3
                             : (first & 0xF8U) == 0xF0     ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Too long for what it is, a surrogate, or beyond U+10FFFF.
  const unsigned second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90) || first > 0xF4;
  return wrong ? 0 : length;
}

// Whether a character has begun before this byte of it.
inline bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Parts of the text, not cut within a character.
inline std::string_view beginning(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && goes_on(text[most_bytes])) --most_bytes;
  return text.substr(0, most_bytes);
}
inline std::string_view ending(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && goes_on(text[text.size() - most_bytes])) --most_bytes;
  return text.substr(text.size() - most_bytes);
}

}  // namespace pm
