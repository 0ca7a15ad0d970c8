#include "pgn/lexer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace pm::pgn {
namespace {

const char* name_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::end: return "end";
    case TokenKind::tag: return "tag";
    case TokenKind::bad_tag: return "bad_tag";
    case TokenKind::symbol: return "symbol";
    case TokenKind::number: return "number";
    case TokenKind::nag: return "nag";
    case TokenKind::comment: return "comment";
    case TokenKind::long_comment: return "long_comment";
    case TokenKind::open_comment: return "open_comment";
    case TokenKind::open_variation: return "(";
    case TokenKind::close_variation: return ")";
    case TokenKind::result: return "result";
    case TokenKind::bad: return "bad";
  }
  return "";
}

// All tokens as one text: "symbol:e4 nag:1 ...".
std::string tokens(std::string_view text, std::size_t piece = std::string_view::npos) {
  MemorySource source(text, piece);
  Lexer lexer(source);
  std::string all;
  for (Token t = lexer.next(); t.kind != TokenKind::end; t = lexer.next()) {
    if (!all.empty()) all += ' ';
    all += name_of(t.kind);
    if (t.kind == TokenKind::tag) {
      all += ':' + std::string(t.text) + '=' + std::string(t.value);
    } else if (t.kind == TokenKind::number || t.kind == TokenKind::nag) {
      all += ':' + std::to_string(t.number);
    } else if (t.kind != TokenKind::open_variation && t.kind != TokenKind::close_variation) {
      all += ':' + std::string(t.text);
    }
  }
  return all;
}

struct LexCase {
  const char* name;
  const char* text;
  const char* expected;
};

void PrintTo(const LexCase& c, std::ostream* out) { *out << c.name; }  // NOLINT: GoogleTest's name

class Lex : public testing::TestWithParam<LexCase> {};

TEST_P(Lex, cuts_into_tokens) { EXPECT_EQ(tokens(GetParam().text), GetParam().expected); }

