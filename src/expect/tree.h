// The tree below one candidate move: the replies people are likely to play, their likely answers, and so on, each with
// its probability and, once known, its win rate; and what they add up to. Pure: no engine, no model, no clock.
//
// Win rates are those of the analysing player, at every node, whoever is to move. The candidate is node 0 and ply 1;
// the analysing player's own moves are the odd plies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chess/position.h"
#include "expect/parameters.h"
#include "score/score.h"

namespace pm::expect {

using score::WinRate;

// Slack for sums of probabilities, and for win rates (docs/expected-winrate.md 2).
inline constexpr double probability_slack = 1e-12;
inline constexpr double win_rate_slack = 1e-9;

enum class NodeKind : std::uint8_t {
  inner,       // some reply is likely enough to be followed
  leaf,        // none is
  terminal,    // the game is over, or a draw can be claimed
  repetition,  // the position has been on the board before, but not yet three times
  pruned,      // the analysing player would not play this: what is below is shown but does not count
};
const char* word_of(NodeKind kind);

enum class PruneReason : std::uint8_t { none, analyzing_player_blunder, below_threshold };
const char* word_of(PruneReason reason);  // "" for none

struct Node {
  chess::Move move = chess::Move::null();  // that led here
  std::string san;
  chess::Position position = chess::Position::start();  // after it
  std::uint32_t parent = 0;
  std::uint32_t first_child = 0;  // the children stand side by side, the likeliest first
  std::uint32_t child_count = 0;
  int ply = 1;
  double probability = 1;             // of the move, among all legal ones; of the candidate: 1, not its own
  double cumulative_probability = 1;  // of the path from the candidate
  NodeKind kind = NodeKind::leaf;
  PruneReason reason = PruneReason::none;
  int depth = 0;                    // of the search its win rate is from; 0: none yet
  int asked = 0;                    // the depth of the deepest search that is over, which may have failed
  bool open = false;                // nobody has asked yet which replies are likely
  bool unevaluated = false;         // the engine was asked and failed
  std::optional<WinRate> win_rate;  // nothing until it is evaluated
  std::map<int, WinRate> before;    // what searches less deep said, by depth
};

struct Tree {
  std::vector<Node> nodes;

  const Node& candidate() const { return nodes.front(); }
};

// The analysing player moved to this node.
constexpr bool is_own_move(const Node& node) { return node.ply % 2 == 1; }

// What prunes: a node of the analysing player's (never the candidate) below `least` counts as a leaf. Sets the win
// rate, the kind and the reason; called again with a better value, it decides anew.
void set_win_rate(Tree& tree, std::uint32_t node, WinRate win_rate, WinRate least);

// Decides for the whole tree what is pruned and why, after values of some nodes and their parents have changed.
void decide_again(Tree& tree, WinRate least);

// Below a pruned node nothing counts, so nothing is said: takes away what quicker searches found there.
void hide_below_pruned(Tree& tree);

// Nodes that count: reached from the candidate without passing through a pruned one, parents before children.
std::vector<std::uint32_t> counted_nodes(const Tree& tree);

// The probability that is valued at a node: that of its path for a leaf, the unfollowed part of it for an inner node.
// Over the counted nodes they add up to 1.
double valued_mass(const Tree& tree, std::uint32_t node);

struct TreeSummary {
  double expected = 0;  // win rate; while mass is pending, the middle of the bounds
  double lower = 0;     // pending mass counting as 0
  double upper = 1;     // and as 1
  double raw = 0;       // sum over leaves of probability x win rate
  double leaf_mass = 0;
  double pending_mass = 1;      // valued at nodes that are not evaluated yet
  double unevaluated_mass = 0;  // valued at a parent because the evaluation failed
  double confidence = 0;        // the probability followed through the reply and the answer to it
  double tree_depth = 1;        // mean ply, weighted by valued mass
  int max_depth = 1;
  std::size_t branches = 0;  // leaves
};

// `base`: the win rate of the best move of the position asked about.
TreeSummary summarise(const Tree& tree, Uncovered uncovered, WinRate base);

// "High" above 0.8, "Medium" from 0.6, else "Low".
const char* confidence_label(double confidence);

}  // namespace pm::expect
