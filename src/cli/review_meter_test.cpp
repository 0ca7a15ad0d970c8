#include "cli/review_meter.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pm::cli {
namespace {

using Stage = review::ReviewProgress::Stage;

TEST(ReviewMeter, tells_people_how_far_it_is) {
  const ReviewTotals all{40, 3200};
  const struct {
    MeterReading reading;
    bool bar;
    const char* text;
  } cases[] = {
      {{{0, 0}, all, 0, std::nullopt}, false, "0 of 40 games, 0%"},
      {{{3, 320}, all, 4, 80.0}, false, "3 of 40 games, 10%, 80 positions/s, 0:36 left"},
      {{{20, 1600}, all, 4, 80.0}, true, "[##########..........] 20 of 40 games, 50%, 80 positions/s, 0:20 left"},
      {{{3, 320}, all, 4, 0.5}, false, "3 of 40 games, 10%, 0.5 positions/s, 1:36:00 left"},
      {{{3, 320}, std::nullopt, 4, 80.0}, true, "3 games, 80 positions/s"},
      {{{41, 9999}, all, 4, 80.0}, false, "41 of 40 games, 100%, 80 positions/s, 0:00 left"},
      {{{1, 0}, ReviewTotals{1, 0}, 1, std::nullopt}, true, "[....................] 1 of 1 games, 0%"},
  };
  for (const auto& each : cases) EXPECT_EQ(format_reading(each.reading, each.bar), each.text);
}

TEST(ReviewMeter, tells_programs_in_json) {
  EXPECT_EQ(
      format_reading_json({{3, 320}, ReviewTotals{40, 3200}, 4.5, 80.0}),
      R"({"schema":"postmortem.progress/1","games_done":3,"games":40,"plies_done":320,"plies":3200,"seconds":4.5,)"
      R"("positions_per_second":80.0,"seconds_left":36.0})");
  EXPECT_EQ(
      format_reading_json({{3, 320}, std::nullopt, 4.5, std::nullopt}),
      R"({"schema":"postmortem.progress/1","games_done":3,"games":null,"plies_done":320,"plies":null,"seconds":4.5,)"
      R"("positions_per_second":null,"seconds_left":null})");
}

TEST(ReviewMeter, the_pace_is_that_of_the_last_minute) {
  Pace pace;
  pace.add(0, 0);
  EXPECT_FALSE(pace.rate());
  pace.add(10, 10'000);  // from a cache
  EXPECT_DOUBLE_EQ(*pace.rate(), 1'000);
  for (int second = 20; second <= 100; second += 10) pace.add(second, 10'000 + second - 10);
  EXPECT_DOUBLE_EQ(*pace.rate(), 1);
}

TEST(ReviewMeter, never_goes_back_within_a_game) {
  std::ostringstream err;
  ReviewMeter meter({err, err}, ProgressStyle::json);
  meter.expect(ReviewTotals{2, 200});
  const auto plies = [&] {
    const std::string line = meter.line();
    return std::stoi(line.substr(line.find("plies_done\":") + 12));
  };
  meter.begin_game(100);
  const struct {
    review::ReviewProgress progress;
    int plies;
  } steps[] = {
      {{Stage::positions, 0, 0}, 0},  {{Stage::positions, 50, 100}, 25}, {{Stage::positions, 60, 200}, 25},
      {{Stage::positions, 1, 1}, 50}, {{Stage::people, 0, 4}, 50},       {{Stage::people, 2, 4}, 75},
      {{Stage::positions, 0, 9}, 75}, {{Stage::people, 4, 4}, 100},
  };
  for (const auto& step : steps) {
    meter.advance(step.progress, true);
    EXPECT_EQ(plies(), step.plies);
  }
  meter.finish_game();
  EXPECT_EQ(plies(), 100);
  meter.begin_game(100);
  meter.advance({Stage::positions, 50, 100}, false);
  EXPECT_EQ(plies(), 150);
}

TEST(ReviewMeter, erases_its_bar) {
  std::ostringstream err;
  Streams streams{err, err};
  streams.err_is_terminal = true;
  ReviewMeter meter(streams, ProgressStyle::bar);
  meter.progress().tell(meter.line());
  meter.close();
  EXPECT_EQ(err.str(), "\r\x1b[K0 games\r\x1b[K");
}

TEST(ReviewMeter, says_nothing_when_told_so) {
  std::ostringstream err;
  ReviewMeter meter({err, err}, ProgressStyle::none);
  EXPECT_FALSE(meter.wanted());
  meter.begin_game(1);
  meter.finish_game();
  meter.close();
  EXPECT_EQ(err.str(), "");
}

}  // namespace
}  // namespace pm::cli
