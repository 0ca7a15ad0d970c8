#include "pgn/lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "pgn/glyphs.h"
#include "pgn/limits.h"

namespace pm::pgn {
namespace {

constexpr std::size_t first_buffer_bytes = 128UL * 1024;
// Moves, numbers and glyphs are shorter than this; with so many bytes ahead they never meet the end of the buffer.
constexpr std::ptrdiff_t look_ahead = 1024;
static_assert(look_ahead > static_cast<std::ptrdiff_t>(max_token_bytes) + 8);

enum Class : std::uint8_t {
  other,
  space,  // includes the dots after move numbers
  letter,
  digit,
  sign,  // part of a move but not its start: + # = - : / _ @
  mark,  // ! ?
};

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (const char c : std::string_view(" \t\r\n\v\f.")) classes[static_cast<unsigned char>(c)] = space;
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<unsigned char>(c)] = letter;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<unsigned char>(c)] = letter;
  for (char c = '0'; c <= '9'; ++c) classes[static_cast<unsigned char>(c)] = digit;
  for (const char c : std::string_view("+#=-:/_@")) classes[static_cast<unsigned char>(c)] = sign;
  for (const char c : std::string_view("!?")) classes[static_cast<unsigned char>(c)] = mark;
  return classes;
}

constexpr std::array<Class, 256> classes = make_classes();

Class class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
bool in_symbol(char c) {
  const Class k = class_of(c);
  return k == letter || k == digit || k == sign;
}

// A comment whose brace was never closed would swallow all games after it; the line that starts the next game ends it.
constexpr std::string_view next_game = "\n[Event \"";

const char* find(const char* from, const char* to, std::string_view what) {
  const auto at = std::string_view(from, static_cast<std::size_t>(to - from)).find(what);
  return at == std::string_view::npos ? nullptr : from + at;
}

}  // namespace

Lexer::Lexer(ByteSource& source) : source_(source), buffer_(first_buffer_bytes) {
  buffer_[0] = '\n';
  buffer_[1] = '\0';
  end_ = &buffer_[1];
  cursor_ = token_ = counted_ = end_;
  while (end_ - cursor_ < 4 && refill()) {
  }
  if (std::string_view(cursor_, static_cast<std::size_t>(end_ - cursor_)).starts_with("\xEF\xBB\xBF")) {
    cursor_ += 3;
    counted_ = token_ = cursor_;
    buffer_[3] = '\n';  // the text begins at the start of a line
  }
}

// Drops what lies before the token being read and reads more behind it. False when there is no more.
bool Lexer::refill() {
  if (ended_) return false;
  count_lines_to(token_);
  const char* keep = token_ - 1;
  const auto kept = static_cast<std::size_t>(end_ - keep);
  const std::ptrdiff_t cursor_offset = cursor_ - keep;
  std::memmove(buffer_.data(), keep, kept);
  if (kept + 1 >= buffer_.size() / 2) buffer_.resize(buffer_.size() * 2);
  token_ = counted_ = buffer_.data() + 1;
  cursor_ = buffer_.data() + cursor_offset;
  end_ = buffer_.data() + kept;
  const auto n = source_.read(std::span(end_, buffer_.size() - kept - 1));
  if (!n) error_ = n.error();
  if (!n || *n == 0) {
    ended_ = true;
    *end_ = '\0';
    return false;
  }
  bytes_ += *n;
  end_ += *n;
  *end_ = '\0';
  return true;
}

void Lexer::count_lines_to(const char* there) {
  while (const void* hit = std::memchr(counted_, '\n', static_cast<std::size_t>(there - counted_))) {
    ++line_;
    column_ = 1;
    counted_ = static_cast<const char*>(hit) + 1;
  }
  column_ += static_cast<std::size_t>(there - counted_);
  counted_ = there;
}

Place Lexer::place() {
  if (long_begin_) return *long_begin_;
  count_lines_to(token_);
  return {line_, column_};
}

Token Lexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, {cursor_, length}, {}, 0};
  cursor_ += length;
  return token;
}

