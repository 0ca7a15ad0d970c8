// Tells people that work goes on: one line rewritten in place on a terminal, a line every few seconds elsewhere.
//
//   Progress progress(streams.err, streams.err_is_terminal, quiet);
//   progress.show([&] { return fmt::format("{} games", n); });     // cheap: the text is made only when it is due
//   progress.clear();                                             // before printing results
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>

namespace pm::cli {

// "[#####...............] ", for a terminal.
std::string progress_bar(std::size_t done, std::size_t all);

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // `interval`: between two lines; nothing: as suits a terminal or a file.
  Progress(std::ostream& err, bool terminal, bool quiet, std::optional<Clock::duration> interval = std::nullopt)
      : err_(err), terminal_(terminal), quiet_(quiet), interval_(interval.value_or(usual_interval(terminal))) {}

  template <class MakeText>
  void show(const MakeText& make_text) {
    if (quiet_) return;
    const Clock::time_point now = Clock::now();
    if (now < due_) return;
    print(make_text());
    due_ = now + interval_;
  }
  // Whether it is due or not.
  void tell(const std::string& text) {
    if (!quiet_) print(text);
  }
  void clear();

 private:
  static Clock::duration usual_interval(bool terminal) {
    return terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(3000);
  }
  void print(const std::string& text);

  std::ostream& err_;
  bool terminal_;
  bool quiet_;
  Clock::duration interval_;
  bool shown_ = false;
  Clock::time_point due_ = Clock::now() + interval_;
};

}  // namespace pm::cli
