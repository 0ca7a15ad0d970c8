#include "cli/review_meter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/json_writer.h"

namespace pm::cli {
namespace {

constexpr double pace_seconds = 60;
constexpr double people_part = .5;  // of a game, when it is compared with people: about as long as its positions take
constexpr auto json_interval = std::chrono::seconds(1);

// "0:07", "2:31", "3:02:31"
std::string clock_text(double seconds) {
  const auto all = static_cast<long long>(std::ceil(seconds));
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

}  // namespace

std::optional<double> MeterReading::seconds_left() const {
  if (!all || !rate || *rate <= 0) return std::nullopt;
  return static_cast<double>(all->plies - std::min(done.plies, all->plies)) / *rate;
}

std::string format_reading(const MeterReading& reading, bool with_bar) {
  const ReviewTotals& done = reading.done;
  std::string text;
  if (const auto& all = reading.all) {
    const std::size_t plies = std::min(done.plies, all->plies);
    text = fmt::format("{}{} of {} games, {}%", with_bar ? progress_bar(plies, all->plies) : "", done.games, all->games,
                       all->plies == 0 ? 0 : 100 * plies / all->plies);
  } else {
    text = fmt::format("{} games", done.games);
  }
  if (reading.rate) text += fmt::format(", {:.{}f} positions/s", *reading.rate, *reading.rate < 10 ? 1 : 0);
  if (const auto left = reading.seconds_left()) text += fmt::format(", {} left", clock_text(*left));
  return text;
}

std::string format_reading_json(const MeterReading& reading) {
  const auto total = [&](std::size_t ReviewTotals::* which) {
    return reading.all ? std::optional((*reading.all).*which) : std::nullopt;
  };
  std::string out;
  report::JsonWriter w(out);
  w.begin_object().field("schema", "postmortem.progress/1").field("games_done", reading.done.games);
  w.field("games", total(&ReviewTotals::games)).field("plies_done", reading.done.plies);
  w.field("plies", total(&ReviewTotals::plies)).field("seconds", reading.seconds);
  w.field("positions_per_second", reading.rate).field("seconds_left", reading.seconds_left()).end_object();
  return out;
}

void Pace::add(double seconds, double plies) {
  samples_.push_back({seconds, plies});
  while (samples_.size() > 2 && samples_[1].seconds <= seconds - pace_seconds) samples_.pop_front();
}

std::optional<double> Pace::rate() const {
  if (samples_.size() < 2) return std::nullopt;
  const double seconds = samples_.back().seconds - samples_.front().seconds;
  const double plies = samples_.back().plies - samples_.front().plies;
  return seconds > 0 && plies > 0 ? std::optional(plies / seconds) : std::nullopt;
}

ReviewMeter::ReviewMeter(const Streams& streams, ProgressStyle style)
    : style_(style),
      terminal_(style == ProgressStyle::bar && streams.err_is_terminal),
      progress_(streams.err, terminal_, style == ProgressStyle::none,
                style == ProgressStyle::json ? std::optional<Progress::Clock::duration>(json_interval) : std::nullopt) {
  pace_.add(0, 0);
}

void ReviewMeter::skip(const ReviewTotals& done) {
  done_ = done;
  pace_ = {};
  pace_.add(std::chrono::duration<double>(Progress::Clock::now() - start_).count(), plies_done());
}

void ReviewMeter::begin_game(std::size_t plies) {
  game_plies_ = plies;
  share_ = 0;
}

void ReviewMeter::advance(const review::ReviewProgress& progress, bool has_people) {
  const double part =
      progress.total == 0 ? 0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const bool people = progress.stage == review::ReviewProgress::Stage::people;
  const double share = people ? 1 - people_part * (1 - part) : part * (has_people ? 1 - people_part : 1);
  share_ = std::clamp(share, share_, 1.0);
  progress_.show([this] { return line(); });
}

void ReviewMeter::finish_game() {
  ++done_.games;
  done_.plies += game_plies_;
  begin_game(0);
  progress_.show([this] { return line(); });
}

void ReviewMeter::close() {
  progress_.clear();
  if (style_ == ProgressStyle::json) progress_.tell(line());
}

double ReviewMeter::plies_done() const {
  return static_cast<double>(done_.plies) + share_ * static_cast<double>(game_plies_);
}

std::string ReviewMeter::line() {
  MeterReading reading;
  reading.seconds = std::chrono::duration<double>(Progress::Clock::now() - start_).count();
  pace_.add(reading.seconds, plies_done());
  reading.done = {done_.games, static_cast<std::size_t>(plies_done())};
  reading.all = all_;
  reading.rate = pace_.rate();
  return style_ == ProgressStyle::json ? format_reading_json(reading) : format_reading(reading, terminal_);
}

}  // namespace pm::cli
