#include "review/clocks.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.h"

namespace pm::review {
namespace {

using namespace std::chrono_literals;

std::optional<std::chrono::milliseconds> seconds_in(std::string_view text) {
  constexpr double longest = 1e6;
  const auto seconds = parse_number<double>(text);
  const bool sensible = seconds && *seconds >= 0 && *seconds <= longest;
  if (!sensible) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
}

// "2 seconds", "1:05".
std::string time_text(std::chrono::milliseconds time) {
  constexpr std::int64_t minute = 60;
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds >= minute) return fmt::format("{}:{:02}", seconds / minute, seconds % minute);
  return seconds == 1 ? "1 second" : fmt::format("{} seconds", seconds);
}

}  // namespace

std::optional<TimeControl> time_control(const pgn::Game& game) {
  const std::string* tag = game.find_tag("TimeControl");
  if (tag == nullptr) return std::nullopt;
  std::string_view text = *tag;
  text = text.substr(0, text.find(':'));
  if (const std::size_t moves = text.find('/'); moves != std::string_view::npos) text.remove_prefix(moves + 1);
  const std::size_t plus = text.find('+');
  const auto base = seconds_in(text.substr(0, plus));
  const auto increment = plus == std::string_view::npos ? 0ms : seconds_in(text.substr(plus + 1));
  if (!base || !increment) return std::nullopt;
  return TimeControl{*base, *increment};
}

std::vector<MoveTime> move_times(const pgn::Game& game, const Evidence& evidence) {
  constexpr auto little = 30s;
  constexpr int tenth = 10;
  const TimeControl control = time_control(game).value_or(TimeControl{});
  std::vector<MoveTime> times(evidence.plies.size());
  for (std::size_t at = 2; at < times.size(); ++at) {
    const auto& left = evidence.plies[at - 2].clock;
    if (!left) continue;
    MoveTime& time = times[at];
    time.left = left;
    time.trouble = *left < little || *left < control.base / tenth;
    const auto& after = evidence.plies[at].clock;
    if (after) time.spent = std::max<std::chrono::milliseconds>(0ms, *left + control.increment - *after);
  }
  return times;
}

std::optional<double> TimeFigures::Phase::seconds_per_move() const {
  if (moves == 0) return std::nullopt;
  return std::chrono::duration<double>(spent).count() / moves;
}

TimeFigures::Phase TimeFigures::game() const {
  Phase all;
  for (const Phase& each : phases) {
    all.moves += each.moves;
    all.spent += each.spent;
  }
  return all;
}

std::string time_sentence(const MoveTime& time, const std::optional<TimeControl>& control) {
  constexpr auto hasty = 3s;
  constexpr auto plenty = 60s;
  constexpr auto hardly_any = 10s;
  constexpr int tenth = 10;
  if (!time.left) return "";
  const bool short_of_time = *time.left < hardly_any || (control && *time.left < control->base / tenth);
  if (short_of_time) return fmt::format("Played with {} left.", time_text(*time.left));
  if (time.spent && *time.spent < hasty && *time.left >= plenty) {
    return fmt::format("Played in {}.", time_text(std::max<std::chrono::milliseconds>(*time.spent, 1s)));
  }
  return "";
}

}  // namespace pm::review
