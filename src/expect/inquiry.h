// An analysis that is asked what it wants to know next, and told. It has no threads and waits for nobody, so the same
// steps serve a pool of engines, tests, and whoever else can answer.
//
//   Inquiry inquiry(request, false, "Stockfish 15.1");
//   while (!inquiry.ended()) {
//     if (auto queries = inquiry.queries(); !queries.empty()) inquiry.take(*model.predict(queries, Want::moves));
//     for (Group group = inquiry.next(); !group.questions.empty(); group = inquiry.next()) ask(group);
//     inquiry.take(ticket, answer);                          // in any order
//   }
//
// The steps are those of docs/expected-winrate.md 2: the filter, the trees, and then either rounds over all of them or
// one search after the other where it tells most (settle.h). What it asks depends on the answers, never on the order or
// the time they come in.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expect/analysis.h"
#include "expect/growth.h"
#include "expect/questions.h"
#include "expect/settle.h"
#include "expect/worth.h"

namespace pm::expect {

class Inquiry {
 public:
  // `watched`: somebody wants to see trees early. `engine`: the name of the one who will answer.
  Inquiry(Request request, bool watched, const std::string& engine);
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  bool ended() const { return then_ == nullptr; }
  // What to ask the human model; the answers to all of them are to be taken together. Empty: nothing now.
  std::vector<human::Query> queries();
  void take(std::vector<human::Prediction> predictions);
  // What to ask the engine, and its answers. No questions: nothing before more answers are there.
  engine::Group next();
  void take(std::size_t ticket, const engine::Answer& answer);

  // Ends it with what is known.
  void out_of_time();
  void cancel();
  void fail_with(const std::string& sentence);

  // With the summaries brought up to date.
  const Analysis& so_far();
  // When it has ended.
  Analysis result();

 private:
  using Step = void (Inquiry::*)();
  using Take = std::function<void(std::size_t question, const std::optional<engine::Valuation>& valuation)>;
  using Told = std::function<void(std::size_t question, const engine::Answer& answer)>;  // of what was not known before
  struct Legal {
    chess::Move move;
    chess::PositionHistory after;
    std::optional<WinRate> win_rate;
    bool is_known = false;          // the win rate, without the engine
    int depth = 0;                  // of the search that told it
    int asked = 0;                  // of the deepest search that was asked for
    std::map<int, WinRate> before;  // what less deep ones told
    engine::Answer answer;          // the latest
  };
  // The rounds over whole trees.
  enum class Round : std::uint8_t { glance, quick, exact };
  // Children of a node that are looked at before they are put there.
  struct Grown {
    Place place;
    std::vector<Node> children;
  };

  // The steps, each of which asks for something and says what follows.
  void begin();
  void look_first();
  void choose_first();
  void grow_first();
  void filter();
  void choose_all();
  void grow_all();
  void evaluate();
  void begin_round();
  void value_due();
  void end_round();
  void settle();

  void advance();
  void ask(std::vector<engine::Question> questions, const Told& told, const Take& take,
           Questions::Order order = Questions::Order::any, std::function<void()> done = {});
  void count(std::size_t candidate, const engine::Answer& answer);
  void end(Phase phase, Stopped stopped = Stopped::none);

  void enter(Phase phase, std::size_t total, bool is_final);
  void refresh(std::size_t candidate);
  bool is_wanted(chess::Move move) const;
  std::vector<Legal> legal_moves() const;
  // Whether less deep looks say which moves are searched to the full depth: nobody has named them, or knows the best.
  bool narrows() const { return settles() && !request_.base && request_.only.empty(); }
  // Whether a deeper search could show that it is sensible.
  bool may_be_sensible(const Legal& legal) const;
  // The moves that may be, and are not searched so deep yet.
  std::vector<std::size_t> worth_asking(int depth) const;
  void ask_for(int depth);
  bool choose();
  void add_candidate(const Legal& legal);
  void grow_level();
  int depth_of(const Node& node, Round round) const;
  std::size_t searches_of(Round round) const;
  std::vector<std::uint32_t> due_of(const Tree& tree, Round round) const;
  std::vector<Place> all_due(Round round);
  void search_and_grow(const std::vector<Work::Search>& wanted, std::vector<Grown> grown);
  std::size_t searches_left() const;
  bool all_final() const;
  void set_value(Place place, int depth, const std::optional<engine::Valuation>& valuation);

  Node& node_at(Place place) { return analysis_.candidates[place.candidate].tree.nodes[place.node]; }
  bool settles() const { return parameters_.effort == Effort::settled; }
  WinRate base() const { return analysis_.base.value_or(WinRate(0.5)); }
  WinRate least() const;          // of a candidate
  WinRate followed_from() const;  // what is worse prunes a node of the player's own
  Target target() const;

  Request request_;
  const Parameters parameters_;
  chess::Colour player_;
  Worth worth_;
  bool watched_;
  bool measured_;  // how far its engine's values are off
  Analysis analysis_;
  Growth growth_;
  Questions questions_;
  Step then_ = nullptr;  // what to do when nothing is outstanding; null: it has ended
  std::vector<human::Query> queries_;
  std::function<void(std::vector<human::Prediction>&)> take_predictions_;  // empty: none are outstanding

  human::Prediction policy_;  // of the root
  std::vector<Legal> legal_;
  std::set<std::size_t> changed_;  // candidates whose summaries are out of date
  bool shallow_only_ = false;

  std::vector<Round> rounds_;
  std::vector<std::size_t> searches_to_;  // the end of each round, should nothing be pruned
  std::size_t round_ = 0;
  std::optional<Round> last_round_;  // once it has begun

  std::set<Place> in_flight_;  // of a settled run: about to be searched or grown
  std::size_t searched_ = 0;
  bool nothing_new_ = false;  // before more is known
  std::size_t failures_ = 0;  // of the engine, one after the other
};

}  // namespace pm::expect
