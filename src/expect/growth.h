// Grows the trees below the candidates of an analysis: which replies people are likely to play, and what answers
// (docs/expected-winrate.md 2, steps 2 and 3). It says what the human model is to be asked and takes the answers; it
// asks nobody itself.
//
// Whole trees grow together, level by level, so that the model answers in large batches; the likeliest lines first, so
// that the least likely are missing should the nodes run out. Single nodes grow when somebody wants them to.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "expect/analysis.h"

namespace pm::expect {

// How a position ends a line without the engine, for `player`; and whether it has been there before.
struct Ending {
  std::optional<WinRate> known;
  bool repeated = false;
};
Ending ending_of(const chess::PositionHistory& history, chess::Colour player);

// The question to the model: who of the two is to move here?
human::Query query_of(const chess::PositionHistory& history, chess::Colour player, const Parameters& parameters);

// A node of one of the trees.
struct Place {
  std::size_t candidate;
  std::uint32_t node;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class Growth {
 public:
  // The analysis must outlive it.
  Growth(Analysis& analysis, chess::Colour player) : analysis_(analysis), player_(player) {}

  // Forgets all trees.
  void clear();
  // A tree may grow from the root of the next candidate, the position `after` its move.
  void add_root(chess::PositionHistory after);

  // Level by level: some hundred positions to ask about, and what the model says of them; `changed` gets the candidates
  // that grew.
  bool done() const { return growing_.empty(); }
  std::vector<human::Query> queries();
  void take(std::vector<human::Prediction>& predictions, std::set<std::size_t>& changed);

  // One node: what to ask, what would stand below it (nothing when no move is likely enough), and putting it there.
  human::Query query_at(Place place) const;
  std::vector<Node> children_of(Place place, human::Prediction& policy);
  void attach(Place place, std::vector<Node> children);

 private:
  chess::PositionHistory history_at(Place place) const;
  Node& node_at(Place place) const { return analysis_.candidates[place.candidate].tree.nodes[place.node]; }
  void sort_level();

  Analysis& analysis_;
  chess::Colour player_;
  std::vector<chess::PositionHistory> roots_;  // by candidate
  std::vector<Place> growing_;                 // one level
  std::size_t grown_ = 0;                      // of them
  std::size_t asked_ = 0;                      // of them, about to grow
  std::vector<Place> next_;                    // the level below
};

}  // namespace pm::expect
