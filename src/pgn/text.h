// The text inside PGN files: character sets, escapes, white space.
#pragma once

#include <string>
#include <string_view>

namespace pm::pgn {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_ascii(std::string_view bytes);

// UTF-8 as it is; anything else is converted, from code page 1251 when it looks Cyrillic (cp1251.h) and from Latin-1
// (ISO 8859-1) otherwise. The result is always valid UTF-8.
std::string to_utf8(std::string_view bytes);
// The character must be one: below 0x110000 and no surrogate.
void append_utf8(std::string& text, char32_t character);

// Tag values: \" and \\ between their quotes.
std::string unescape(std::string_view raw);
std::string escape(std::string_view value);

// Runs of white space become one space; none at the ends. Line ends in a comment mean no more than a space.
std::string squeeze(std::string_view text);

}  // namespace pm::pgn
