// Where a review goes, game by game: standard output, or a file that appears whole. A file is written beside its place
// (part_file.h) and moved there at the end, so that an old one stays until the new one is there, the input may be the
// output, and a run that was broken off goes on where it was.
//
//   OutputFile out(streams.out, command.output);
//   auto found = out.open(identity);            // games of an earlier run
//   out.write(text, plies, judged);             // for each game
//   out.close(end);
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "cli/part_file.h"

namespace pm::cli {

class OutputFile {
 public:
  // `path` empty: standard output.
  OutputFile(std::ostream& standard, std::string path) : standard_(standard), path_(std::move(path)) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() = default;

  // `command`: as part_file.h has it.
  Expected<PartFile::Found> open(const std::string& command) {
    if (path_.empty()) return PartFile::Found();
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored) || std::filesystem::is_regular_file(path_, ignored)) {
      part_.emplace();
      return part_->open(path_, command);
    }
    special_.open(path_, std::ios::binary);
    if (!special_) return fail(ErrorCode::file_open, fmt::format("cannot write {}", path_));
    return PartFile::Found();
  }

  // One game.
  void write(const std::string& bytes, std::size_t plies, std::size_t judged) {
    if (part_) {
      part_->append(bytes, plies, judged);
    } else {
      stream() << bytes;
    }
  }
  bool good() const { return part_ ? part_->good() : path_.empty() ? standard_.good() : special_.good(); }

  // The file in which another run finds what is finished; null: there is none.
  const std::string* kept() const { return part_ && part_->has_games() ? &part_->part() : nullptr; }

  // Writes what comes after the games and puts the file in its place; a sentence when that fails.
  std::optional<std::string> close(const std::string& end) {
    if (part_) {
      part_->append_end(end);
      if (part_->finish()) return std::nullopt;
    } else {
      stream() << end;
      if (path_.empty()) return std::nullopt;  // the caller of every command looks after standard output
      special_.close();
      if (special_) return std::nullopt;
    }
    return fmt::format("{} could not be written (is the disk full?)", path_);
  }

 private:
  std::ostream& stream() { return path_.empty() ? standard_ : special_; }

  std::ostream& standard_;
  std::string path_;
  std::optional<PartFile> part_;
  std::ofstream special_;  // a device or a pipe
};

}  // namespace pm::cli
