#include "pgn/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pm::pgn {
namespace {

TEST(Text, utf8_is_kept) { EXPECT_EQ(to_utf8("Kőszegi é ♞ 😀"), "Kőszegi é ♞ 😀"); }

TEST(Text, anything_else_is_read_as_latin_1) {
  EXPECT_EQ(to_utf8("Andr\xE9"), "André");
  EXPECT_EQ(to_utf8("\xFC\xDF"), "üß");
}

TEST(Text, cyrillic_is_told_from_latin_1_by_its_words) {
  struct Case {
    const char* bytes;
    const char* text;
  };
  for (const Case& c :
       {Case{"\xCA\xE0\xF1\xEF\xE0\xF0\xEE\xE2, \xC3.", "Каспаров, Г."},
        Case{"\xCC\xEE\xF1\xEA\xE2\xE0 1985", "Москва 1985"}, Case{"\xCB\xE8", "Ли"},
        Case{"\xCA\xE0\xF0\xEF\xEE\xE2 - Karpov", "Карпов - Karpov"},
        Case{"\xB9 1, \xAB\xD1\xEF\xE0\xF0\xF2\xE0\xEA\xBB \x97 \xEB\xF3\xF7\xF8\xE5", "№ 1, «Спартак» — лучше"},
        Case{"\xCA\xE8\xBF\xE2", "Київ"},
        Case{"\xC8\xE2\xE0\xED\xF7\xF3\xEA Ivanchuk Nf3 \xE0", "Иванчук Ivanchuk Nf3 а"},
        // Latin-1
        Case{"Jos\xE9 Ra\xFAl Capablanca", "José Raúl Capablanca"}, Case{"\xD6st, \xC5sa", "Öst, Åsa"},
        Case{"\xC9t\xE9 \xE0 Orl\xE9\xE0ns", "Été à Orléàns"}, Case{"\xBFQu\xE9? \xA1Ol\xE9!", "¿Qué? ¡Olé!"},
        Case{"\xC4\xD6\xDC", "ÄÖÜ"}, Case{"\xDE\xF3r", "Þór"}, Case{"Gro\xDFmei\xDFter", "Großmeißter"}}) {
    EXPECT_EQ(to_utf8(c.bytes), c.text);
  }
}

TEST(Text, malformed_utf8_is_not_passed_on) {
  for (const char* bad :
       {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF8\x88"}) {
    EXPECT_NE(to_utf8(bad), bad);
    EXPECT_EQ(to_utf8(to_utf8(bad)), to_utf8(bad));  // what comes out is well-formed
  }
}

TEST(Text, white_space_is_squeezed) { EXPECT_EQ(squeeze("  a \r\n b\t\tc "), "a b c"); }

TEST(Text, a_backslash_before_anything_else_is_itself) { EXPECT_EQ(unescape(R"(a\nb\\c\")"), R"(a\nb\c")"); }

RC_GTEST_PROP(TextProperty, escapes_round_trip, (const std::string& value)) {
  RC_ASSERT(unescape(escape(value)) == value);
}

RC_GTEST_PROP(TextProperty, conversion_is_stable, (const std::string& bytes)) {
  RC_ASSERT(to_utf8(to_utf8(bytes)) == to_utf8(bytes));
}

}  // namespace
}  // namespace pm::pgn
