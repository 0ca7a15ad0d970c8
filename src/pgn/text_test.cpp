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
