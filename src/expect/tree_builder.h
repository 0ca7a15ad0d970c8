// Builds the trees below the candidates of an analysis: which replies people are likely to play, and what answers
// (docs/expected-winrate.md 2, steps 2 and 3). All trees grow together, level by level, so that the model answers in
// large batches; the likeliest lines first, so that the least likely are missing should the nodes run out.
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

class TreeBuilder {
 public:
  // Both must outlive it.
  TreeBuilder(Analysis& analysis, human::HumanModel& model, chess::Colour player)
      : analysis_(analysis), model_(model), player_(player) {}

  // A tree may grow from the root of this candidate, the position `after` its move.
  void add_root(std::size_t candidate, chess::PositionHistory after) {
    growing_.push_back({candidate, 0, std::move(after)});
  }
  bool done() const { return growing_.empty(); }

  // Asks the model about some hundred positions and adds their likely moves; `changed` gets the candidates that grew.
  Expected<void> step(std::set<std::size_t>& changed);

 private:
  struct Growing {
    std::size_t candidate;
    std::uint32_t node;
    chess::PositionHistory history;
  };

  void sort_level();
  void add_children(const Growing& from, human::Prediction& policy);

  Analysis& analysis_;
  human::HumanModel& model_;
  chess::Colour player_;
  std::vector<Growing> growing_;  // one level
  std::size_t grown_ = 0;         // of them
  std::vector<Growing> next_;     // the level below
};

}  // namespace pm::expect
