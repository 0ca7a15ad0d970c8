#include "base/printable.h"

#include <gtest/gtest.h>

namespace pm {
namespace {

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
