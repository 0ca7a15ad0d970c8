// How a game ended, as PGN writes it.
#pragma once

#include <cstdint>
#include <string_view>

namespace pm::pgn {

enum class Result : std::uint8_t { unknown, white_wins, black_wins, draw };

std::string_view format_result(Result result);
Result parse_result(std::string_view text);  // anything unknown is Result::unknown

}  // namespace pm::pgn