Token Lexer::next() {
  if (put_back_) {
    const Token token = *put_back_;
    put_back_.reset();
    return token;
  }
  long_begin_.reset();
  for (;;) {
    while (class_of(*cursor_) == space) ++cursor_;
    token_ = cursor_;
    if (end_ - cursor_ < look_ahead && !ended_) {
      refill();
      continue;
    }
    switch (class_of(*cursor_)) {
      case letter: return symbol();
      case digit: return number_or_result();
      default: break;
    }
    switch (*cursor_) {
      case '{': return comment();
      case ';': return rest_of_line_comment();
      case '(': return take(TokenKind::open_variation, 1);
      case ')': return take(TokenKind::close_variation, 1);
      case '*': return take(TokenKind::result, 1);
      case '$': return dollar();
      case '[':
        if (class_of(cursor_[1]) == letter || class_of(cursor_[1]) == space) return tag();
        return take(TokenKind::bad, 1);
      case '%':
        if (!at_line_start()) return take(TokenKind::bad, 1);
        skip_line();
        break;
      case '\0':
        if (cursor_ == end_) return Token{};
        return take(TokenKind::bad, 1);
      default: return glyph();
    }
  }
}

void Lexer::skip_line() {
  while (*cursor_ != '\n' && *cursor_ != '\r') {
    if (cursor_ == end_) {
      token_ = cursor_;
      if (!refill()) return;
      continue;
    }
    ++cursor_;
  }
}

Token Lexer::symbol() {
  const char* p = cursor_ + 1;
  const char* longest = cursor_ + max_token_bytes + 1;
  while (in_symbol(*p) && p < longest) ++p;
  if (*p == '(' && class_of(p[-1]) == digit && class_of(p[1]) == letter && p[2] == ')') {  // e8(Q)+
    p += 3;
    while (in_symbol(*p) && p < longest) ++p;
  }
  auto length = static_cast<std::size_t>(p - cursor_);
  if (length > max_token_bytes) return take(TokenKind::bad, max_token_bytes);
  // An evaluation written onto the move, Nf3+- or e4=, is a token of its own.
  if (p[-1] == '=' || (class_of(p[-1]) == sign && class_of(p[-2]) == sign))
    length -= glyph_suffix_length({cursor_, length});
  return take(TokenKind::symbol, length);
}

Token Lexer::number_or_result() {
  const char* p = cursor_;
  unsigned value = 0;
  for (; class_of(*p) == digit && p - cursor_ < look_ahead / 2; ++p) {
    value = std::min(10 * value + static_cast<unsigned>(*p - '0'), 100'000'000U);
  }
  if (*p != '-' && *p != '/') {
    Token token = take(TokenKind::number, static_cast<std::size_t>(p - cursor_));
    token.number = value;
    return token;
  }
  while (in_symbol(*p) && p - cursor_ < look_ahead / 2) ++p;
  const auto length = static_cast<std::size_t>(p - cursor_);
  const std::string_view text(cursor_, length);
  if (text == "1-0" || text == "0-1" || text == "1/2-1/2") return take(TokenKind::result, length);
  if (text == "1/2") {
    Token token = take(TokenKind::result, length);
    token.text = "1/2-1/2";
    return token;
  }
  if (length > max_token_bytes) return take(TokenKind::bad, max_token_bytes);
  return take(TokenKind::symbol, length);  // 0-0, or nothing anybody knows
}

Token Lexer::dollar() {
  const char* p = cursor_ + 1;
  unsigned value = 0;
  for (; class_of(*p) == digit && p - cursor_ < 8; ++p) value = (10 * value) + static_cast<unsigned>(*p - '0');
  const bool good = p > cursor_ + 1 && value <= 255;
  Token token = take(good ? TokenKind::nag : TokenKind::bad, static_cast<std::size_t>(p - cursor_));
  token.number = value;
  return token;
}

Token Lexer::glyph() {
  if (static_cast<unsigned char>(*cursor_) < ' ') return take(TokenKind::bad, 1);
  const std::string_view ahead(cursor_, static_cast<std::size_t>(std::min(end_ - cursor_, std::ptrdiff_t{16})));
  if (ahead.starts_with("--")) return take(TokenKind::symbol, 2);
  if (ahead.starts_with("@@@@")) return take(TokenKind::symbol, 4);
  if (ahead.starts_with("½-½")) {
    Token token = take(TokenKind::result, std::string_view("½-½").size());
    token.text = "1/2-1/2";
    return token;
  }
  if (const Glyph* found = find_glyph(ahead)) {
    Token token = take(TokenKind::nag, found->text.size());
    token.number = found->nag;
    return token;
  }
  return take(TokenKind::bad, 1);
}

