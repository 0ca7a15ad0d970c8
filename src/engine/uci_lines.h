// What a UCI engine prints, line by line. Pure: text in, values out; nothing here trusts the engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pm::engine {

// "info depth 18 multipv 1 score cp 31 nodes 12345 pv e2e4 e7e5": only lines that carry a score.
struct InfoLine {
  enum class Bound : std::uint8_t { exact, lower, upper };
  int depth = 0;
  int multipv = 1;
  bool is_mate = false;
  int score = 0;  // centipawns or moves to mate, from the side to move; mate 0 or less: it is mated
  Bound bound = Bound::exact;
  std::uint64_t nodes = 0;
  std::optional<std::array<int, 3>> wdl;  // wins, draws and losses of a thousand games, where the engine says
  std::vector<std::string> pv;
};
// Nothing when the line is something else, or carries no score, or makes no sense.
std::optional<InfoLine> parse_info(std::string_view line);

// "option name Hash type spin default 16 min 1 max 33554432": the name.
std::optional<std::string> parse_option_name(std::string_view line);

// The text after a prefix such as "id name ", or nothing.
std::optional<std::string_view> text_after(std::string_view line, std::string_view prefix);

}  // namespace pm::engine
