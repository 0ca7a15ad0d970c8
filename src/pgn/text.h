// The text inside PGN files: character sets, escapes, white space.
#pragma once

#include <string>
#include <string_view>

namespace pm::pgn {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_ascii(std::string_view bytes);

// UTF-8 as it is; anything else is taken for Latin-1 (ISO 8859-1) and converted. The result is always valid UTF-8.
std::string to_utf8(std::string_view bytes);

// Tag values: \" and \\ between their quotes.
std::string unescape(std::string_view raw);
std::string escape(std::string_view value);

// Runs of white space become one space; none at the ends. Line ends in a comment mean no more than a space.
std::string squeeze(std::string_view text);

}  // namespace pm::pgn
