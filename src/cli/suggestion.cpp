#include "cli/suggestion.h"

#include <algorithm>

#include <fmt/format.h>

namespace pm::cli {
namespace {

constexpr std::size_t most_suggestions = 3;
constexpr std::size_t letters_per_slip = 3;  // a word may be wrong in one of so many letters, and in one at least

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // the row before the last
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

void Nearest::offer(std::string_view shown, std::size_t distance) {
  if (distance > std::max<std::size_t>(1, wanted_.size() / letters_per_slip)) return;
  if (std::any_of(best_.begin(), best_.end(), [&](const Near& each) { return each.word == shown; })) return;
  const auto place =
      std::find_if(best_.begin(), best_.end(), [&](const Near& each) { return each.distance > distance; });
  best_.insert(place, {distance, std::string(shown)});
  if (best_.size() > most_suggestions) best_.pop_back();
}

std::string Nearest::question() const {
  std::string list;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    const char* joint = i + 1 == best_.size() ? " or " : ", ";
    list += fmt::format("{}{}", i == 0 ? "" : joint, best_[i].word);
  }
  return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

}  // namespace pm::cli
