// Cuts PGN text into tokens, in constant memory, whatever the size of the input.
//
//   Lexer lexer(source);
//   for (Token t = lexer.next(); t.kind != TokenKind::end; t = lexer.next()) ...
//
// Knows the shapes of PGN and nothing of chess: white space, move numbers, `%` and `;` lines, a byte-order mark and
// CRLF are dealt with here. The text of a token is a view into the lexer's buffer, valid until the next call. One
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "pgn/source.h"

namespace pm::pgn {

enum class TokenKind : std::uint8_t {
  end,              // of the input
  tag,              // text = name, value = what stands between the quotes, escapes not yet undone
  bad_tag,          // a line that began like a tag pair and is none
  symbol,           // a move, or something in the place of one
  number,           // a move number; number() tells which
  nag,              // $n or a glyph such as !? or +-; number() is n, 0..255
  comment,          // text = what stands between the braces, or after a semicolon
  long_comment,     // a comment cut at max_comment_bytes
  open_comment,     // a comment without its closing brace, ended by the next game's first tag line or the end of input
  open_variation,   // (
  close_variation,  // )
  result,           // text = 1-0, 0-1, 1/2-1/2 or *
  bad,              // a byte that starts nothing
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::string_view value;
  unsigned number = 0;
};

class Lexer {
 public:
  explicit Lexer(ByteSource& source);

  Token next();
  // Gives the token just read once more at the next call of next().
  void put_back(const Token& token) { put_back_ = token; }
  // Where the token just read begins.
  Place place();
  // Whether a comment or glyph follows on the same line. The text of the newest token is not valid afterwards.
  bool more_on_line();
  // The token just read and `bytes` of what follows it, or all there is; nothing is taken. A view that was had of the
  // token before is not valid afterwards.
  std::string_view ahead(std::size_t bytes);
  // Bytes taken from the source so far.
  std::uint64_t bytes() const { return bytes_; }
  // Why the input ended before its end, if it did.
  const std::optional<Error>& error() const { return error_; }

 private:
  bool refill();
  void count_lines_to(const char* there);
  bool at_line_start() const { return cursor_[-1] == '\n' || cursor_[-1] == '\r'; }
  void skip_line();
  Token comment();
  Token rest_of_line_comment();
  Token long_comment();
  Token tag();
  Token symbol();
  Token number_or_result();
  std::optional<Token> dollar();
  std::optional<Token> glyph();
  Token take(TokenKind kind, std::size_t length);

  ByteSource& source_;
  std::vector<char> buffer_;  // [0] is the byte before the text, so that cursor_[-1] always exists
  const char* cursor_;        // next byte to read
  const char* token_;         // start of the token being read: kept by refill()
  char* end_;                 // a 0 stands here
  bool ended_ = false;
  std::uint64_t bytes_ = 0;
  std::optional<Token> put_back_;
  std::optional<Error> error_;
  std::string long_text_;            // what is kept of a comment too long for the buffer
  std::optional<Place> long_begin_;  // and where it began, when it is the newest token
  // The newest place worked out; lines are counted only when somebody asks.
  const char* counted_;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

}  // namespace pm::pgn
