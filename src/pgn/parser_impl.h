// The templates of parser.h, included by it.
#pragma once

#include <utility>

#include <fmt/format.h>

#include "base/printable.h"
#include "pgn/text.h"

namespace pm::pgn {

template <class V>
void GameParser::report(V& visitor, std::string_view message, Place place) {
  heard_ = true;
  visitor.problem(Problem{place, games_ + 1, printable(message)});
}

template <class V>
GameParser::Step GameParser::broken(V& visitor, std::string_view message) {
  report(visitor, message, lexer_.place());
  return Step::broken;
}

template <class V>
void GameParser::tag(V& visitor, const Token& token) {
  if (token.text == "FEN") {
    fen_ = to_utf8(unescape(token.value)).substr(0, max_fen_bytes);
    fen_place_ = lexer_.place();
  } else if (token.text == "Variant") {
    variant_ = to_utf8(unescape(token.value)).substr(0, max_fen_bytes);
    variant_place_ = lexer_.place();
  } else if (token.text == "Event") {
    event_seen_ = true;
  } else if (token.text == "Result") {
    result_ = parse_result(token.value);
  }
  heard_ = true;
  ++tags_;
  if (tags_ <= max_tags) visitor.tag(token.text, token.value);
  if (tags_ == max_tags + 1) report(visitor, fmt::format("more than {} tags in one game", max_tags), lexer_.place());
}

// Places the pieces once all tags are known. False when there is no such position.
template <class V>
bool GameParser::set_up(V& visitor) {
  started_ = true;
  lines_.clear();
  if (is_other_variant(variant_)) {
    constexpr std::size_t longest_shown = 40;
    report(visitor,
           fmt::format("the variant {} is not supported; expected standard chess or Chess960",
                       one_sentence(variant_, longest_shown)),
           variant_place_);
    return false;
  }
  chess::Position start = chess::Position::start();
  if (!fen_.empty()) {
    const auto position = chess::parse_fen(fen_);
    if (!position) {
      const Error& error = position.error();
      report(visitor, fmt::format("bad FEN tag: {} (character {} of the FEN)", error.sentence, error.place.column),
             fen_place_);
      return false;
    }
    start = *position;
  }
  lines_.push_back({start, start, false, {}});
  visitor.start(start);
  return true;
}

inline bool GameParser::starts_next_game(const Token& token) const {
  if (token.kind == TokenKind::tag) return started_ || (event_seen_ && token.text == "Event");
  // Games without tags run together: the numbers start again. Inside a variation that may be right, unless a result
  // has just been read there: then the variation was never closed.
  if (!is_move_one(token) || main_plies_ < 2) return false;
  return lines_.size() == 1 ? lines_.front().now.move_number() > 1 : result_just_seen_;
}

// At the first move whose letters tell: finds out the language of the game. Returns the move's text, which may have
// been moved.
template <class V>
std::string_view GameParser::settle_letters(V& visitor, std::string_view text) {
  const bool main_line = lines_.size() == 1;
  if (!has_foreign_letter(text)) {
    const bool english = text.front() == 'N' || text.front() == 'B' || text.front() == 'Q';
    letters_settled_ = main_line && english;
    return text;
  }
  letters_settled_ = true;
  const std::size_t length = text.size();
  const std::string_view ahead = lexer_.ahead(letters_window);
  const auto languages = languages_of(lines_.front().now, ahead, lines_.size() - 1);
  if (!languages.empty()) {
    language_ = languages.front();
    visitor.problem(Problem{lexer_.place(), games_ + 1,
                            fmt::format("read with {} piece letters", language_names(languages)), true});
  }
  return ahead.substr(0, length);
}

template <class V>
GameParser::Step GameParser::symbol(V& visitor, std::string_view text) {
  if (plies_ == max_plies) return broken(visitor, fmt::format("more than {} moves in one game", max_plies));
  if (!letters_settled_) text = settle_letters(visitor, text);
  Line& line = lines_.back();
  const chess::SanResult san = language_ == chess::Language::english ? chess::resolve_san(line.now, text)
                                                                     : chess::resolve_san(line.now, text, language_);
  if (!san.ok) return broken(visitor, chess::parse_san(line.now, text, language_).error().sentence);
  heard_ = true;
  ++plies_;
  if (lines_.size() == 1) ++main_plies_;
  visitor.move(line.now, san.move);
  if constexpr (V::wants_variations) line.before = line.now;
  line.now.play(san.move);
  line.moved = true;
  return Step::more;
}

template <class V>
GameParser::Step GameParser::open_variation(V& visitor) {
  if (!lines_.back().moved) return broken(visitor, "expected a move, found '(': a variation needs a move to replace");
  const Place place = lexer_.place();
  if constexpr (!V::wants_variations) {
    const Token end = skip_variation(1);
    if (end.kind == TokenKind::close_variation) return Step::more;
    report(visitor, "this variation is never closed: expected ')'", place);
    lexer_.put_back(end);
    return Step::finished;
  }
  if (lines_.size() > max_variation_depth) {
    return broken(visitor, fmt::format("variations nested more than {} deep", max_variation_depth));
  }
  const chess::Position start = lines_.back().before;
  lines_.push_back({start, start, false, place});
  visitor.open_variation();
  return Step::more;
}

// Reads up to the bracket that closes the last of `depth` open ones and returns it, or the token that shows that there
// is none.
inline Token GameParser::skip_variation(std::size_t depth) {
  bool after_result = false;
  for (;;) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::open_variation) ++depth;
    if (token.kind == TokenKind::close_variation && --depth == 0) return token;
    if (token.kind == TokenKind::end || token.kind == TokenKind::tag) return token;
    if (after_result && is_move_one(token) && main_plies_ >= 2) return token;
    after_result = token.kind == TokenKind::result;
  }
}

