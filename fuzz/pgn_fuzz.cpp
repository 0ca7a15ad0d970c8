// Any bytes as a PGN file: read whole or byte by byte the same games come out, and what is written reads back the same.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "pgn/main_line.h"
#include "pgn/reader.h"
#include "pgn/utf16.h"
#include "pgn/writer.h"

using namespace pm::pgn;

namespace {

std::vector<ReadGame> read_all(std::string_view text, std::size_t piece) {
  const auto source = as_utf8(std::make_unique<MemorySource>(text, piece));
  GameReader reader(*source);
  std::vector<ReadGame> games;
  while (auto game = reader.next()) games.push_back(std::move(*game));
  return games;
}

bool has_problem(const ReadGame& read, const std::string& message) {
  return std::any_of(read.problems.begin(), read.problems.end(),
                     [&](const Problem& p) { return p.message == message; });
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<ReadGame> games = read_all(text, std::string_view::npos);
  const std::vector<ReadGame> same = read_all(text, 1);
  require(games.size() == same.size(), "pieces make no difference to the number of games");
  for (std::size_t i = 0; i < games.size(); ++i) {
    require(same_tree(games[i].game, same[i].game), "pieces make no difference to a game");
    require(games[i].problems == same[i].problems, "pieces make no difference to problems");
    const std::string written = write_game(games[i].game);
    const std::vector<ReadGame> again = read_all(written, std::string_view::npos);
    require(again.size() == 1, "what was written is one game");
    // Tags are kept as they were, so one that asks for an impossible start does so again.
    for (const Problem& p : again[0].problems) require(has_problem(games[i], p.message), "no new problem is written");
    require(same_tree(again[0].game, games[i].game), "reading what was written gives the same tree");
  }
  // The fast path does not look into variations, so it may go on where the other one stops; but whatever is read
  // without a problem must come out the same.
  for (const ReadGame& read : games) {
    if (!read.problems.empty()) return 0;
  }
  const auto source = as_utf8(std::make_unique<MemorySource>(text));
  MainLineReader lines(*source);
  for (const ReadGame& read : games) {
    const MainLine* line = lines.next();
    require(line != nullptr, "the fast path sees as many games");
    require(line->result == read.game.result && line->start == read.game.start, "the fast path sees the same game");
    std::size_t ply = 0;
    for (NodeId n = read.game.main_move(Game::root); n != Game::none; n = read.game.main_move(n)) {
      require(ply < line->moves.size() && line->moves[ply] == read.game.node(n).move, "and the same moves");
      ++ply;
    }
    require(ply == line->moves.size(), "and no more moves");
  }
  require(lines.next() == nullptr, "the fast path sees no more games");
  return 0;
}
