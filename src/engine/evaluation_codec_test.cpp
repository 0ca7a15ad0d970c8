#include "engine/evaluation_codec.h"

#include <gtest/gtest.h>

#include "chess/uci.h"
#include "engine/engine_pool.h"

namespace pm::engine {
namespace {

Segment segment_of(const std::vector<const char*>& moves) {
  Segment segment;
  chess::Position at = segment.state.start;
  for (const char* text : moves) {
    segment.plies.push_back(segment.state.moves.size());
    segment.wanted.push_back(segment.wanted.size());
    segment.state.moves.push_back(chess::parse_uci(at, text).value());
    at.play(segment.state.moves.back());
  }
  return segment;
}

TEST(EvaluationText, reads_back_what_was_written_and_nothing_else) {
  EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  const auto start = [setup](const std::stop_token& stop) { return start_uci_engine(setup, stop); };
  const auto pool = EnginePool::open(start, 1, {}, nullptr, {}).value();
  const Segment segment = segment_of({"e2e4", "e7e5", "g1f3", "b8c6"});
  const auto result = pool->submit(segment).get();
  const std::string text = format_evaluations(result.evaluations);
  const auto again = parse_evaluations(text, segment);
  ASSERT_TRUE(again);
  EXPECT_EQ(format_evaluations(*again), text);
  EXPECT_EQ((*again)[0].lines[0].pv, result.evaluations[0].lines[0].pv);
  // Every byte before the last evaluation is needed; of that, a line or a move may be missing at its end.
  const std::size_t last = text.size() - format_evaluation(result.evaluations.back()).size();
  for (std::size_t cut = 0; cut <= last; ++cut) {
    EXPECT_FALSE(parse_evaluations(text.substr(0, cut), segment)) << cut;
  }
  EXPECT_FALSE(parse_evaluations(text + "x", segment));
  EXPECT_FALSE(parse_evaluations(text, segment_of({"d2d4", "d7d5"})));
}

}  // namespace
}  // namespace pm::engine
