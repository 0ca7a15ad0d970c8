#include "pgn/languages.h"

#include <algorithm>
#include <optional>
#include <string>

#include "chess/san.h"
#include "pgn/parser.h"

namespace pm::pgn {
namespace {

using chess::Language;

// The coming moves of the main line, as they are written.
std::vector<std::string> main_line_ahead(std::string_view text, std::size_t depth) {
  if (text.size() >= letters_window) text = text.substr(0, text.find_last_of(" \t\r\n"));  // no half moves
  std::vector<std::string> moves;
  MemorySource source(text);
  Lexer lexer(source);
  while (moves.size() < letters_plies) {
    const Token token = lexer.next();
    if (token.kind == TokenKind::end || token.kind == TokenKind::tag) break;
    if (token.kind == TokenKind::open_variation) ++depth;
    if (token.kind == TokenKind::close_variation && depth > 0) --depth;
    if (depth > 0) continue;
    if (token.kind == TokenKind::result || is_move_one(token)) break;
    if (token.kind == TokenKind::symbol) moves.emplace_back(token.text);
  }
  return moves;
}

// The moves in that language; nothing unless all can be read.
std::optional<std::vector<chess::Move>> read_in(Language language, chess::Position position,
                                                const std::vector<std::string>& texts) {
  std::vector<chess::Move> moves;
  for (const std::string& text : texts) {
    const chess::SanResult san = chess::resolve_san(position, text, language);
    if (!san.ok) return std::nullopt;
    moves.push_back(san.move);
    position.play(san.move);
  }
  return moves;
}

bool is_unknown_to_english(char c) { return std::string_view("DTLSFAC").find(c) != std::string_view::npos; }

}  // namespace

bool has_foreign_letter(std::string_view move) {
  return std::any_of(move.begin(), move.end(), [](char c) { return c == 'R' || c == 'P' || is_unknown_to_english(c); });
}

std::vector<Language> languages_of(const chess::Position& position, std::string_view text, std::size_t depth) {
  const std::vector<std::string> texts = main_line_ahead(text, depth);
  const bool evidence = std::any_of(texts.begin(), texts.end(), [](const std::string& move) {
    return std::any_of(move.begin(), move.end(), is_unknown_to_english);
  });
  if (!evidence || read_in(Language::english, position, texts)) return {};
  std::vector<Language> fitting;
  std::vector<chess::Move> moves;
  for (const Language language : chess::other_languages) {
    auto read = read_in(language, position, texts);
    if (!read) continue;
    if (!fitting.empty() && *read != moves) return {};
    fitting.push_back(language);
    moves = std::move(*read);
  }
  return fitting;
}

std::string language_names(const std::vector<Language>& languages) {
  std::string names;
  for (const Language language : languages) {
    if (!names.empty()) names += " or ";
    names += chess::language_name(language);
  }
  return names;
}

}  // namespace pm::pgn
