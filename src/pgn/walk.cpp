#include "pgn/walk.h"

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

}  // namespace pm::pgn
