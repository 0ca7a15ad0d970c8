#include "pgn/text.h"

#include <algorithm>
#include <cstdint>

#include "pgn/cp1251.h"

namespace pm::pgn {
namespace {

// Bytes of the well-formed UTF-8 sequence that starts `s`, or 0 (Unicode standard, table 3-7).
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<std::uint8_t>(s[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && byte(1) < 0x90;
    const bool too_high = lead == 0xF4 && byte(1) > 0x8F;
    return tail(1) && tail(2) && tail(3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view s) {
  while (!s.empty()) {
    const std::size_t n = sequence_length(s);
    if (n == 0) return false;
    s.remove_prefix(n);
  }
  return true;
}

}  // namespace

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
}

std::string to_utf8(std::string_view bytes) {
  if (is_ascii(bytes) || is_utf8(bytes)) return std::string(bytes);
  const bool cyrillic = looks_cyrillic(bytes);
  std::string text;
  for (const char c : bytes) append_utf8(text, cyrillic ? from_cp1251(c) : static_cast<std::uint8_t>(c));
  return text;
}

void append_utf8(std::string& text, char32_t character) {
  const auto add = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0 | (character >> 6));
  } else {
    if (character < 0x10000) {
      add(0xE0 | (character >> 12));
    } else {
      add(0xF0 | (character >> 18));
      add(0x80 | ((character >> 12) & 0x3F));
    }
    add(0x80 | ((character >> 6) & 0x3F));
  }
  add(0x80 | (character & 0x3F));
}

std::string unescape(std::string_view raw) {
  std::string value;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == '"' || raw[i + 1] == '\\')) ++i;
    value += raw[i];
  }
  return value;
}

std::string escape(std::string_view value) {
  std::string raw;
  for (const char c : value) {
    if (c == '"' || c == '\\') raw += '\\';
    raw += c;
  }
  return raw;
}

std::string squeeze(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (is_space(c)) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

}  // namespace pm::pgn