Token Lexer::rest_of_line_comment() {
  ++cursor_;
  std::size_t length = 0;
  for (;;) {
    const char* p = cursor_ + length;
    while (p < end_ && *p != '\n' && *p != '\r') ++p;
    length = static_cast<std::size_t>(p - cursor_);
    if (p < end_) return take(TokenKind::comment, length);
    if (length > max_comment_bytes) {
      long_text_.assign(cursor_, max_comment_bytes);
      long_begin_ = place();
      skip_line();
      return {TokenKind::long_comment, long_text_, {}, 0};
    }
    if (!refill()) return take(TokenKind::comment, length);
  }
}

Token Lexer::comment() {
  ++cursor_;
  std::size_t searched = 0;
  for (;;) {
    const void* close = std::memchr(cursor_ + searched, '}', static_cast<std::size_t>(end_ - cursor_) - searched);
    const char* limit = close != nullptr ? static_cast<const char*>(close) : end_;
    if (const char* game = find(cursor_ + searched, limit, next_game)) {
      return take(TokenKind::open_comment, static_cast<std::size_t>(game - cursor_));
    }
    if (close != nullptr) {
      const Token token = take(TokenKind::comment, static_cast<std::size_t>(limit - cursor_));
      ++cursor_;
      return token;
    }
    const auto length = static_cast<std::size_t>(end_ - cursor_);
    if (length > max_comment_bytes) return long_comment();
    searched = length > next_game.size() ? length - next_game.size() : 0;
    if (!refill()) return take(TokenKind::open_comment, static_cast<std::size_t>(end_ - cursor_));
  }
}

// Keeps the beginning and walks over the rest without holding it.
Token Lexer::long_comment() {
  long_text_.assign(cursor_, max_comment_bytes);
  long_begin_ = place();
  Token token{TokenKind::long_comment, long_text_, {}, 0};
  for (;;) {
    const void* close = std::memchr(cursor_, '}', static_cast<std::size_t>(end_ - cursor_));
    const char* limit = close != nullptr ? static_cast<const char*>(close) : end_;
    if (const char* game = find(cursor_, limit, next_game)) {
      token.kind = TokenKind::open_comment;
      cursor_ = game;
      break;
    }
    if (close != nullptr) {
      cursor_ = limit + 1;
      break;
    }
    cursor_ = std::max(cursor_, static_cast<const char*>(end_) - next_game.size());
    token_ = cursor_;
    if (!refill()) {
      token.kind = TokenKind::open_comment;
      cursor_ = end_;
      break;
    }
  }
  return token;
}

Token Lexer::tag() {
  const char* line_end = nullptr;
  for (;;) {
    const void* newline = std::memchr(cursor_, '\n', static_cast<std::size_t>(end_ - cursor_));
    line_end = newline != nullptr ? static_cast<const char*>(newline) : end_;
    if (newline != nullptr || line_end - cursor_ > static_cast<std::ptrdiff_t>(max_tag_bytes) || !refill()) break;
  }
  line_end = std::min(line_end, cursor_ + max_tag_bytes);
  const auto bad = [&] { return take(TokenKind::bad_tag, static_cast<std::size_t>(line_end - cursor_)); };

  const char* p = cursor_ + 1;
  while (p < line_end && class_of(*p) == space) ++p;
  const char* name = p;
  while (p < line_end && (class_of(*p) == letter || class_of(*p) == digit || *p == '_')) ++p;
  Token token{TokenKind::tag, {name, static_cast<std::size_t>(p - name)}, {}, 0};
  while (p < line_end && class_of(*p) == space) ++p;
  if (token.text.empty() || p == line_end || *p != '"') return bad();
  const char* value = ++p;
  // The closing quote is the first one that a bracket follows: files with bare quotes inside a value exist.
  for (; p < line_end; ++p) {
    if (*p == '\\' && p + 1 < line_end) {
      ++p;
    } else if (*p == '"') {
      const char* after = p + 1;
      while (after < line_end && class_of(*after) == space) ++after;
      if (after < line_end && *after == ']') {
        token.value = {value, static_cast<std::size_t>(p - value)};
        cursor_ = after + 1;
        return token;
      }
    }
  }
  return bad();
}

}  // namespace pm::pgn
