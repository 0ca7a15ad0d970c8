#include "pgn/parser.h"

#include <algorithm>

namespace pm::pgn {

std::string_view format_result(Result result) {
  switch (result) {
    case Result::white_wins: return "1-0";
    case Result::black_wins: return "0-1";
    case Result::draw: return "1/2-1/2";
    default: return "*";
  }
}

Result parse_result(std::string_view text) {
  for (const Result r : {Result::white_wins, Result::black_wins, Result::draw}) {
    if (text == format_result(r)) return r;
  }
  return Result::unknown;
}

bool is_other_variant(std::string_view name) {
  constexpr std::array<std::string_view, 18> others{
      "antichess", "atomic",   "bughouse",   "crazyhouse",    "duck",    "duckchess",
      "fogofwar",  "giveaway", "horde",      "kingofthehill", "losers",  "racingkings",
      "suicide",   "3check",   "threecheck", "shogi",         "xiangqi", "seirawan"};
  std::string plain;  // small letters and digits only: "Racing Kings" and "racingKings" are the same
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return std::find(others.begin(), others.end(), plain) != others.end();
}

}  // namespace pm::pgn
