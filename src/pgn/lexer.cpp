#include "pgn/lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"
#include "pgn/glyphs.h"
#include "pgn/limits.h"

namespace pm::pgn {
namespace {

constexpr std::size_t first_buffer_bytes = 32UL * 1024;
// Moves, numbers and glyphs are shorter than this; with so many bytes ahead they never meet the end of the buffer.
constexpr std::ptrdiff_t look_ahead = 1024;
static_assert(look_ahead > static_cast<std::ptrdiff_t>(max_token_bytes) + 8);

enum Class : std::uint8_t {
  other,
  space,  // includes the dots after move numbers, and Ctrl-Z, with which DOS ended files
  letter,
  digit,
  sign,  // part of a move but not its start: + # = - : / _ @
  mark,  // ! ?
};

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (const char c : std::string_view(" \t\r\n\v\f.\x1a")) classes[static_cast<unsigned char>(c)] = space;
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<unsigned char>(c)] = letter;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<unsigned char>(c)] = letter;
  for (char c = '0'; c <= '9'; ++c) classes[static_cast<unsigned char>(c)] = digit;
  for (const char c : std::string_view("+#=-:/_@")) classes[static_cast<unsigned char>(c)] = sign;
  for (const char c : std::string_view("!?")) classes[static_cast<unsigned char>(c)] = mark;
  return classes;
}

constexpr std::array<Class, 256> classes = make_classes();

Class class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
bool in_tag_name(char c) { return class_of(c) == letter || class_of(c) == digit || c == '_'; }
bool in_symbol(char c) {
  const Class k = class_of(c);
  return k == letter || k == digit || k == sign;
}

bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

// How far the opening quote of a tag line may be from its bracket.
constexpr std::size_t tag_line_start = 64;

// Whether a line that begins like a tag pair stands here: [Name "
bool starts_tag_line(const char* p, const char* end) {
  if (!is_line_end(p[-1])) return false;
  end = std::min(end, p + tag_line_start);
  const char* name = p + 1;
  const char* q = name;
  while (q < end && in_tag_name(*q)) ++q;
  if (q == name || *name < 'A' || *name > 'Z' || q == end || class_of(*q) != space) return false;
  while (q < end && class_of(*q) == space) ++q;
  return q < end && *q == '"';
}

// A comment whose brace was never closed would swallow all games after it; the first tag line of the next game ends it.
const char* find_tag_line(const char* from, const char* to) {
  for (const char* p = from; p < to; ++p) {
    p = static_cast<const char*>(std::memchr(p, '[', static_cast<std::size_t>(to - p)));
    if (p == nullptr) return nullptr;
    if (starts_tag_line(p, to)) return p;
  }
  return nullptr;
}

