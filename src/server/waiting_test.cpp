// Whoever only wants to look waits for nobody: neither for a review that is being saved nor for one that is cancelled.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

#include "server/api_fixture.h"

namespace pm::server {
namespace {

// A store in which some things take as long as a test wants.
class SlowStore final : public ReviewStore {
 public:
  explicit SlowStore(ReviewStore& store) : store_(store) {}

  // From now on.
  void hold_add() { add_open_ = false; }
  void hold_finish() { finish_open_ = false; }
  void let_go() {
    {
      const std::scoped_lock lock(mutex_);
      add_open_ = true;
      finish_open_ = true;
    }
    changed_.notify_all();
  }
  // Somebody is held up.
  bool is_holding() const { return waiting_ > 0; }

  Expected<std::vector<SavedReview>> add_all(std::span<const NewReview> games) override {
    wait(add_open_);
    return store_.add_all(games);
  }
  Expected<ReviewList> list(const ReviewFilter& filter) override { return store_.list(filter); }
  Expected<SavedReview> find(const std::string& id) override { return store_.find(id); }
  Expected<std::string> pgn(const std::string& id) override { return store_.pgn(id); }
  Expected<std::string> evidence(const std::string& id) override { return store_.evidence(id); }
  Expected<std::string> lines(const std::string& id) override { return store_.lines(id); }
  Expected<std::vector<std::string>> unfinished() override { return store_.unfinished(); }
  Expected<void> set_state(const std::string& id, ReviewState state, const std::string& problem) override {
    return store_.set_state(id, state, problem);
  }
  Expected<void> begin(const std::string& id) override { return store_.begin(id); }
  Expected<void> cancel(const std::string& id) override { return store_.cancel(id); }
  Expected<void> keep(const std::string& id, const std::string& evidence) override { return store_.keep(id, evidence); }
  Expected<void> finish(const std::string& id, const FinishedReview& review) override {
    wait(finish_open_);
    return store_.finish(id, review);
  }
  Expected<void> set_lines(const std::string& id, const std::string& lines) override {
    return store_.set_lines(id, lines);
  }
  Expected<void> set_options(const std::string& id, const std::string& options) override {
    return store_.set_options(id, options);
  }
  Expected<void> remove(const std::string& id) override { return store_.remove(id); }

 private:
  void wait(const std::atomic<bool>& open) {
    ++waiting_;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open.load(); });
    --waiting_;
  }

  ReviewStore& store_;
  std::atomic<bool> add_open_ = true;
  std::atomic<bool> finish_open_ = true;
  std::atomic<int> waiting_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

class WaitingTest : public ApiTest {
 protected:
  WaitingTest() {
    context_.reviews = &slow_;
    open();
  }
  ~WaitingTest() override {
    slow_.let_go();
    api_.reset();
    live_jobs_.reset();
    review_jobs_.reset();
  }
  void await_hold() {
    for (int i = 0; i < 6000 && !slow_.is_holding(); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(slow_.is_holding());
  }
  // Whether an answer comes while the store is held.
  bool is_answered(const std::string& target) {
    auto answer = std::async(std::launch::async, [&] { return ask("GET", target).status; });
    const bool answered = answer.wait_for(20s) == std::future_status::ready;
    if (!answered) slow_.let_go();
    return answered && answer.get() == 200;
  }
  void expect_answers() {
    for (const char* target : {"/api/status", "/api/reviews"}) EXPECT_TRUE(is_answered(target)) << target;
  }

  SlowStore slow_{*store_};
};

TEST_F(WaitingTest, nobody_waits_for_a_review_to_be_saved) {
  slow_.hold_add();
  auto added = std::async(std::launch::async, [&] { return add_review(); });
  await_hold();
  expect_answers();
  slow_.let_go();
  const std::string id = added.get();
  EXPECT_TRUE(is_answered("/api/reviews/" + id));
}

TEST_F(WaitingTest, nobody_waits_for_what_was_found_out_to_be_saved) {
  slow_.hold_finish();
  const std::string id = add_review();
  await_hold();
  expect_answers();
  EXPECT_TRUE(is_answered("/api/reviews/" + id));
  slow_.let_go();
  EXPECT_EQ(await("/api/reviews/" + id + "/events")["end"]["state"], "complete");
}

}  // namespace
}  // namespace pm::server
