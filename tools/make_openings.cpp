// EngineScheduler the list of tools/list_openings.cjs (FEN, ECO code and name between tabs) into the table of src/book:
//   make_openings LIST OUT
// Positions are keyed by pieces and side to move; of two that are equal then the first one names both. Checkmates are
// left out.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "chess/draws.h"
#include "chess/fen.h"

namespace {

struct Named {
  std::string eco;
  std::string name;
};

// As a C++ string literal.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: make_openings LIST OUT\n", stderr);
    return 2;
  }
  std::ifstream list(argv[1]);
  std::map<std::uint64_t, Named> table;
  std::string line;
  for (int number = 1; std::getline(list, line); ++number) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const auto position = pm::chess::parse_fen(line.substr(0, first));
    if (second == std::string::npos || !position) {
      fmt::print(stderr, "{}:{}: expected a FEN, an ECO code and a name: {}\n", argv[1], number, line);
      return 1;
    }
    if (pm::chess::game_end(*position, 1) == pm::chess::GameEnd::checkmate) continue;
    table.try_emplace(position->placement_key(),
                      Named{line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  if (table.empty()) {
    fmt::print(stderr, "{}: no openings\n", argv[1]);
    return 1;
  }
  std::ofstream out(argv[2]);
  fmt::print(out, "constexpr std::array<std::uint64_t, {}> opening_keys{{{{\n", table.size());
  for (const auto& [key, named] : table) fmt::print(out, "{:#018x},\n", key);
  fmt::print(out, "}}}};\nconstexpr std::array<Opening, {}> openings{{{{\n", table.size());
  for (const auto& [key, named] : table) fmt::print(out, "{{{}, {}}},\n", quoted(named.eco), quoted(named.name));
  fmt::print(out, "}}}};\n");
  out.close();
  return out ? 0 : 1;
}
