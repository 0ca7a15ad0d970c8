#include "engine/uci_lines.h"

#include <algorithm>

#include "base/numbers.h"

namespace pm::engine {
namespace {

constexpr int max_score = 1'000'000;
constexpr int max_depth = 10'000;
constexpr int max_multipv = 500;
constexpr std::size_t max_pv = 1'000;
constexpr std::size_t max_move = 15;  // "e7e8q" has five; what is longer is none

// Words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  std::string_view next() {
    const std::size_t begin = rest_.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return rest_ = {};
    const std::size_t end = std::min(rest_.find_first_of(" \t", begin), rest_.size());
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }

 private:
  std::string_view rest_;
};

std::optional<int> parse_between(std::string_view text, int least, int most) {
  const auto value = parse_number<int>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

}  // namespace

std::optional<std::string_view> text_after(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

std::optional<InfoLine> parse_info(std::string_view line) {
  Words words(line);
  if (words.next() != "info") return std::nullopt;
  InfoLine info;
  bool scored = false;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "string") return std::nullopt;
    if (word == "depth" || word == "multipv") {
      const bool depth = word == "depth";
      const auto value = parse_between(words.next(), depth ? 0 : 1, depth ? max_depth : max_multipv);
      if (!value) return std::nullopt;
      (depth ? info.depth : info.multipv) = *value;
    } else if (word == "score") {
      const std::string_view kind = words.next();
      const auto value = parse_between(words.next(), -max_score, max_score);
      if (!value || (kind != "cp" && kind != "mate")) return std::nullopt;
      info.is_mate = kind == "mate";
      info.score = *value;
      scored = true;
    } else if (word == "lowerbound") {
      info.bound = InfoLine::Bound::lower;
    } else if (word == "upperbound") {
      info.bound = InfoLine::Bound::upper;
    } else if (word == "wdl") {
      std::array<int, 3> wdl{};
      for (int& part : wdl) {
        const auto value = parse_between(words.next(), 0, 1'000);
        if (!value) return std::nullopt;
        part = *value;
      }
      info.wdl = wdl;
    } else if (word == "nodes") {
      info.nodes = parse_number<std::uint64_t>(words.next()).value_or(0);
    } else if (word == "pv") {
      for (word = words.next(); !word.empty() && word.size() <= max_move && info.pv.size() < max_pv;
           word = words.next())
        info.pv.emplace_back(word);
      break;
    }
  }
  return scored ? std::optional(std::move(info)) : std::nullopt;
}

std::optional<std::string> parse_option_name(std::string_view line) {
  const auto rest = text_after(line, "option name ");
  if (!rest) return std::nullopt;
  return std::string(rest->substr(0, rest->find(" type ")));
}

}  // namespace pm::engine
