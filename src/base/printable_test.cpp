#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace pm {
namespace {

TEST(Printable, shows_letters_and_nothing_that_moves_them) {
  const struct {
    const char* what;
    std::string text;
    std::string shown;
  } cases[] = {
      {"plain words", "Morphy, Paul", "Morphy, Paul"},
      {"nothing", "", ""},
      {"letters of all lengths", "Fischer \u00e9 \u2654 \U0001f600", "Fischer \u00e9 \u2654 \U0001f600"},
      {"Arabic and Hebrew", "\u0645\u062d\u0645\u062f \u05e9", "\u0645\u062d\u0645\u062f \u05e9"},
      {"an escape sequence", "a\x1b[31mb", "a?[31mb"},
      {"line breaks and tabs", "a\r\nb\tc", "a??b?c"},
      {"NUL and DEL", std::string("a\0b\x7f", 4), "a?b?"},
      {"controls of Latin-1", "a\u009b31mb\u0085", "a?31mb?"},
      {"embeddings and overrides", "\u202a\u202b\u202c\u202d\u202ex", "?????x"},
      {"isolates", "\u2066\u2067\u2068\u2069x", "????x"},
      {"marks", "\u200e\u200f\u061cx", "???x"},
      {"their neighbours stay", "\u200d\u2010\u2029\u202f\u2065\u206a\u061b",
       "\u200d\u2010\u2029\u202f\u2065\u206a\u061b"},
      {"a byte that some terminals take for a control",
       "a\x9b"
       "31m",
       "a?31m"},
      {"Latin-1 letters", "Gr\xfcnfeld", "Gr?nfeld"},
      {"a control written longer than it needs to be", "\xc0\x9b \xe0\x82\x9b", "?? ???"},
      {"a surrogate", "\xed\xa0\x80", "???"},
      {"beyond Unicode", "\xf4\x90\x80\x80", "????"},
      {"cut short", "a\xe2\x99", "a??"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(printable(each.text), each.shown) << each.what;
    EXPECT_EQ(is_printable(each.text), each.text == each.shown) << each.what;
    EXPECT_TRUE(is_printable(each.shown)) << each.what;
  }
}

TEST(Printable, of_unknown_encoding_only_ascii_is_left) { EXPECT_EQ(printable_ascii("a\x1b\u00e9z"), "a???z"); }

TEST(Error, sentences_are_fit_for_a_terminal) {
  EXPECT_EQ(fail(ErrorCode::file_open, "cannot open 'a\x1b]0;b\n'").value().sentence, "cannot open 'a?]0;b?'");
}

}  // namespace
}  // namespace pm
