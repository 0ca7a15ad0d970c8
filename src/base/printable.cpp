#include "base/printable.h"

#include <algorithm>
#include <cstddef>

namespace pm {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The one the text begins with. What is cut short, longer than it needs to be, or a surrogate is not valid, and takes
// one byte.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (too_long || surrogate || code > 0x10ffff) return {};
  return {code, bytes, true};
}

bool is_harmless(const Character& character) {
  const char32_t c = character.code;
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool control = c < ' ' || within(0x7f, 0x9f);
  // Unicode Standard Annex 9, 2: what sets the direction of text without being seen.
  const bool direction = c == 0x061c || within(0x200e, 0x200f) || within(0x202a, 0x202e) || within(0x2066, 0x2069);
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

std::string printable_ascii(std::string_view text) {
  std::string result(text);
  std::replace_if(result.begin(), result.end(), [](char c) { return !is_plain(c); }, '?');
  return result;
}

}  // namespace pm
