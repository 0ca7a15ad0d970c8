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
      {"separators of lines and paragraphs", "\u2028\u2029x", "??x"},
      {"their neighbours stay", "\u200d\u2010\u2027\u202f\u2065\u206a\u061b",
       "\u200d\u2010\u2027\u202f\u2065\u206a\u061b"},
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

TEST(OneSentence, KeepsTextAndTakesOutWhatATerminalWouldObey) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Nf3 is not a legal move", "Nf3 is not a legal move"},
      {"M\u00fcller, \u0413\u0430\u0440\u0440\u0438, \U0001f600",
       "M\u00fcller, \u0413\u0430\u0440\u0440\u0438, \U0001f600"},
      {"a\x1b[31mb\r\nc\td\x7f", "a?[31mb??c?d?"},
      {"a\u0085b\u009bc", "a?b?c"},
      {"a\u202eb\u2066c\u200fd\u2028e", "a?b?c?d?e"},
      {"\xff\xc3x\xc3", "??x?"},
      {"\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe0\x80\x80", "?? ??? ???? ???"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(one_sentence(text), expected);
}

TEST(OneSentence, LeavesOutTheMiddleOfWhatIsLong) {
  EXPECT_EQ(one_sentence("a path that is long: no such file", 25), "a path tha ...  such file");
  const std::string long_text = one_sentence(std::string(100'000, 'x') + "\u00e9", 600);
  EXPECT_LE(long_text.size(), 600U);
  EXPECT_TRUE(long_text.ends_with("x\u00e9"));
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "\u00e9";
  for (std::size_t most = 20; most < 30; ++most) {
    EXPECT_LE(one_sentence(accents, most).size(), most) << "and never within a character";
  }
}

}  // namespace
}  // namespace pm
