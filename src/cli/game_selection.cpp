#include "cli/game_selection.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/printable.h"
#include "base/words.h"

namespace pm::cli {
namespace {

// Unicode's simple case mapping, for Latin, Greek and Cyrillic: what two bytes of UTF-8 can say.
unsigned small_letter(unsigned c) {
  const auto within = [c](unsigned first, unsigned last) { return c >= first && c <= last; };
  if (within('A', 'Z') || (within(0xC0, 0xDE) && c != 0xD7) || within(0x391, 0x3A9) || within(0x410, 0x42F)) {
    return c + 0x20;
  }
  if (within(0x400, 0x40F)) return c + 0x50;
  const bool even_capitals = within(0x100, 0x137) || within(0x14A, 0x177);
  const bool odd_capitals = within(0x139, 0x148) || within(0x179, 0x17E);
  return (even_capitals && c % 2 == 0) || (odd_capitals && c % 2 == 1) ? c + 1 : c;
}

std::string small_letters(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0xC3 && byte < 0xE0 && i + 1 < text.size()) {
      const unsigned c = small_letter((byte & 0x1FU) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3FU));
      result += static_cast<char>(0xC0 | c >> 6);
      result += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      result += static_cast<char>(byte < 0x80 ? small_letter(byte) : byte);
    }
  }
  return result;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = take_until(text, ' ');
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

// Word by word, so that a slip in a first letter does not change the order; a word only the other name has is a slip
// too: "Morphy" is near "Morphy, Paul".
std::size_t name_distance(const std::string& wanted, const std::string& other) {
  const auto words = words_of(wanted);
  const auto others = words_of(other);
  std::size_t sum = others.size() > words.size() ? others.size() - words.size() : 0;
  for (const std::string& word : words) {
    std::size_t least = word.size();
    for (const std::string& each : others) least = std::min(least, edit_distance(word, each));
    sum += least;
  }
  return sum;
}

}  // namespace

std::string name_key(std::string_view name) {
  std::string text = small_letters(name);
  std::replace(text.begin(), text.end(), ',', ' ');
  auto words = words_of(text);
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

std::optional<GameSelection::Range> GameSelection::parse_range(std::string_view text) {
  const auto number_of = [](std::string_view digits, std::size_t otherwise) {
    return digits.empty() ? otherwise : parse_number<std::size_t>(digits).value_or(0);  // there is no game 0
  };
  if (text == "-") return std::nullopt;
  const std::size_t dash = text.find('-');
  Range range;
  if (dash == std::string_view::npos) {
    range.first = range.last = number_of(text, 0);
  } else {
    range.first = number_of(text.substr(0, dash), range.first);
    range.last = number_of(text.substr(dash + 1), range.last);
  }
  return range.first > 0 && range.first <= range.last ? std::optional(range) : std::nullopt;
}

std::optional<std::vector<GameSelection::Range>> GameSelection::parse_ranges(std::string_view text) {
  std::vector<Range> ranges;
  for (std::size_t pieces = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')); pieces > 0;
       --pieces) {
    const auto range = parse_range(take_until(text, ','));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> merged;
  for (const Range& each : ranges) {
    if (merged.empty() || each.first > merged.back().last) {
      merged.push_back(each);
    } else {
      merged.back().last = std::max(merged.back().last, each.last);
    }
  }
  return merged;
}

bool GameSelection::has_number(std::size_t number) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), number,
                                      [](std::size_t n, const Range& range) { return n < range.first; });
  return after != ranges_.begin() && number <= std::prev(after)->last;
}

bool GameSelection::has_player(std::string_view name) {
  const std::string key = name_key(name);
  bool any = false;
  for (Player& player : players_) {
    if (player.key == key) {
      player.found = any = true;
    } else if (!player.found && !key.empty()) {
      player.nearest.offer(printable(name), name_distance(player.key, key));
    }
  }
  return any;
}

bool GameSelection::wants(std::size_t number, const std::vector<pgn::Tag>& tags) {
  if (!has_number(number)) return false;
  if (players_.empty()) return true;
  bool any = false;
  for (const pgn::Tag& tag : tags) {
    if ((tag.name == "White" || tag.name == "Black") && has_player(tag.value)) any = true;
  }
  return any;
}

std::vector<std::string> GameSelection::strangers() const {
  std::vector<std::string> sentences;
  for (const Player& player : players_) {
    if (player.found) continue;
    sentences.push_back(fmt::format("--player {}: no game of that player{}", player.name, player.nearest.question()));
  }
  return sentences;
}

Expected<GameSelection> parse_selection(std::string_view games, const std::vector<std::string>& players) {
  GameSelection selection;
  if (!games.empty()) {
    auto ranges = GameSelection::parse_ranges(games);
    if (!ranges) {
      return fail(ErrorCode::bad_input,
                  fmt::format("--games {}: expected game numbers such as 3, 3-7, 3-, -7 or 2,5,9-12", games));
    }
    selection.ranges_ = std::move(*ranges);
  }
  for (const std::string& name : players) {
    const std::string key = name_key(name);
    if (key.empty()) return fail(ErrorCode::bad_input, "--player: expected a name");
    selection.players_.push_back({name, key, Nearest(key)});
  }
  return selection;
}

}  // namespace pm::cli
