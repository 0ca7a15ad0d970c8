// Games that never end: what grows with their length, what is left out of them, and that all work on them can be
// stopped.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>

#include "chess/test_long_games.h"
#include "human/fake_model.h"
#include "review/across_ratings.h"
#include "review/evidence_codec.h"
#include "review/human_statistics.h"
#include "review/reviewer.h"
#include "review/test_games.h"
#include "review/traps.h"

namespace pm::review {
namespace {

using OnCall = std::function<void()>;

std::size_t bytes_in_use() {
  const auto all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

// Says of every position that it is even, and calls somebody before each answer.
class EvenEngine final : public engine::Engine {
 public:
  explicit EvenEngine(OnCall on_call) : on_call_(std::move(on_call)) {}
  const std::string& name() const override { return name_; }
  Expected<void> new_game(const std::stop_token& /*stop*/) override { return {}; }
  Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token& /*stop*/) override {
    if (on_call_) on_call_();
    const chess::Move first = *chess::legal_moves(search.state.current()).begin();
    const score::WhiteScore even(score::Centipawns{0});
    return engine::Evaluation{{score::Line{even, 1, {first}}}, std::nullopt, search.limit};
  }

 private:
  std::string name_ = "even";
  OnCall on_call_;
};

std::unique_ptr<engine::EnginePool> even_pool(const OnCall& on_call = {}, const std::stop_token& stop = {}) {
  const auto start = [on_call](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<EvenEngine>(on_call);
  };
  return engine::EnginePool::open(start, 1, {}, nullptr, stop).value();
}

// The same for people.
class WatchedModel final : public human::HumanModel {
 public:
  explicit WatchedModel(OnCall on_call) : on_call_(std::move(on_call)) {}
  const human::ModelIdentity& identity() const override { return model_.identity(); }
  Expected<std::vector<human::Prediction>> predict(std::span<const human::Query> queries, human::Want want) override {
    if (on_call_) on_call_();
    return model_.predict(queries, want);
  }
  std::size_t asked() const { return model_.asked; }

