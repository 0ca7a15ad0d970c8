// In which language's piece letters a game is written.
//
//   auto languages = languages_of(position, "Sf3 Sc6 3. Lb5 a6 *", 0);     // {german}
//
// English comes first: what can be read in it is English. Another language is believed when the coming moves of the
// main line have letters that English does not use, and are all legal in it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "chess/piece_letters.h"
#include "chess/position.h"

namespace pm::pgn {

inline constexpr std::size_t letters_window = 8UL * 1024;  // bytes of text that are looked at
inline constexpr std::size_t letters_plies = 40;           // and moves in it

// `text` is what comes in the file, beginning with a move of the main line in `position`, or inside `depth` variations.
// Empty: English, or nothing that is known. Several languages only when they read the same moves.
std::vector<chess::Language> languages_of(const chess::Position& position, std::string_view text, std::size_t depth);

// Whether a move has a letter that may mean another piece in another language.
bool has_foreign_letter(std::string_view move);

// "German", "German or Dutch".
std::string language_names(const std::vector<chess::Language>& languages);

}  // namespace pm::pgn
