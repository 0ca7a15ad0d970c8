#include "pgn/cp1251.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pm::pgn {
namespace {

// 0x80 to 0xBF; the letters from 0xC0 on follow the order of Unicode.
constexpr std::array<char16_t, 64> upper_half{
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409, 0x2039, 0x040A,
    0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x0098, 0x2122,
    0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0, 0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6,
    0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x0407, 0x00B0, 0x00B1, 0x0406, 0x0456,
    0x0491, 0x00B5, 0x00B6, 0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457};

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_high_letter(char c) {
  constexpr std::string_view of_other_languages = "\xA5\xA8\xAA\xAF\xB2\xB3\xB4\xB8\xBA\xBF";  // Ukrainian, and yo
  return static_cast<std::uint8_t>(c) >= 0xC0 || of_other_languages.find(c) != std::string_view::npos;
}
bool is_vowel(char c) {
  constexpr std::string_view vowels =
      "\xC0\xC5\xC8\xCE\xD3\xDB\xDD\xDE\xDF\xE0\xE5\xE8\xEE\xF3\xFB\xFD\xFE\xFF\xA8\xB8\xB2\xB3\xAF\xBF\xAA\xBA";
  return vowels.find(c) != std::string_view::npos;
}

// A word of high letters only. Two of them must be a capital and a small one, as in a name: less than that is chance.
bool is_cyrillic_word(std::string_view word) {
  const auto code = [&](std::size_t i) { return static_cast<std::uint8_t>(word[i]); };
  const bool name = word.size() == 2 && code(0) >= 0xC0 && code(0) <= 0xDF && code(1) >= 0xE0;
  return (word.size() > 2 || name) && std::any_of(word.begin(), word.end(), is_vowel);
}

}  // namespace

bool looks_cyrillic(std::string_view bytes) {
  std::size_t cyrillic = 0;  // high letters in words of Cyrillic
  std::size_t accented = 0;  // high letters among those of ASCII
  for (std::size_t begin = 0; begin < bytes.size();) {
    std::size_t end = begin;
    std::size_t high = 0;
    for (; end < bytes.size() && (is_ascii_letter(bytes[end]) || is_high_letter(bytes[end])); ++end) {
      if (is_high_letter(bytes[end])) ++high;
    }
    const std::string_view word = bytes.substr(begin, end - begin);
    if (high < word.size()) {
      accented += high;
    } else if (is_cyrillic_word(word)) {
      cyrillic += high;
    }
    begin = end + 1;
  }
  return cyrillic > accented;
}

char32_t from_cp1251(char byte) {
  const auto code = static_cast<std::uint8_t>(byte);
  if (code < 0x80) return code;
  return code < 0xC0 ? upper_half[code - 0x80U] : 0x0410U + (code - 0xC0U);
}

}  // namespace pm::pgn
