#include "pgn/utf16.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

#include "pgn/text.h"

namespace pm::pgn {
namespace {

std::string converted(const std::string& bytes, std::size_t piece = std::string::npos, std::size_t room = 1000) {
  const auto source = as_utf8(std::make_unique<MemorySource>(bytes, piece));
  std::string all;
  std::string into(room, '\0');
  for (;;) {
    const std::size_t n = source->read(into).value();
    if (n == 0) return all;
    all.append(into.data(), n);
  }
}

std::string utf16(const std::u16string& text, bool little) {
  std::string bytes;
  for (const char16_t unit : u'\xFEFF' + text) {
    const auto high = static_cast<char>(unit >> 8);
    const auto low = static_cast<char>(unit & 0xFF);
    bytes += little ? low : high;
    bytes += little ? high : low;
  }
  return bytes;
}

TEST(Utf16, becomes_utf8_in_either_order_and_in_any_pieces) {
  const std::u16string text = u"[White \"Kőszegi é ♞ 😀\"] 1. e4";
  for (const bool little : {true, false}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::string::npos}) {
      EXPECT_EQ(converted(utf16(text, little), piece), "[White \"Kőszegi é ♞ 😀\"] 1. e4") << piece;
      EXPECT_EQ(converted(utf16(text, little), piece, 1), "[White \"Kőszegi é ♞ 😀\"] 1. e4") << piece;
    }
  }
}

TEST(Utf16, half_characters_are_replaced) {
  const std::u16string high(1, 0xD83D);
  const std::u16string low(1, 0xDE00);
  EXPECT_EQ(converted(utf16(u"a" + high + u"b", true)), "a\uFFFDb");
  EXPECT_EQ(converted(utf16(u"a" + low + u"b", false)), "a\uFFFDb");
  EXPECT_EQ(converted(utf16(high + high + low, true)), "\uFFFD😀");
  EXPECT_EQ(converted(utf16(u"a" + high, true)), "a\uFFFD");
  EXPECT_EQ(converted(utf16(u"a", true) + "x"), "a\uFFFD");
  EXPECT_EQ(converted("\xff\xfe"), "");
}

TEST(Utf16, everything_else_comes_through) {
  for (const char* text : {"", "a", "\xff", "\xfe", "\xfe\xfe", "\xef\xbb\xbf[White \"x\"]", "1. e4 *"}) {
    EXPECT_EQ(converted(text), text);
    EXPECT_EQ(converted(text, 1), text);
  }
  const std::string large(200'000, 'x');
  EXPECT_EQ(converted(large), large);
}

RC_GTEST_PROP(Utf16Property, is_valid_utf8_whatever_comes, (const std::string& bytes)) {
  for (const char* mark : {"\xff\xfe", "\xfe\xff"}) {
    const std::string text = converted(mark + bytes);
    RC_ASSERT(to_utf8(text) == text);
    RC_ASSERT(converted(mark + bytes, 1) == text);
  }
}

}  // namespace
}  // namespace pm::pgn
