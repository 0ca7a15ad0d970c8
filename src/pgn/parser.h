// The grammar of PGN with chess in it: walks one game and tells a visitor what it meets, every move already legal.
//
//   struct Counter : Visitor { void move(const chess::Position&, chess::Move) { ++plies; } int plies = 0; };
//   GameParser parser(source);
//   while (parser.parse(counter)) ...
//
// The visitor is a template parameter, not an interface: a visitor that only counts costs nothing for comments it
// ignores. Three exist: the tree builder (reader.h), the main-line reader (main_line.h) and the counter of `check`.
//
// What is forgiven and what is a problem: a game ends with its result, with the tags of the next game, with move
// number 1 coming again, or with the input. A bad move or bracket is a problem: the rest of that game is skipped, and
// the walk goes on with the next one. Inside a variation a fault costs only the rest of that variation, and problems
// in comments and tags cost only that comment or tag.
//
// Piece letters are those of English, or of the language in which the game can be read when it cannot be in English
// (languages.h); the visitor gets a note of that.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.h"
#include "chess/position.h"
#include "chess/san.h"
#include "pgn/languages.h"
#include "pgn/lexer.h"
#include "pgn/limits.h"
#include "pgn/problem.h"
#include "pgn/result.h"

namespace pm::pgn {

// Variants played with other rules, however they are spelt: their moves would only look like errors.
bool is_other_variant(std::string_view name);

inline bool is_comment(const Token& token) {
  return token.kind == TokenKind::comment || token.kind == TokenKind::long_comment ||
         token.kind == TokenKind::open_comment;
}
// "1." but not "1..."; the lexer's text goes on behind a token.
inline bool is_move_one(const Token& token) {
  if (token.kind != TokenKind::number || token.number != 1) return false;
  const char* behind = token.text.data() + token.text.size();
  return behind[0] == '.' && behind[1] != '.';
}

// Everything a visitor may want to hear of; the default is not to listen.
struct Visitor {
  static constexpr bool wants_variations = true;  // false: variations are skipped, their moves not even read

  void tag(std::string_view /*name*/, std::string_view /*raw_value*/) {}
  void start(const chess::Position& /*position*/) {
  }  // after the tags, before the first move; comments may come earlier
  void move(const chess::Position& /*before*/, chess::Move /*m*/) {}
  void move_number() {}  // a comment that follows belongs to the coming move
  void comment(std::string_view /*raw*/) {}
  void nag(unsigned /*number*/) {}
  void open_variation() {}
  void close_variation() {}
  void result(Result /*result*/) {}  // last: from the movetext, or else from the Result tag
  void problem(const Problem& /*problem*/) {}
};

class GameParser {
 public:
  explicit GameParser(ByteSource& source) : lexer_(source) {}

  // Walks the next game; false at the end of the input (then ask error()).
  template <class V>
  bool parse(V& visitor);

  std::uint64_t bytes() const { return lexer_.bytes(); }
  const std::optional<Error>& error() const { return lexer_.error(); }

 private:
  // One line of play: the main line or a variation.
  struct Line {
    chess::Position before;  // the newest move, where its alternatives start
    chess::Position now;
    bool moved = false;
    Place opened;
  };
  enum class Step : std::uint8_t { more, finished, broken };

  template <class V>
  Step step(V& visitor, const Token& token);
  template <class V>
  Step symbol(V& visitor, std::string_view text);
  template <class V>
  std::string_view settle_letters(V& visitor, std::string_view text);
  template <class V>
  Step open_variation(V& visitor);
  template <class V>
  Step close_variation(V& visitor);
  template <class V>
  void comment(V& visitor, const Token& token);
  template <class V>
  void tag(V& visitor, const Token& token);
  template <class V>
  bool set_up(V& visitor);
  template <class V>
  void report(V& visitor, std::string_view message, Place place);
  template <class V>
  Step broken(V& visitor, std::string_view message);
  template <class V>
  void close_all(V& visitor);
  template <class V>
  Step skip_broken_variation(V& visitor, std::size_t depth);
  template <class V>
  void trailing_comments(V& visitor);
  void reset();
  void skip_rest_of_game(std::size_t depth);
  Token skip_variation(std::size_t depth);
  bool starts_next_game(const Token& token) const;

  Lexer lexer_;
  std::size_t games_ = 0;
  std::vector<Line> lines_;  // main line first
  std::size_t plies_ = 0;    // of this game, variations included
  std::size_t main_plies_ = 0;
  std::size_t tags_ = 0;
  bool event_seen_ = false;
  bool heard_ = false;             // of anything that makes a game: a tag, a move, a result, a problem
  bool result_just_seen_ = false;  // by the token before this one, inside a variation
  Result result_ = Result::unknown;
  bool started_ = false;  // start() was told
  chess::Language language_ = chess::Language::english;
  bool letters_settled_ = false;  // the language is known; until then no move had a letter that tells
  std::string fen_;
  std::string variant_;
  Place fen_place_;
  Place variant_place_;
};

}  // namespace pm::pgn

#include "pgn/parser_impl.h"
