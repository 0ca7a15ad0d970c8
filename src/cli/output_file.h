// Where results go: standard output, or a file that appears whole. A file is written beside its place and moved there
// at the end, so that an old one stays until the new one is there, and the input may be the output.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace pm::cli {

class OutputFile {
 public:
  // `path` empty: standard output.
  OutputFile(std::ostream& standard, std::string path) : standard_(standard), path_(std::move(path)) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {  // nothing was finished
    std::error_code ignored;
    if (!moved_ && !part_.empty()) std::filesystem::remove(part_, ignored);
  }

  // Whether it can be written at all; nothing is changed yet but an empty file beside it.
  std::optional<std::string> check() {
    if (path_.empty()) return std::nullopt;
    std::error_code ignored;
    const bool special = std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored);
    if (!special) part_ = path_ + ".part";
    file_.open(special ? path_ : part_, std::ios::binary | std::ios::trunc);
    if (!file_) {
      part_.clear();
      return fmt::format("cannot write {}", path_);
    }
    return std::nullopt;
  }

  void write(const std::string& text) { (path_.empty() ? standard_ : file_) << text; }
  bool good() const { return path_.empty() ? standard_.good() : file_.good(); }

  // Puts the file in its place.
  std::optional<std::string> close() {
    if (path_.empty()) return std::nullopt;  // the caller of every command looks after standard output
    file_.close();
    std::error_code failed;
    if (file_ && !part_.empty()) std::filesystem::rename(part_, path_, failed);
    moved_ = file_ && !failed;
    return moved_ ? std::nullopt : std::optional(fmt::format("{} could not be written (is the disk full?)", path_));
  }

 private:
  std::ostream& standard_;
  std::string path_;
  std::string part_;
  std::ofstream file_;
  bool moved_ = false;
};

}  // namespace pm::cli