// "e.p." or "ep" standing by itself after a move, which says nothing new.
std::size_t en_passant_mark_length(const char* p) {
  if (*p != 'e') return 0;
  if (p[1] == '.' && p[2] == 'p') return p[3] == '.' ? 4 : 3;
  return p[1] == 'p' && !in_symbol(p[2]) ? 2 : 0;
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
  if (keep != buffer_.data()) std::memmove(buffer_.data(), keep, kept);
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

// A line ends with \n, or with \r when no \n follows (old Macs). The latter is seen at the next byte, so that it makes
// no difference where one piece of the input ends.
void Lexer::count_lines_to(const char* there) {
  const char* from = counted_;
  std::size_t ends = 0;
  for (const char* p = from; p < there; ++p) {
    ends += static_cast<std::size_t>(*p == '\n') + static_cast<std::size_t>((p[-1] == '\r') & (*p != '\n'));
  }
  counted_ = there;
  if (ends == 0) {
    column_ += static_cast<std::size_t>(there - from);
    return;
  }
  line_ += ends;
  const char* start = there;  // of the last line
  while (start[-1] != '\n' && (start == there || start[-1] != '\r')) --start;
  column_ = 1 + static_cast<std::size_t>(there - start);
}

Place Lexer::place() {
  if (long_begin_) return *long_begin_;
  count_lines_to(token_);
  if (token_[-1] == '\r' && *token_ != '\n') return {line_ + 1, 1};
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
      case letter:
        if (const std::size_t length = en_passant_mark_length(cursor_); length > 0) {
          cursor_ += length;
          continue;
        }
        return symbol();
      case digit: return number_or_result();
      default: break;
    }
    switch (*cursor_) {
      case '{': return comment();
      case ';': return rest_of_line_comment();
      case '(': return take(TokenKind::open_variation, 1);
      case ')': return take(TokenKind::close_variation, 1);
      case '*': return take(TokenKind::result, 1);
      case '$':
        if (const auto token = dollar()) return *token;
        break;
      case '[':
        if (in_tag_name(cursor_[1]) || class_of(cursor_[1]) == space) return tag();
        return take(TokenKind::bad, 1);
      case '%':
        if (!at_line_start()) return take(TokenKind::bad, 1);
        skip_line();
        break;
      case '\0':
        if (cursor_ == end_) return Token{};
        return take(TokenKind::bad, 1);
      default:
        if (const auto token = glyph()) return *token;
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
  if (p[-1] == 'e' && p[0] == '.' && p[1] == 'p') p += p[2] == '.' ? 3 : 2;  // exd6e.p.
  length = static_cast<std::size_t>(p - cursor_);
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
  constexpr std::string_view dash = "–";
  const std::string_view after(p, 4);
  if (after.starts_with(dash) && value <= 1 && p[dash.size()] == (value == 1 ? '0' : '1')) {
    Token token = take(TokenKind::result, static_cast<std::size_t>(p - cursor_) + dash.size() + 1);
    token.text = value == 1 ? "1-0" : "0-1";
    return token;
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

// Numbers above 255 are no NAGs; they are passed over.
std::optional<Token> Lexer::dollar() {
  const char* p = cursor_ + 1;
  unsigned value = 0;
  for (; class_of(*p) == digit && p - cursor_ < static_cast<std::ptrdiff_t>(max_token_bytes); ++p) {
    value = std::min(1'000U, (10 * value) + static_cast<unsigned>(*p - '0'));
  }
  if (p == cursor_ + 1) return take(TokenKind::bad, 1);
  Token token = take(TokenKind::nag, static_cast<std::size_t>(p - cursor_));
  token.number = value;
  if (value > 255) return std::nullopt;
  return token;
}

// Signs that are no letters or digits. What means nothing but does no harm is passed over.
std::optional<Token> Lexer::glyph() {
  if (static_cast<unsigned char>(*cursor_) < ' ') return take(TokenKind::bad, 1);
  const std::string_view ahead(cursor_, static_cast<std::size_t>(std::min(end_ - cursor_, std::ptrdiff_t{16})));
  if (ahead.starts_with("--")) return take(TokenKind::symbol, 2);
  if (ahead.starts_with("@@@@")) return take(TokenKind::symbol, 4);
  for (const std::string_view draw : {"½-½", "½–½"}) {
    if (!ahead.starts_with(draw)) continue;
    Token token = take(TokenKind::result, draw.size());
    token.text = "1/2-1/2";
    return token;
  }
  if (const Glyph* found = find_glyph(ahead)) {
    Token token = take(TokenKind::nag, found->text.size());
    token.number = found->nag;
    return token;
  }
  for (const std::string_view harmless : {"+", "#", ",", "\u00A0", "\u200B", "…", "\uFEFF"}) {
    if (!ahead.starts_with(harmless)) continue;
    cursor_ += harmless.size();
    return std::nullopt;
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
      long_text_ = beginning({cursor_, length}, max_comment_bytes);
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
    if (const char* game = find_tag_line(cursor_ + searched, limit)) {
      return take(TokenKind::open_comment, static_cast<std::size_t>(game - cursor_));
    }
    if (close != nullptr) {
      const Token token = take(TokenKind::comment, static_cast<std::size_t>(limit - cursor_));
      ++cursor_;
      return token;
    }
    const auto length = static_cast<std::size_t>(end_ - cursor_);
    if (length > max_comment_bytes) return long_comment();
    searched = length > tag_line_start ? length - tag_line_start : 0;
    if (!refill()) return take(TokenKind::open_comment, static_cast<std::size_t>(end_ - cursor_));
  }
}

// Keeps the beginning and walks over the rest without holding it.
Token Lexer::long_comment() {
  long_text_ = beginning({cursor_, static_cast<std::size_t>(end_ - cursor_)}, max_comment_bytes);
  long_begin_ = place();
  Token token{TokenKind::long_comment, long_text_, {}, 0};
  for (;;) {
    const void* close = std::memchr(cursor_, '}', static_cast<std::size_t>(end_ - cursor_));
    const char* limit = close != nullptr ? static_cast<const char*>(close) : end_;
    if (const char* game = find_tag_line(cursor_, limit)) {
      token.kind = TokenKind::open_comment;
      cursor_ = game;
      break;
    }
    if (close != nullptr) {
      cursor_ = limit + 1;
      break;
    }
    cursor_ = std::max(cursor_, static_cast<const char*>(end_) - tag_line_start);
    token_ = cursor_;
    if (!refill()) {
      token.kind = TokenKind::open_comment;
      cursor_ = end_;
      break;
    }
  }
  return token;
}

// Whether a comment or glyph follows before the line ends.
bool Lexer::more_on_line() {
  token_ = cursor_;
  while (end_ - cursor_ < look_ahead && refill()) {
  }
  const char* p = cursor_;
  while (is_blank(*p)) ++p;
  return *p == '{' || *p == ';' || *p == '$';
}

std::string_view Lexer::ahead(std::size_t bytes) {
  const auto wanted = static_cast<std::ptrdiff_t>(bytes);
  while (end_ - cursor_ < wanted && refill()) {
  }
  const auto behind = static_cast<std::size_t>(std::min(end_ - cursor_, wanted));
  return {token_, static_cast<std::size_t>(cursor_ - token_) + behind};
}

Token Lexer::tag() {
  while (end_ - cursor_ < static_cast<std::ptrdiff_t>(max_tag_bytes) && refill()) {
  }
  const char* limit = std::min(static_cast<const char*>(end_), cursor_ + max_tag_bytes);
  // A bad tag costs itself: up to its bracket, or to the end of the line.
  const auto bad = [&] {
    const char* p = std::find_if(cursor_, limit, [](char c) { return c == ']' || is_line_end(c); });
    return take(TokenKind::bad_tag, static_cast<std::size_t>((p != limit && *p == ']' ? p + 1 : p) - cursor_));
  };
  const auto skip_blanks = [&](const char* p) { return std::find_if(p, limit, [](char c) { return !is_blank(c); }); };

  const char* name = skip_blanks(cursor_ + 1);
  const char* p = name;
  while (p < limit && in_tag_name(*p)) ++p;
  Token token{TokenKind::tag, {name, static_cast<std::size_t>(p - name)}, {}, 0};
  p = skip_blanks(p);
  if (token.text.empty() || p == limit || *p != '"') return bad();
  const char* value = ++p;
  // The closing quote is the first one that a bracket follows: files with bare quotes inside a value exist.
  for (; p < limit && !is_line_end(*p); ++p) {
    if (*p == '\\' && p + 1 < limit && !is_line_end(p[1])) {
      ++p;
    } else if (*p == '"') {
      const char* after = skip_blanks(p + 1);
      if (after < limit && *after == ']') {
        token.value = {value, static_cast<std::size_t>(p - value)};
        cursor_ = after + 1;
        return token;
      }
    }
  }
  return bad();
}

}  // namespace pm::pgn
