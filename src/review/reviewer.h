// Finds out all there is to know about a game: plans what to ask, asks engines and a human model, says how far it is,
// and stops at once when asked to. Every front end reviews games and single moves through it.
//
//   Reviewer reviewer(game, sources, request);     // asks the engines for everything
//   Gathered gathered = reviewer.gather(sink);     // waits; early and incomplete when asked to stop
//   GameReview review = assemble(game, gathered.evidence, options);
//
// In order: every position is searched, by Effort::full to the limit and by Effort::adaptive less far. The positions
// that a verdict hangs on are searched deeper, once. Where the position after a move contradicts the best line before
// it, the position before is searched deeper again, and at last given the score of the position after (docs/rules.md 1
// and 8). A new search replaces the old one for both moves that touch the position. Last, what moves score against
// people, and which set traps; and
// how likely people of other ratings are to play them (across_ratings.h).
//
// Several games may be in flight at once, which keeps all engines busy; gather() them in any order. The game and what
// the sources point to must outlive the reviewer. One thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/either_stop.h"
#include "engine/engine_pool.h"
#include "human/human_model.h"
#include "human/ratings.h"
#include "review/expectations.h"
#include "review/game_review.h"
#include "review/plan.h"

namespace pm::review {

// Where answers come from. Nothing is owned.
struct Sources {
  engine::EnginePool* pool = nullptr;         // two lines; null: the scores are those of the file
  engine::EnginePool* single_pool = nullptr;  // one line, for expectations; null: none
  store::Store* store = nullptr;              // of expectations; null: nothing is kept
  human::HumanModel* model = nullptr;         // null: nobody asks about people
  const book::PolyglotBook* book = nullptr;   // beside the opening names; null: none
};

// What an earlier review of the same game, or of one that begins with the same moves, has found out: it is not asked
// for again.
struct KnownEvidence {
  const Evidence* evidence = nullptr;
  std::size_t positions = 0;  // how many of its positions, from the start, are those of this game
};

struct ReviewRequest {
  engine::Limit limit;
  Effort effort = Effort::full;
  People people = People::quick;
  human::WantedRatings ratings;
  chess::Colour player = chess::Colour::white;  // whose `ratings.rating` is
  bool first_look = false;                      // a shallow pass over the whole game first, told to the sink
  std::size_t from = 0;  // the first ply somebody wants to know about; what lies before is not asked for
  KnownEvidence known;
  engine::EnginePool::Asker asker = {};        // on pools that are shared
  std::size_t first_segment = segment_length;  // another one makes a review independent of the usual one
};

// The shallow pass: so shallow that a whole game takes seconds.
inline constexpr engine::Limit first_look_limit{engine::Limit::Kind::depth, 8};

// How far a review is: positions searched, then moves compared against people.
struct ReviewProgress {
  enum class Stage : std::uint8_t { positions, people } stage = Stage::positions;
  std::size_t done = 0;
  std::size_t total = 0;  // of the stage; may grow while close calls are searched again
};

// Who is told how a review goes. Abstract because a terminal, a browser or nobody stands behind it. Called on the
// thread that gathers, about ten times a second.
class ReviewSink {
 public:
  ReviewSink() = default;
  ReviewSink(const ReviewSink&) = delete;
  ReviewSink& operator=(const ReviewSink&) = delete;
  virtual ~ReviewSink() = default;
  virtual void progress(const ReviewProgress& progress) = 0;
  // What a first look has found, complete but shallow.
  virtual void first_look(const Evidence& /*evidence*/) {}
};

struct Gathered {
  Evidence evidence;
  bool complete = false;       // nobody asked to stop
  std::string engine_trouble;  // why some position could not be evaluated; empty: all could
  std::string human_trouble;   // why there is nothing about people; empty: there is
};

class Reviewer {
 public:
  Reviewer(const pgn::Game& game, const Sources& sources, ReviewRequest request);
  Gathered gather(ReviewSink& sink);

 private:
  struct Asked {
    std::vector<std::size_t> wanted;
    std::future<engine::SegmentResult> result;
  };
  using Order = engine::EnginePool::Order;

  bool stopped() const { return stop_.stop_requested(); }
  // By the usual rules, of what is known now; not whole when asked to stop.
  GameReview assembled() const;
  std::vector<Asked> ask(std::vector<engine::Segment> segments, Order order);
  // Waits, and puts what was answered in its place.
  void collect(std::vector<Asked>& all, Evidence& into);
  void wait_for(std::future<engine::SegmentResult>& result);
  // Hands these positions out to be searched so far; those that are known so well already are left out.
  std::vector<Asked> ask_again(const std::map<std::size_t, engine::Limit>& positions);
  void search_close_calls();
  void search_open_verdicts();
  void settle_contradictions();
  bool may_search_again(std::size_t position, int tries) const;
  chess::Colour mover(std::size_t ply) const;
  // As it is judged: where the game is over, its end. Nothing: not known.
  std::optional<score::WhiteScore> score_of(std::size_t position) const;
  bool is_contradiction(std::size_t ply) const;
  void back_up_score(std::size_t ply);
  // Not both positions were known before.
  bool is_fresh(std::size_t ply) const { return fresh_[ply] || fresh_[ply + 1]; }
  void ask_model(Evidence& evidence);
  void ask_across_ratings();
  void ask_expectations();
  void look_for_traps();
  std::vector<PlyToCompare> choose_to_compare(const GameReview& review, engine::Evaluator& evaluator);
  bool search_around(const std::vector<PlyToCompare>& plies);
  void tell(ReviewProgress::Stage stage, std::size_t done, std::size_t total);

  const pgn::Game& game_;
  Sources sources_;
  ReviewRequest request_;
  EitherStop stop_;  // of the one who asked, or of the engines
  GamePlan plan_;
  std::vector<chess::Move> moves_;  // that are reviewed
  Gathered gathered_;
  std::vector<bool> fresh_;  // positions this reviewer asks for
  std::vector<Asked> first_look_;
  std::vector<Asked> asked_;
  std::size_t total_ = 0;  // positions asked for
  std::shared_ptr<std::atomic<std::size_t>> done_ = std::make_shared<std::atomic<std::size_t>>(0);
  ReviewSink* sink_ = nullptr;  // while it gathers
};

}  // namespace pm::review
