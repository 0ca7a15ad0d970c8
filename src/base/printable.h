// Text from outside as a terminal, or a line of our own, may show it.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace pm