// A fault in a variation costs the rest of that variation, not the game. `depth` as for skip_variation().
template <class V>
GameParser::Step GameParser::skip_broken_variation(V& visitor, std::size_t depth) {
  const Place opened = lines_.back().opened;
  const Token end = skip_variation(depth);
  if (end.kind == TokenKind::close_variation) return close_variation(visitor);
  report(visitor, "this variation is never closed: expected ')'", opened);
  lexer_.put_back(end);
  close_all(visitor);
  return Step::finished;
}

template <class V>
GameParser::Step GameParser::close_variation(V& visitor) {
  if (lines_.size() == 1) return broken(visitor, "found ')' without the '(' it closes");
  lines_.pop_back();
  visitor.close_variation();
  return Step::more;
}

template <class V>
void GameParser::comment(V& visitor, const Token& token) {
  if (token.kind == TokenKind::long_comment) {
    report(visitor, fmt::format("a comment of more than {} bytes was cut", max_comment_bytes), lexer_.place());
  } else if (token.kind == TokenKind::open_comment) {
    report(visitor, "this comment is never closed: expected '}'", lexer_.place());
  }
  visitor.comment(token.text);
}

template <class V>
GameParser::Step GameParser::step(V& visitor, const Token& token) {
  switch (token.kind) {
    case TokenKind::symbol: return symbol(visitor, token.text);
    case TokenKind::nag: visitor.nag(token.number); return Step::more;
    case TokenKind::open_variation: return open_variation(visitor);
    case TokenKind::close_variation: return close_variation(visitor);
    case TokenKind::result:
      heard_ = true;
      if (lines_.size() > 1) return Step::more;  // annotators end variations with a result too
      result_ = parse_result(token.text);
      trailing_comments(visitor);
      return Step::finished;
    default: break;
  }
  const char found = token.text.empty() ? '\0' : token.text.front();
  const bool printable = found > ' ' && found <= '~';
  return broken(visitor, printable ? fmt::format("expected a move, a comment or a result, found '{}'", found)
                                   : fmt::format("expected a move, a comment or a result, found the byte 0x{:02x}",
                                                 static_cast<unsigned char>(found)));
}

// Variations that are still open when the game ends.
template <class V>
void GameParser::close_all(V& visitor) {
  for (; lines_.size() > 1; lines_.pop_back()) visitor.close_variation();
}

// What stands behind the result on its line still belongs to the game.
template <class V>
void GameParser::trailing_comments(V& visitor) {
  while (lexer_.more_on_line()) {
    const Token token = lexer_.next();
    if (is_comment(token)) comment(visitor, token);
  }
}

// Goes on to where the next game begins; `depth` brackets are open.
inline void GameParser::skip_rest_of_game(std::size_t depth) {
  bool after_result = false;
  for (;;) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::end) return;
    if (token.kind == TokenKind::tag || (is_move_one(token) && (depth == 0 || after_result))) {
      lexer_.put_back(token);
      return;
    }
    if (token.kind == TokenKind::open_variation) ++depth;
    if (token.kind == TokenKind::close_variation && depth > 0) --depth;
    after_result = token.kind == TokenKind::result;
    if (after_result && depth == 0) return;
  }
}

inline void GameParser::reset() {
  plies_ = main_plies_ = tags_ = 0;
  event_seen_ = started_ = heard_ = result_just_seen_ = false;
  result_ = Result::unknown;
  language_ = chess::Language::english;
  letters_settled_ = false;
  fen_.clear();
  variant_.clear();
  lines_.clear();
}

template <class V>
bool GameParser::parse(V& visitor) {
  reset();
  for (;;) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::end) {
      if (!heard_) return false;
      break;
    }
    if (starts_next_game(token)) {
      lexer_.put_back(token);
      break;
    }
    result_just_seen_ = token.kind == TokenKind::result;
    if (token.kind == TokenKind::tag) {
      tag(visitor, token);
      continue;
    }
    if (token.kind == TokenKind::bad_tag) {
      report(visitor, "bad tag: expected [Name \"value\"]", lexer_.place());
      continue;
    }
    if (is_comment(token)) {  // may stand before the tags, so it says nothing about the start
      comment(visitor, token);
      continue;
    }
    if (!started_ && token.kind == TokenKind::nag) continue;  // of no move
    if (token.kind == TokenKind::number) {                    // makes no game by itself
      visitor.move_number();
      continue;
    }
    if (!started_ && !set_up(visitor)) {
      if (token.kind == TokenKind::result) {
        result_ = parse_result(token.text);
      } else {
        skip_rest_of_game(token.kind == TokenKind::open_variation ? 1 : 0);
      }
      break;
    }
    Step step = this->step(visitor, token);
    const std::size_t just_opened = token.kind == TokenKind::open_variation ? 1 : 0;
    if (step == Step::broken && lines_.size() > 1 && plies_ < max_plies) {
      step = skip_broken_variation(visitor, 1 + just_opened);
    }
    if (step == Step::finished) break;
    if (step == Step::more) continue;
    const std::size_t depth = lines_.size() - 1 + just_opened;
    close_all(visitor);
    skip_rest_of_game(depth);
    if (tags_ > 0 || plies_ > 0) break;
    started_ = false;  // only rubbish so far: a game may still come
  }
  if (!started_) set_up(visitor);
  if (lines_.size() > 1) report(visitor, "this variation is never closed: expected ')'", lines_.back().opened);
  close_all(visitor);
  visitor.result(result_);
  ++games_;
  return true;
}

}  // namespace pm::pgn
