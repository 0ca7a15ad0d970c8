#include "cli/progress.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"

namespace pm::cli {

std::string progress_bar(std::size_t done, std::size_t all) {
  constexpr std::size_t width = 20;
  const std::size_t filled = all == 0 ? 0 : width * std::min(done, all) / all;
  return fmt::format("[{:.<{}}] ", std::string(filled, '#'), width);
}

void Progress::print(const std::string& text) {
  if (terminal_) {
    err_ << "\r\x1b[K" << printable(text) << std::flush;
  } else {
    err_ << printable(text) << '\n' << std::flush;
  }
  shown_ = true;
}

void Progress::clear() {
  if (terminal_ && shown_) err_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace pm::cli
