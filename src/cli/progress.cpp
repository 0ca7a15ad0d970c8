#include "cli/progress.h"

namespace pm::cli {

Progress::Clock::duration Progress::interval() const {
  return terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(3000);
}

void Progress::print(const std::string& text) {
  if (terminal_) {
    err_ << "\r\x1b[K" << text << std::flush;
  } else {
    err_ << text << '\n' << std::flush;
  }
  shown_ = true;
}

void Progress::clear() {
  if (terminal_ && shown_) err_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace pm::cli
