// What a pool tells of trouble; its results are tested with the reviews that are made of them
// (review/reviewer_test.cpp).
#include "engine/engine_pool.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

namespace pm::engine {
namespace {

using namespace std::chrono_literals;

struct Told {
  std::mutex mutex;
  std::vector<std::string> sentences;

  Tell tell() {
    return [this](const std::string& sentence) {
      const std::scoped_lock lock(mutex);
      sentences.push_back(sentence);
    };
  }
};

// Has an engine with these options search one position, and returns what was told meanwhile.
std::vector<std::string> told_of(std::vector<std::pair<std::string, std::string>> options, Deadlines deadlines) {
  Told told;
  EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  setup.options = std::move(options);
  setup.deadlines = deadlines;
  setup.tell = told.tell();
  const auto start = [setup](const std::stop_token& stop) { return start_uci_engine(setup, stop); };
  {
    const auto pool = EnginePool::open(start, 1, {}, nullptr, {}, {nullptr, 0, told.tell()}).value();
    std::promise<void> answered;
    pool->submit({{{chess::Position::start(), {}}, {Limit::Kind::depth, 4}}},
                 [&](std::size_t, const Evaluation&, const std::string&) { answered.set_value(); }, {});
    answered.get_future().wait();
  }
  return told.sentences;
}

TEST(EnginePool, tells_of_silence_while_it_still_waits) {
  const auto sentences =
      told_of({{"Fault", "hang"}}, {.answer = 5s, .silence = 400ms, .search = 3s, .grace = 1s, .word = 100ms});
  ASSERT_EQ(sentences.size(), 6U);
  EXPECT_EQ(sentences[0], "Bad Engine 1 has said nothing for 0 s; after 0 s it counts as hung");
  EXPECT_EQ(sentences[1], "Bad Engine 1: the engine does not answer; trying again with a new process");
  EXPECT_EQ(sentences[5], "Bad Engine 1: the engine does not answer; going on without this position");
}

TEST(EnginePool, an_honest_engine_that_thinks_for_long_is_not_interrupted) {
  const auto sentences =
      told_of({{"Delay", "500"}}, {.answer = 5s, .silence = 60s, .search = 60s, .grace = 1s, .word = 100ms});
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0], "Bad Engine 1 has said nothing for 0 s; after 60 s it counts as hung");
}

TEST(EnginePool, tells_of_crashes_when_one_new_engine_is_not_enough) {
  const auto sentences = told_of({{"Fault", "crash"}}, {});
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0], "Bad Engine 1: the engine has died; trying again with a new process");
  EXPECT_EQ(sentences[1], "Bad Engine 1: the engine has died; going on without this position");
  EXPECT_TRUE(told_of({}, {}).empty());
}

TEST(Tell, says_little) {
  Told told;
  const Tell tell = not_too_often(told.tell(), 50ms);
  for (int i = 0; i < 1000; ++i) tell("again");
  EXPECT_EQ(told.sentences.size(), 1U);
  std::this_thread::sleep_for(60ms);
  tell("later");
  EXPECT_EQ(told.sentences.back(), "later");
  EXPECT_FALSE(not_too_often({}, 50ms));
}

}  // namespace
}  // namespace pm::engine
