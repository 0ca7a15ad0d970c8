// Which games of the files are meant: by number (--games) and by player (--player).
//
//   auto selection = parse_selection("2,5,9-12", {"Carlsen, Magnus"});
//   while (!selection->over(seen) && (game = next())) if (selection->wants(++seen, game->tags)) use(game);
//   for (const std::string& sentence : selection->strangers()) tell(sentence);
//
// A value; one thread.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/suggestion.h"
#include "pgn/game.h"

namespace pm::cli {

// A name as names are compared: small letters, the words in alphabetical order, no commas. "Carlsen, Magnus" and
// "Magnus CARLSEN" are one.
std::string name_key(std::string_view name);

class GameSelection {
 public:
  // Whether a game is meant; `number` counts from 1 over all files. Remembers whom it has seen, for strangers().
  bool wants(std::size_t number, const std::vector<pgn::Tag>& tags);
  // No game after the first `seen` is meant.
  bool over(std::size_t seen) const { return seen >= ranges_.back().last; }
  // For each player nobody was: a sentence, with the names that are near.
  std::vector<std::string> strangers() const;

 private:
  friend Expected<GameSelection> parse_selection(std::string_view games, const std::vector<std::string>& players);

  // Both ends included.
  struct Range {
    std::size_t first = 1;
    std::size_t last = std::numeric_limits<std::size_t>::max();
  };
  struct Player {
    std::string name;  // as it was given
    std::string key;
    Nearest nearest;
    bool found = false;
  };

  static std::optional<Range> parse_range(std::string_view text);
  static std::optional<std::vector<Range>> parse_ranges(std::string_view text);
  bool has_number(std::size_t number) const;
  bool has_player(std::string_view name);

  std::vector<Range> ranges_{Range{}};  // in order, apart from each other
  std::vector<Player> players_;         // none: all games
};

// `games`: numbers and ranges such as 2,5,9-12 or -3,7-; empty: all. `players`: games of any of them; none: of anybody.
Expected<GameSelection> parse_selection(std::string_view games, const std::vector<std::string>& players);

}  // namespace pm::cli
