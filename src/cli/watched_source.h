// A source that shows progress while it flows, and ends when somebody asks to stop.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "cli/progress.h"
#include "pgn/source.h"

namespace pm::cli {

class WatchedSource final : public pgn::ByteSource {
 public:
  // `describe` is asked for the line of progress when one is due, with the bytes read so far. All references must
  // outlive the source.
  WatchedSource(pgn::ByteSource& source, Progress& progress, const std::stop_token& stop,
                std::function<std::string(std::uint64_t)> describe)
      : source_(source), progress_(progress), stop_(stop), describe_(std::move(describe)) {}

  Expected<std::size_t> read(std::span<char> into) override {
    progress_.show([this] { return describe_(bytes_); });
    if (stop_.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    auto n = source_.read(into);
    if (n) bytes_ += *n;
    if (!n && stop_.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    return n;
  }

 private:
  pgn::ByteSource& source_;
  Progress& progress_;
  const std::stop_token& stop_;
  std::function<std::string(std::uint64_t)> describe_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pm::cli
