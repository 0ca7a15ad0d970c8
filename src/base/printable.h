// Text from outside as a terminal, or a line of our own, may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace pm {

// Control characters of ASCII and Latin-1, line breaks among them, become '?'. Other UTF-8 stays as it is.
inline std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (c1) ++i;
    result += c1 || c < ' ' || c == 0x7f ? '?' : text[i];
  }
  return result;
}

// The same for text of unknown encoding: all but ASCII becomes '?' too.
inline std::string printable_ascii(std::string_view text) {
  std::string result = printable(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) > 0x7f) c = '?';
  }
  return result;
}

// A sentence that may quote what came from outside, fit for one line of a terminal or a page: without control
// characters and marks that turn the direction of text, in valid UTF-8, and with its middle left out where it is long.
inline std::string one_sentence(std::string_view text, std::size_t most_bytes = 600) {
  std::string shortened;
  if (text.size() > most_bytes) {
    constexpr std::string_view gap = " ... ";
    const std::size_t half = (most_bytes - gap.size()) / 2;
    shortened = std::string(beginning(text, half)).append(gap).append(ending(text, half));
    text = shortened;
  }
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    // U+200E, U+200F, the line separators with U+202A to U+202E, and U+2066 to U+2069
    const bool turns = character == "\xe2\x80\x8e" || character == "\xe2\x80\x8f" ||
                       (character >= "\xe2\x80\xa8" && character <= "\xe2\x80\xae") ||
                       (character >= "\xe2\x81\xa6" && character <= "\xe2\x81\xa9");
    result += length == 0 || turns ? "?" : printable(character);
  }
  return result;
}

}  // namespace pm
