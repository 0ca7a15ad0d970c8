#include "chess/piece_letters.h"

namespace pm::chess {
namespace {

struct LanguageLetters {
  std::string_view name;
  std::string_view letters;
};

// FIDE Handbook E.I C.2: each player uses the first letter of the piece's name in his own language.
constexpr std::array<LanguageLetters, 5> languages{
    {{"English", "KQRBN"}, {"German", "KDTLS"}, {"French", "RDTFC"}, {"Spanish", "RDTAC"}, {"Dutch", "KDTLP"}}};

const LanguageLetters& of(Language language) { return languages[static_cast<std::size_t>(language)]; }

}  // namespace

std::string_view language_name(Language language) { return of(language).name; }
std::string_view piece_letters(Language language) { return of(language).letters; }

std::optional<std::string> in_english(std::string_view move, Language language) {
  const std::string_view english = piece_letters(Language::english);
  const std::string_view own = piece_letters(language);
  std::string text(move);
  for (char& c : text) {
    if (c < 'A' || c > 'Z' || c == 'O' || c == 'Z') continue;  // O-O, Z0
    const std::size_t piece = own.find(c);
    if (piece == std::string_view::npos) return std::nullopt;
    c = english[piece];
  }
  return text;
}

}  // namespace pm::chess
