// Lines to an engine and lines from it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pm::engine {

using Clock = std::chrono::steady_clock;

// Abstract because the outside world begins here: a process (process.h), or a script for tests.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // engine_died when nobody reads any more, engine_silent when it does not take the line in time.
  virtual Expected<void> write_line(std::string_view line, Clock::time_point deadline) = 0;
  // The next line without its end. engine_died at the end of the output, engine_silent after the deadline, interrupted
  // when asked to stop. After the deadline nothing more is read, however much is printed: a loop over lines with one
  // deadline ends.
  virtual Expected<std::string> read_line(Clock::time_point deadline, const std::stop_token& stop) = 0;
};

// A line longer than this is cut, and its rest dropped: no engine needs it, and a mad one must not fill the memory.
inline constexpr std::size_t max_line_bytes = 1U << 16;

// Pieces of text in, lines out. Holds no more than a line and a piece.
class LineBuffer {
 public:
  void add(std::string_view piece) { text_ += piece; }

  // The line it begins with, without its end; nothing while more of it may come.
  std::optional<std::string> take_line();

 private:
  std::string text_;
  bool dropping_ = false;  // the rest of a line that was cut
};

}  // namespace pm::engine
