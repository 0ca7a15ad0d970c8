#include "engine/pool_evaluator.h"

#include <gtest/gtest.h>

#include <chrono>

#include "chess/movegen.h"
#include "score/score_text.h"

namespace pm::engine {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<EnginePool> open_engines(int jobs, const std::vector<std::pair<std::string, std::string>>& options) {
  EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  setup.options = options;
  setup.deadlines = {.answer = 5s, .silence = 5s, .search = 5s, .grace = 300ms};
  const auto start = [setup](const std::stop_token& s) { return start_uci_engine(setup, s); };
  return EnginePool::open(start, jobs, {}, nullptr, {}).value();
}

// The positions after each move of the start position.
std::vector<Question> twenty_questions() {
  std::vector<Question> questions;
  const chess::Position start = chess::Position::start();
  for (const chess::Move move : chess::legal_moves(start)) questions.push_back({start.after(move), 3});
  return questions;
}

std::string answers_of(EnginePool& pool) {
  const auto questions = twenty_questions();
  std::vector<std::string> texts(questions.size());
  PoolEvaluator evaluator(pool, nullptr);
  evaluate_all(evaluator, questions,
               [&](std::size_t i, const Answer& answer) {
                 EXPECT_EQ(texts[i], "") << "answered twice: " << i;
                 texts[i] = answer.valuation ? score::format_score(answer.valuation->score) : "failed";
               },
               {});
  std::string all;
  for (const std::string& text : texts) all += text + '\n';
  return all;
}

TEST(PoolEvaluator, answers_each_question_once_whatever_the_number_of_engines) {
  const auto one = open_engines(1, {});
  const auto three = open_engines(3, {});
  const std::string answers = answers_of(*one);
  EXPECT_EQ(answers.find("failed"), std::string::npos);
  EXPECT_EQ(answers_of(*three), answers);
}

TEST(PoolEvaluator, says_what_the_engine_could_not_answer) {
  const auto pool = open_engines(2, {{"Fault", "crash"}});
  PoolEvaluator evaluator(*pool, nullptr);
  std::size_t failed = 0;
  evaluate_all(evaluator, std::vector{twenty_questions().front()},
               [&](std::size_t, const Answer& answer) { failed += answer.valuation ? 0U : 1U; }, {});
  EXPECT_EQ(failed, 1U);
  EXPECT_NE(evaluator.trouble(), "");
}

// One at a time, not when a whole group is done: somebody watches.
TEST(PoolEvaluator, tells_answers_as_they_come) {
  const auto pool = open_engines(1, {{"Delay", "20"}});
  std::vector<std::size_t> answered_by_the_pool;
  PoolEvaluator evaluator(*pool, nullptr);
  evaluate_all(evaluator, twenty_questions(),
               [&](std::size_t, const Answer&) { answered_by_the_pool.push_back(pool->answered()); }, {});
  ASSERT_EQ(answered_by_the_pool.size(), 20U);
  EXPECT_LT(answered_by_the_pool.front(), 20U);
}

// Who stops waiting does not keep the engines from others.
TEST(PoolEvaluator, stops_and_leaves_the_pool_to_others) {
  const auto pool = open_engines(2, {{"Delay", "50"}});
  std::stop_source stop;
  std::size_t answers = 0;
  PoolEvaluator evaluator(*pool, nullptr);
  evaluate_all(
      evaluator, twenty_questions(),
      [&](std::size_t, const Answer&) {
        ++answers;
        stop.request_stop();
      },
      stop.get_token());
  EXPECT_GE(answers, 1U);
  EXPECT_LT(answers, 20U);
  EXPECT_EQ(answers_of(*pool).find("failed"), std::string::npos);
}

}  // namespace
}  // namespace pm::engine
