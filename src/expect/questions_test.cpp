#include "expect/questions.h"

#include <gtest/gtest.h>

#include "chess/movegen.h"

namespace pm::expect {
namespace {

using engine::Answer;
using engine::Group;
using engine::Question;

// The positions after the first moves, to a depth.
std::vector<Question> some_questions(std::size_t count, int depth = 8) {
  std::vector<Question> questions;
  for (const chess::Move move : chess::legal_moves(chess::Position::start())) {
    if (questions.size() < count) questions.push_back({chess::Position::start().after(move), depth});
  }
  return questions;
}

Answer answer_of(int value) { return {engine::Valuation{score::WhiteScore(score::Centipawns{value}), {}}}; }

// What was taken, as "question:centipawns", with a star when it was news.
struct Taken {
  std::string text;
  Questions::Take take() {
    return [this](std::size_t question, const Answer& answer, bool fresh) {
      text +=
          std::to_string(question) + ':' +
          (answer.valuation ? std::to_string(answer.valuation->score.seen_by(chess::Colour::white).centipawns()->value)
                            : "failed") +
          (fresh ? "* " : " ");
    };
  }
};

TEST(Questions, AreAskedOnceForEachPosition) {
  Questions questions;
  Taken taken;
  auto asked = some_questions(2);
  asked.push_back(asked[0]);
  asked.back().depth = 12;
  questions.ask(asked, taken.take(), Questions::Order::any);
  const Group group = questions.next();
  ASSERT_EQ(group.questions.size(), 2U);
  EXPECT_EQ(group.questions[0].depth, 12) << "the deeper of the two serves both";
  EXPECT_TRUE(questions.next().questions.empty());
  questions.take(group.first + 1, answer_of(5));
  questions.take(group.first, answer_of(7));
  EXPECT_EQ(taken.text, "1:5* 0:7* 2:7 ");
  EXPECT_EQ(questions.batches(), 0U);
}

TEST(Questions, TakeWhatADeeperSearchHasSaid) {
  Questions questions;
  Taken taken;
  questions.ask(some_questions(1, 12), taken.take(), Questions::Order::any);
  questions.take(questions.next().first, answer_of(30));
  bool done = false;
  questions.ask(some_questions(1, 8), taken.take(), Questions::Order::any, [&] { done = true; });
  EXPECT_TRUE(done);
  EXPECT_TRUE(questions.next().questions.empty());
  questions.ask(some_questions(1, 13), taken.take(), Questions::Order::any);
  EXPECT_EQ(questions.next().questions.size(), 1U);
  EXPECT_EQ(taken.text, "0:30* 0:30 ");
}

TEST(Questions, DoNotKeepFailures) {
  Questions questions;
  Taken taken;
  questions.ask(some_questions(1), taken.take(), Questions::Order::any);
  questions.take(questions.next().first, {});
  questions.ask(some_questions(1), taken.take(), Questions::Order::any);
  EXPECT_EQ(questions.next().questions.size(), 1U);
  EXPECT_EQ(taken.text, "0:failed* ");
}

// Batches by number and answers in the order of the questions, whichever come first.
TEST(Questions, HoldAnswersBackUntilTheirBatchIsTaken) {
  Questions questions;
  Taken taken;
  std::string done;
  questions.ask(some_questions(2), taken.take(), Questions::Order::by_batch, [&] { done += "first "; });
  auto others = some_questions(4);
  others.erase(others.begin(), others.begin() + 2);
  questions.ask(others, taken.take(), Questions::Order::by_batch, [&] { done += "second "; });
  EXPECT_EQ(questions.batches(), 2U);
  const std::size_t first = questions.next().first;
  const std::size_t second = questions.next().first;
  questions.take(second + 1, answer_of(4));
  questions.take(second, answer_of(3));
  EXPECT_FALSE(questions.take_oldest()) << "the first batch has no answers yet";
  questions.take(first + 1, answer_of(2));
  questions.take(first, answer_of(1));
  EXPECT_EQ(taken.text, "");
  EXPECT_TRUE(questions.take_oldest());
  EXPECT_EQ(taken.text, "0:1* 1:2* ");
  EXPECT_TRUE(questions.take_oldest());
  EXPECT_FALSE(questions.take_oldest());
  EXPECT_EQ(taken.text, "0:1* 1:2* 0:3* 1:4* ");
  EXPECT_EQ(done, "first second ");
}

// Whoever keeps answers between runs would else be asked before or after it had the first.
TEST(Questions, DoNotAskWhatAnEarlierBatchIsAsking) {
  Questions questions;
  Taken taken;
  questions.ask(some_questions(1, 10), taken.take(), Questions::Order::by_batch);
  std::string done;
  questions.ask(some_questions(1, 8), taken.take(), Questions::Order::by_batch, [&] { done = "done"; });
  questions.ask(some_questions(1, 12), taken.take(), Questions::Order::by_batch);
  EXPECT_EQ(questions.batches(), 3U);
  const Group first = questions.next();
  EXPECT_EQ(first.questions.front().depth, 10);
  EXPECT_EQ(questions.next().questions.front().depth, 12);
  EXPECT_FALSE(questions.take_oldest());
  questions.take(first.first, answer_of(9));
  EXPECT_TRUE(questions.take_oldest());
  EXPECT_TRUE(done.empty());
  EXPECT_TRUE(questions.take_oldest()) << "it had nothing of its own to ask";
  EXPECT_EQ(done, "done");
  EXPECT_EQ(taken.text, "0:9* 0:9 ");
}

TEST(Questions, FailWithTheEarlierBatch) {
  Questions questions;
  Taken taken;
  questions.ask(some_questions(1, 10), taken.take(), Questions::Order::by_batch);
  questions.ask(some_questions(1, 8), taken.take(), Questions::Order::by_batch);
  questions.take(questions.next().first, {});
  EXPECT_TRUE(questions.take_oldest());
  EXPECT_TRUE(questions.take_oldest());
  EXPECT_EQ(taken.text, "0:failed* 0:failed ");
}

TEST(Questions, GiveUpAndIgnoreLateAnswers) {
  Questions questions;
  Taken taken;
  questions.ask(some_questions(3), taken.take(), Questions::Order::any);
  const std::size_t first = questions.next().first;
  questions.give_up();
  questions.take(first, answer_of(1));
  EXPECT_EQ(taken.text, "");
  EXPECT_EQ(questions.batches(), 0U);
}

}  // namespace
}  // namespace pm::expect
