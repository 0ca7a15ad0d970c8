// Text from outside as a terminal, or a line of our own, may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pm {

// What could move the cursor, break the line, or show letters in another order than they stand becomes '?', one for
// each character: controls of ASCII and Latin-1, line breaks among them; U+061C, U+200E, U+200F, U+2028 to U+202E and
// U+2066 to U+2069; and every byte that is no UTF-8. Everything else stays as it is.
std::string printable(std::string_view text);
bool is_printable(std::string_view text);  // nothing would become '?'

// The same for text of unknown encoding: all but ASCII becomes '?' too.
std::string printable_ascii(std::string_view text);

// A sentence that may quote what came from outside, fit for one line of a terminal or a page: printable, and with its
// middle left out where it is long.
std::string one_sentence(std::string_view text, std::size_t most_bytes = 600);

}  // namespace pm
