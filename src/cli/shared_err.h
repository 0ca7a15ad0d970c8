// Standard error for a command and the threads of its engines: trouble is told at once, wherever it is noticed, and
// lines are never mixed.
//
//   SharedErr err(streams);
//   options.engine.tell = err.tell();
//   return review(options, err.streams());
//
// Must outlive the engines. Streams() are for one thread, as always; what tell() gives is for any.
#pragma once

#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>

#include <fmt/ostream.h>

#include "base/printable.h"
#include "cli/app.h"
#include "engine/engine.h"

namespace pm::cli {

// Passes on what it gets, one piece at a time.
class LockedBuffer final : public std::streambuf {
 public:
  explicit LockedBuffer(std::ostream& to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char letter = traits_type::to_char_type(c);
    return xsputn(&letter, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::scoped_lock lock(mutex_);
    return to_.write(text, size) ? size : 0;
  }
  int sync() override {
    const std::scoped_lock lock(mutex_);
    return to_.flush() ? 0 : -1;
  }

 private:
  std::mutex mutex_;
  std::ostream& to_;
};

class SharedErr {
 public:
  explicit SharedErr(const Streams& streams)
      : buffer_(streams.err),
        streams_{streams.out,       own_,         streams.err_is_terminal, streams.out_is_terminal,
                 streams.no_colour, streams.width} {}

  const Streams& streams() const { return streams_; }

  engine::Tell tell() {
    return [this](const std::string& sentence) {
      const char* over_progress = streams_.err_is_terminal ? "\r\x1b[K" : "";
      const std::scoped_lock lock(mutex_);
      fmt::print(others_, "{}postmortem: {}\n", over_progress, printable(sentence));  // in one piece
      others_.flush();
    };
  }

 private:
  LockedBuffer buffer_;
  std::ostream own_{&buffer_};     // of the command
  std::ostream others_{&buffer_};  // of all other threads
  std::mutex mutex_;               // for it
  Streams streams_;
};

}  // namespace pm::cli
