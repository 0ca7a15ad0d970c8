#include "cli/game_count.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "pgn/main_line.h"

namespace pm::cli {
namespace {

bool can_be_read_again(const std::string& file) {
  std::error_code ignored;
  return file != "-" && (std::filesystem::is_regular_file(file, ignored) || !std::filesystem::exists(file, ignored));
}

}  // namespace

std::optional<ReviewTotals> count_games(const std::vector<std::string>& files, GameSelection selection,
                                        const std::stop_token& stop) {
  if (!std::all_of(files.begin(), files.end(), can_be_read_again)) return std::nullopt;
  ReviewTotals totals;
  std::size_t seen = 0;
  for (const std::string& file : files) {
    const auto source = pgn::open_source(file);
    if (!source) continue;
    pgn::MainLineReader reader(**source);
    while (!selection.over(seen)) {
      if (stop.stop_requested()) return std::nullopt;
      const pgn::MainLine* game = reader.next();
      if (game == nullptr) break;
      if (!selection.wants(++seen, game->tags)) continue;
      ++totals.games;
      totals.plies += game->moves.size();
    }
  }
  return totals;
}

}  // namespace pm::cli
