// How far a review of many games is, as a bar, as lines or as JSON on standard error: out of how much, how fast, and
// how long it will take. Counted in plies, since games are of very different length.
//
//   ReviewMeter meter(streams, ProgressStyle::bar);
//   meter.expect(totals);                      // once they are known, if they are
//   meter.begin_game(plies);
//   meter.advance(progress, has_people);       // within the game, any number of times
//   meter.finish_game();
//   meter.clear();                             // before results are printed
//   meter.close();
//
// One thread.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "review/reviewer.h"

namespace pm::cli {

struct ReviewTotals {
  std::size_t games = 0;
  std::size_t plies = 0;
};

// What there is to tell.
struct MeterReading {
  ReviewTotals done;
  std::optional<ReviewTotals> all;  // nothing: not known, as for standard input
  double seconds = 0;               // since the start
  std::optional<double> rate;       // plies, so positions, a second; lately
  // Until the end, if that can be said.
  std::optional<double> seconds_left() const;
};

// "3 of 40 games, 12%, 85 positions/s, 2:31 left", with a bar before it for a terminal.
std::string format_reading(const MeterReading& reading, bool with_bar);
// One line of postmortem.progress/1 (docs/formats.md), without line feed.
std::string format_reading_json(const MeterReading& reading);

// Plies a second over the last minute: what was found in a cache an hour ago says nothing about now.
class Pace {
 public:
  void add(double seconds, double plies);
  std::optional<double> rate() const;

 private:
  struct Sample {
    double seconds;
    double plies;
  };
  std::deque<Sample> samples_;
};

class ReviewMeter {
 public:
  ReviewMeter(const Streams& streams, ProgressStyle style);

  // Whether anybody looks: counting games for nobody is no use.
  bool wanted() const { return style_ != ProgressStyle::none; }
  void expect(const std::optional<ReviewTotals>& all) { all_ = all; }
  // Games an earlier run has done: they count, but not as speed.
  void skip(const ReviewTotals& done);

  void begin_game(std::size_t plies);
  // Never goes back within a game, though what is left of it may grow.
  void advance(const review::ReviewProgress& progress, bool has_people);
  void finish_game();
  void clear() { progress_.clear(); }
  // The last word: programs want to read the end; people see the results.
  void close();

  // For sources that show progress while they are read.
  Progress& progress() { return progress_; }
  std::string line();

 private:
  double plies_done() const;

  ProgressStyle style_;
  bool terminal_;
  Progress progress_;
  Progress::Clock::time_point start_ = Progress::Clock::now();
  Pace pace_;
  std::optional<ReviewTotals> all_;
  ReviewTotals done_;
  std::size_t game_plies_ = 0;  // of the game under way
  double share_ = 0;            // of it that is done
};

}  // namespace pm::cli
