// Cyrillic text in Windows' code page 1251, as many Russian files have it.
#pragma once

#include <string_view>

namespace pm::pgn {

// Whether text that is not UTF-8 is Cyrillic rather than Latin-1. Cyrillic words are all high bytes with a vowel among
// them; names in Latin-1 have single accented letters among those of ASCII.
bool looks_cyrillic(std::string_view bytes);

// The character of a byte (https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1251.TXT).
char32_t from_cp1251(char byte);

}  // namespace pm::pgn
