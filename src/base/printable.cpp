#include "base/printable.h"

#include <algorithm>

#include "base/utf8.h"

namespace pm {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The one the text begins with; what is none takes one byte.
Character first_character(std::string_view text) {
  const std::size_t bytes = character_length(text);
  if (bytes == 0) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  char32_t code = bytes == 1 ? byte(0) : byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6U | (byte(i) & 0x3fU);
  return {code, bytes, true};
}

bool is_harmless(const Character& character) {
  const char32_t c = character.code;
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool control = c < ' ' || within(0x7f, 0x9f);
  // Unicode Standard Annex 9, 2: what sets the direction of text without being seen; and separators of lines.
  const bool direction = c == 0x061c || within(0x200e, 0x200f) || within(0x2028, 0x202e) || within(0x2066, 0x2069);
  return character.valid && !control && !direction;
}

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    result += is_harmless(c) ? text.substr(0, c.bytes) : "?";
    text.remove_prefix(c.bytes);
  }
  return result;
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!is_harmless(c)) return false;
    text.remove_prefix(c.bytes);
  }
  return true;
}

std::string one_sentence(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return printable(text);
  constexpr std::string_view gap = " ... ";
  const std::size_t half = (most_bytes - gap.size()) / 2;
  return printable(beginning(text, half)).append(gap).append(printable(ending(text, half)));
}

std::string printable_ascii(std::string_view text) {
  std::string result(text);
  std::replace_if(result.begin(), result.end(), [](char c) { return !is_plain(c); }, '?');
  return result;
}

}  // namespace pm
