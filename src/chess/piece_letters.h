// Piece letters of other languages: Sf3 is Nf3 in German.
//
//   in_english("Dxe8=S+", Language::german) == "Qxe8=N+"
//
// Castling, null moves and squares are the same in all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pm::chess {

enum class Language : std::uint8_t { english, german, french, spanish, dutch };
inline constexpr std::array other_languages{Language::german, Language::french, Language::spanish, Language::dutch};

std::string_view language_name(Language language);  // "German"

// King, queen, rook, bishop and knight: "KDTLS".
std::string_view piece_letters(Language language);

// A move in the letters of English; nothing when it has a capital letter that the language does not use in moves.
std::optional<std::string> in_english(std::string_view move, Language language);

}  // namespace pm::chess
