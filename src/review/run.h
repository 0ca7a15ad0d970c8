// Reviews a game with an engine: plan, run, assemble; then the close calls once more, deeper.
//
//   EngineReview review(game, pool, options);      // asks the pool for everything
//   GameReview done = review.finish();             // waits; returns early, incomplete, when asked to stop
//
// Several games may be in flight at once, which keeps all engines busy; finish() them in any order. The game must
// outlive the review, and the pool too.
#pragma once

#include <functional>
#include <future>
#include <vector>

#include "review/game_review.h"
#include "review/pool.h"

namespace pm::review {

struct EngineReviewOptions {
  ReviewOptions review;
  engine::Limit limit;
  EngineUsed used;  // for the record; the name is the pool's
  // Called with a complete but shallow review before the real one begins; nobody listens: no such pass.
  std::function<void(const GameReview&)> on_provisional;
  // Called about ten times a second while waiting.
  std::function<void()> on_wait;
  EnginePool::Asker asker;  // on a pool that is shared
};

// Shallow enough that a whole game takes seconds.
inline constexpr engine::Limit provisional_limit{engine::Limit::Kind::depth, 8};

class EngineReview {
 public:
  EngineReview(const pgn::Game& game, EnginePool& pool, EngineReviewOptions options);
  GameReview finish();
  // How many are asked for, the close calls not counted, of which nobody knows yet.
  std::size_t positions() const { return positions_; }
  // What went wrong with the engine, when some position could not be evaluated.
  const std::string& trouble() const { return trouble_; }

 private:
  struct Asked {
    std::vector<std::size_t> wanted;
    std::future<SegmentResult> result;
  };
  Asked ask(Segment segment, EnginePool::Order order = EnginePool::Order::last);
  bool stopped() const;
  SegmentResult await(Asked& asked);
  GameEvals collect(std::vector<Asked>& all);
  DeeperPairs search_deeper(const GameReview& review);
  GameReview assembled(GameEvals evals, const engine::Limit& limit, DeeperPairs deeper = {}) const;

  const pgn::Game& game_;
  EnginePool& pool_;
  EngineReviewOptions options_;
  std::vector<Asked> provisional_;
  std::vector<Asked> asked_;
  std::size_t positions_ = 0;
  std::string trouble_;
};

}  // namespace pm::review
