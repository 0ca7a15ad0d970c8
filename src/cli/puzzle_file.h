// Puzzles as Lichess publishes them: CSV with a header; PuzzleId, FEN, Moves (UCI; the first is the error, then the
// solution), Rating and Themes are read, other columns ignored. Plain, gzip or zstd.
//
//   PuzzleFile file(**pgn::open_source("puzzles.csv.zst"));
//   while (auto puzzle = file.next()) ...        // an Expected: a bad row is an error with its line, reading goes on
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "human/solution.h"
#include "motif/line.h"
#include "pgn/source.h"

namespace pm::cli {

struct Puzzle {
  std::string id;
  motif::Line line;
  std::vector<std::string> themes;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::optional<int> rating = std::nullopt;
};

// From the position after the error, with the error in its history.
human::Solution solution_of(const Puzzle& puzzle);

class PuzzleFile {
 public:
  explicit PuzzleFile(pgn::ByteSource& source) : source_(source) {}

  // Reads the header. An error when a column is missing.
  Expected<void> open();
  bool has_themes() const { return themes_.has_value(); }
  bool has_ratings() const { return rating_.has_value(); }

  // The next one; nothing at the end.
  std::optional<Expected<Puzzle>> next();
  // Why reading ended before the end of the file.
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<std::vector<std::string>> next_row();
  bool fill();
  Expected<Puzzle> puzzle_of(const std::vector<std::string>& row) const;

  pgn::ByteSource& source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t row_line_ = 0;  // where the row began
  std::size_t id_ = 0;
  std::size_t fen_ = 0;
  std::size_t moves_ = 0;
  std::optional<std::size_t> themes_;
  std::optional<std::size_t> rating_;
  std::optional<Error> error_;
};

}  // namespace pm::cli