TEST_P(Lex, does_not_depend_on_how_the_bytes_arrive) { EXPECT_EQ(tokens(GetParam().text, 1), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    table, Lex,
    testing::Values(
        LexCase{"nothing", "", ""}, LexCase{"white_space", " \t\r\n ", ""},
        LexCase{"tag", "[Event \"x\"]", "tag:Event=x"},
        LexCase{"tags_on_one_line", "[A \"1\"][B \"2\"]", "tag:A=1 tag:B=2"},
        LexCase{"tag_with_spaces", "[ Event   \"x y\" ]", "tag:Event=x y"},
        LexCase{"tag_with_escapes", R"([A "a \"b\" \\"])", R"(tag:A=a \"b\" \\)"},
        LexCase{"tag_with_bare_quotes", R"([A "the "big" one"])", R"(tag:A=the "big" one)"},
        LexCase{"tag_with_bracket", "[A \"[x]\"]", "tag:A=[x]"},
        LexCase{"tag_without_end", "[A \"x\ne4", "bad_tag:[A \"x symbol:e4"},
        LexCase{"tag_without_value", "[A]\ne4", "bad_tag:[A] symbol:e4"},
        LexCase{"moves", "1. e4 e5 2.Nf3", "number:1 symbol:e4 symbol:e5 number:2 symbol:Nf3"},
        LexCase{"black_number", "12... Nf6 13 . c4", "number:12 symbol:Nf6 number:13 symbol:c4"},
        LexCase{"results", "1-0 0-1 1/2-1/2 * 1/2 ½-½",
                "result:1-0 result:0-1 result:1/2-1/2 result:* result:1/2-1/2 result:1/2-1/2"},
        LexCase{"castling_with_zeros", "0-0 0-0-0+", "symbol:0-0 symbol:0-0-0+"},
        LexCase{"promotion_in_brackets", "e8(Q) (e4)", "symbol:e8(Q) ( symbol:e4 )"},
        LexCase{"move_glyphs", "e4! e5?? Nf3!? Nc6?!",
                "symbol:e4 nag:1 symbol:e5 nag:4 symbol:Nf3 nag:5 symbol:Nc6 nag:6"},
        LexCase{"numbered_glyphs", "e4 $1 $146", "symbol:e4 nag:1 nag:146"},
        LexCase{"number_too_large", "e4 $256 e5", "symbol:e4 symbol:e5"},
        LexCase{"dollar_alone", "$ e4", "bad:$ symbol:e4"},
        LexCase{"evaluations", "e4 +- = ∞ +/=", "symbol:e4 nag:18 nag:10 nag:13 nag:14"},
        LexCase{"evaluations_attached", "Nf3+- e4= Qh5+-+", "symbol:Nf3 nag:18 symbol:e4 nag:10 symbol:Qh5+ nag:19"},
        LexCase{"checks_are_not_evaluations", "Nf3+ e8=Q+ Qh5#", "symbol:Nf3+ symbol:e8=Q+ symbol:Qh5#"},
        LexCase{"null_moves", "-- Z0 @@@@", "symbol:-- symbol:Z0 symbol:@@@@"},
        LexCase{"comment", "{a [b] (c) ;d\n e}", "comment:a [b] (c) ;d\n e"},
        LexCase{"comment_to_the_end_of_line", "e4 ; good {\ne5", "symbol:e4 comment: good { symbol:e5"},
        LexCase{"comment_at_the_end_of_input", "; last", "comment: last"},
        LexCase{"escaped_line", "% [x] {\ne4", "symbol:e4"},
        LexCase{"percent_in_a_line", "e4 % e5", "symbol:e4 bad:% symbol:e5"},
        LexCase{"escaped_line_after_crlf", "e4\r\n%x\r\ne5", "symbol:e4 symbol:e5"},
        LexCase{"byte_order_mark", "\xEF\xBB\xBF[A \"1\"]", "tag:A=1"},
        LexCase{"byte_order_mark_and_escape", "\xEF\xBB\xBF%x\ne4", "symbol:e4"},
        LexCase{"comment_never_closed", "{a b", "open_comment:a b"},
        LexCase{"comment_closed_by_the_next_game", "{a b\n[Event \"2\"]", "open_comment:a b\n tag:Event=2"},
        LexCase{"comment_closed_by_any_tag_line", "{a\r[White\t\"w\"]", "open_comment:a\r tag:White=w"},
        LexCase{"comment_with_a_bracket_in_a_line", "{a [White \"w\"]}", "comment:a [White \"w\"]"},
        LexCase{"en_passant_marks", "exd6e.p. exd6 e.p. exd6 ep", "symbol:exd6e.p. symbol:exd6 symbol:exd6"},
        LexCase{"detached_signs", "Nf3 + Qh5 #", "symbol:Nf3 symbol:Qh5"},
        LexCase{"invisible_characters", "1.\u00A0e4\u200B 1… e5, \uFEFF\x1a", "number:1 symbol:e4 number:1 symbol:e5"},
        LexCase{"results_with_a_dash_of_print", "1–0 0–1 ½–½", "result:1-0 result:0-1 result:1/2-1/2"},
        LexCase{"bad_tag_beside_good_ones", "[A \"1\"][Round 1][B \"2\"] e4",
                "tag:A=1 bad_tag:[Round 1] tag:B=2 symbol:e4"},
        LexCase{"stray_brackets", "} ] <", "bad:} bad:] bad:<"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Lexer, places_count_lines_and_columns_from_one) {
  MemorySource source("[A \"1\"]\r\n\r\n1. e4\n  {x\n y} e5", 3);
  Lexer lexer(source);
  std::string places;
  for (Token t = lexer.next(); t.kind != TokenKind::end; t = lexer.next()) {
    const Place p = lexer.place();
    places += std::to_string(p.line) + ":" + std::to_string(p.column) + " ";
  }
  EXPECT_EQ(places, "1:1 3:1 3:4 4:3 5:5 ");
}

TEST(Lexer, lines_of_old_macs_are_counted_too) {
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1}, std::size_t{3}}) {
    MemorySource source("[A \"1\"]\r\r1. e4\r e5\r\n\r\nNf3\r", piece);
    Lexer lexer(source);
    std::string places;
    for (Token t = lexer.next(); t.kind != TokenKind::end; t = lexer.next()) {
      const Place p = lexer.place();
      places += std::to_string(p.line) + ":" + std::to_string(p.column) + " ";
    }
    EXPECT_EQ(places, "1:1 3:1 3:4 4:2 6:1 ");
  }
}

TEST(Lexer, a_put_back_token_comes_again) {
  MemorySource source("e4 e5");
  Lexer lexer(source);
  const Token first = lexer.next();
  lexer.put_back(first);
  EXPECT_EQ(lexer.next().text, "e4");
  EXPECT_EQ(lexer.next().text, "e5");
}

TEST(Lexer, zero_bytes_and_endless_words_are_bad_tokens) {
  const std::string text = std::string("e4 \0 e5 ", 8) + std::string(100'000, 'x') + " 1-0";
  MemorySource source(text);
  Lexer lexer(source);
  std::size_t bad = 0;
  Token last;
  for (Token t = lexer.next(); t.kind != TokenKind::end; t = lexer.next()) {
    if (t.kind == TokenKind::bad) ++bad;
    last = t;
  }
  EXPECT_GT(bad, 100U);
  EXPECT_EQ(last.text, "1-0");
}

RC_GTEST_PROP(LexerProperty, pieces_make_no_difference, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("{}[]();%$\"\\ \n\re4N1.-0/*=+!?A\xC3\xA9")));
  const auto piece = *rc::gen::inRange<std::size_t>(1, 9);
  RC_ASSERT(tokens(text) == tokens(text, piece));
}

}  // namespace
}  // namespace pm::pgn
