#include "cli/puzzle_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::cli {
namespace {

constexpr std::size_t piece_bytes = 1U << 16;
constexpr std::size_t most_row_bytes = 1U << 16;  // a row without end must not fill the memory

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

human::Solution solution_of(const Puzzle& puzzle) {
  chess::PositionHistory history(puzzle.line.error()->before);
  history.play(puzzle.line.error()->move);
  human::Solution solution{history, {}};
  for (std::size_t i = 0; i < puzzle.line.size(); ++i) solution.moves.push_back(puzzle.line[i].move);
  return solution;
}

bool PuzzleFile::fill() {
  if (error_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + piece_bytes);
  const auto n = source_.read({buffer_.data() + had, piece_bytes});
  if (!n) error_ = n.error();
  buffer_.resize(had + n.value_or(0));
  return n.value_or(0) > 0;
}

// Fields may stand in quotes, and hold commas, line ends and doubled quotes there.
std::optional<std::vector<std::string>> PuzzleFile::next_row() {
  std::vector<std::string> row(1);
  bool quoted = false;
  std::size_t bytes = 0;
  row_line_ = ++line_;
  while (at_ < buffer_.size() || fill()) {
    const char c = buffer_[at_++];
    if (++bytes > most_row_bytes) {
      error_ = Error{ErrorCode::file_read, fmt::format("line {} is longer than a puzzle", row_line_), {}};
      return std::nullopt;
    }
    if (c == '"') {
      const bool doubled = quoted && (at_ < buffer_.size() || fill()) && buffer_[at_] == '"';
      if (doubled) {
        row.back() += buffer_[at_++];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      row.emplace_back();
    } else if (c == '\n' && !quoted) {
      if (!row.back().empty() && row.back().back() == '\r') row.back().pop_back();
      return row;
    } else {
      if (c == '\n') ++line_;
      row.back() += c;
    }
  }
  return bytes == 0 ? std::nullopt : std::optional(row);
}

Expected<void> PuzzleFile::open() {
  const auto header = next_row();
  if (error_) return tl::make_unexpected(*error_);
  const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
    if (!header) return std::nullopt;
    const auto found = std::find(header->begin(), header->end(), name);
    if (found == header->end()) return std::nullopt;
    return static_cast<std::size_t>(found - header->begin());
  };
  for (const auto& [name, place] : {std::pair{"PuzzleId", &id_}, {"FEN", &fen_}, {"Moves", &moves_}}) {
    const auto found = column(name);
    if (!found) {
      return fail(
          ErrorCode::file_read,
          fmt::format("no column {}: the first line should name the columns PuzzleId, FEN, Moves and Themes", name));
    }
    *place = *found;
  }
  themes_ = column("Themes");
  rating_ = column("Rating");
  return {};
}

Expected<Puzzle> PuzzleFile::puzzle_of(const std::vector<std::string>& row) const {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorCode::file_read, fmt::format("line {}: {}", row_line_, what));
  };
  const std::size_t needed = std::max({id_, fen_, moves_, themes_.value_or(0)});
  if (row.size() <= needed) return wrong(fmt::format("{} columns, expected {} or more", row.size(), needed + 1));
  const auto start = chess::parse_fen(row[fen_]);
  if (!start) return wrong("bad FEN: " + start.error().sentence);
  chess::Position position = *start;
  std::vector<chess::Move> moves;
  for (const std::string& word : split_words(row[moves_])) {
    const auto move = chess::parse_uci(position, word);
    if (!move) return wrong(fmt::format("move {}: {}", moves.size() + 1, move.error().sentence));
    moves.push_back(*move);
    position.play(*move);
  }
  if (moves.size() < 2) return wrong("a puzzle has two moves or more: the error and what it allows");
  const motif::Step error(*start, moves.front());
  Puzzle puzzle{row[id_], {error.after, std::span(moves).subspan(1), error}, {}};
  if (themes_) puzzle.themes = split_words(row[*themes_]);
  if (rating_ && *rating_ < row.size()) puzzle.rating = parse_number<int>(row[*rating_]);
  return puzzle;
}

std::optional<Expected<Puzzle>> PuzzleFile::next() {
  for (;;) {
    const auto row = next_row();
    if (!row) return std::nullopt;
    const bool blank = row->size() == 1 && row->front().empty();
    if (!blank) return puzzle_of(*row);
  }
}

}  // namespace pm::cli