 private:
  human::FakeModel model_;
  OnCall on_call_;
};

class NoSink final : public ReviewSink {
  void progress(const ReviewProgress& /*now*/) override {}
};

// The most that a review holds at any moment when an engine or a model is asked.
std::size_t most_bytes(const chess::GameState& moves) {
  const pgn::Game game = game_of(moves);
  const std::size_t before = bytes_in_use();
  std::atomic<std::size_t> most = before;
  const auto look = [&, calls = std::make_shared<std::atomic<std::size_t>>(0)] {
    if (++*calls % 16 != 1) return;  // it takes time itself
    most = std::max<std::size_t>(most, bytes_in_use());
  };
  const auto pool = even_pool(look);
  WatchedModel model(look);
  Sources sources;
  sources.pool = pool.get();
  sources.model = &model;
  ReviewRequest request;
  request.limit = {engine::Limit::Kind::depth, 1};
  request.effort = Effort::adaptive;
  NoSink sink;
  EXPECT_TRUE(Reviewer(game, sources, request).gather(sink).complete);
  return most - before;
}

TEST(LongGames, take_memory_by_their_length_and_not_by_its_square) {
  if (bytes_in_use() == 0) GTEST_SKIP() << "this allocator does not count";
  const std::size_t of_short = most_bytes(chess::long_random_game(2'000, 5));
  const std::size_t of_long = most_bytes(chess::long_random_game(4'000, 5));
  EXPECT_LT(of_long, of_short * 5 / 2) << of_short << " bytes for 2,000 plies, " << of_long << " for 4,000";
  EXPECT_LT(of_long, 4'000U * 4'000U) << of_long;
}

TEST(LongGames, that_were_over_long_ago_take_no_more) {
  if (bytes_in_use() == 0) GTEST_SKIP() << "this allocator does not count";
  const std::size_t of_short = most_bytes(chess::knights_shuffle(2'000));
  const std::size_t of_long = most_bytes(chess::knights_shuffle(4'000));
  EXPECT_LT(of_long, of_short * 5 / 2) << of_short << " bytes for 2,000 plies, " << of_long << " for 4,000";
}

TEST(LongGames, are_reviewed_up_to_a_limit_and_say_what_is_left_out) {
  const pgn::Game game = game_of(chess::knights_shuffle(most_plies + 7));
  const Evidence evidence = evidence_of(game, nullptr);
  const GameReview review = assemble(game, evidence, {});
  EXPECT_EQ(review.plies.size(), most_plies);
  EXPECT_EQ(review.left_out, 7U);
  EXPECT_EQ(parse_evidence(format_evidence(evidence), game)->plies.size(), most_plies);
  const pgn::Game whole = game_of(chess::knights_shuffle(7));
  EXPECT_EQ(assemble(whole, evidence_of(whole, nullptr), {}).left_out, 0U);
}

TEST(LongGames, that_went_on_after_their_end_are_drawn_from_there_on) {
  const pgn::Game game = game_of(chess::knights_shuffle(40));
  const GameReview review = assemble(game, evidence_of(game, nullptr), {});
  constexpr std::size_t end = 16;  // plies: the start for the fifth time
  EXPECT_FALSE(review.plies[end - 2].ends_game);
  for (std::size_t at = end - 1; at < review.plies.size(); ++at) {
    EXPECT_TRUE(review.plies[at].ends_game);
    EXPECT_EQ(review.after(at).lines.front().score, score::WhiteScore(score::Centipawns{0}));
  }
}

// Each asks a model again and again, and is stopped while it does so for the first time.
TEST(LongGames, stop_after_one_batch_of_the_model) {
  const pgn::Game game = game_of(chess::long_random_game(1'000, 5));
  Evidence known = evidence_of(game, nullptr);
  const auto pool = even_pool();
  Sources sources;
  sources.pool = pool.get();
  NoSink sink;
  known = Reviewer(game, sources, {}).gather(sink).evidence;
  human::FakeModel first;
  ASSERT_TRUE(ask_about_people(known, game, first, {1500, 1500}));
  const GameReview review = assemble(game, known, {});
  const auto asked_after_stop = [](const auto& work) {
    std::stop_source stop;
    WatchedModel model([&] { stop.request_stop(); });
    work(model, stop.get_token());
    return model.asked();
  };
  const std::size_t people = asked_after_stop([&](human::HumanModel& model, const std::stop_token& stop) {
    Evidence evidence = known;
    EXPECT_TRUE(ask_about_people(evidence, game, model, {1500, 1500}, People::full, stop));
  });
  const std::size_t traps = asked_after_stop([&](human::HumanModel& model, const std::stop_token& stop) {
    EXPECT_TRUE(possible_traps(review, model, 0, stop));
  });
  const std::size_t across = asked_after_stop([&](human::HumanModel& model, const std::stop_token& stop) {
    Evidence evidence = known;
    EXPECT_TRUE(ask_across_ratings(evidence, game, model, 0, [&] { return stop.stop_requested(); }));
  });
  for (const std::size_t asked : {people, traps, across}) {
    EXPECT_GT(asked, 0U);
    EXPECT_LE(asked, 64U);
  }
}

TEST(LongGames, stop_while_they_are_put_together) {
  const pgn::Game game = game_of(chess::long_random_game(500, 5));
  const std::stop_source stop;
  stop.request_stop();
  EXPECT_LT(assemble(game, evidence_of(game, nullptr), {}, stop.get_token()).plies.size(), 2U);
}

// The model and the engine ask for it while they answer; nothing is asked after that.
TEST(LongGames, stop_as_a_whole) {
  const pgn::Game game = game_of(chess::long_random_game(1'000, 5));
  for (const bool by_model : {false, true}) {
    std::stop_source stop;
    std::atomic<std::size_t> searches = 0;
    const auto pool = even_pool([&] {
      ++searches;
      if (!by_model) stop.request_stop();
    });
    WatchedModel model([&] { stop.request_stop(); });
    Sources sources;
    sources.pool = pool.get();
    sources.model = &model;
    ReviewRequest request;
    request.effort = Effort::adaptive;
    request.asker.stop = stop.get_token();
    NoSink sink;
    EXPECT_FALSE(Reviewer(game, sources, request).gather(sink).complete);
    EXPECT_LE(model.asked(), by_model ? 64U : 0U);
    if (!by_model) {
      EXPECT_EQ(searches, 1U);
    }
  }
}

}  // namespace
}  // namespace pm::review
