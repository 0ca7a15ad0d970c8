// Expected win rates: what each sensible move of a position would score against people of a rating.
//
//   Analysis analysis = analyse({history, parameters}, model, evaluator, on_progress, stop);
//   for (const Candidate& c : analysis.candidates) use(c.san, c.summary.expected);
//
// First every legal move is evaluated and the sensible ones kept (filter); then the human model builds a tree of likely
// replies below each of them and the engine values the trees from the top (inquiry.h has the steps). `on_progress` is
// called on the calling thread with the analysis as far as it is: trees as they grow, win rates as they come, with
// bounds. When asked to stop, what is there is returned, valid and marked as cancelled.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluator.h"
#include "expect/interval.h"
#include "expect/parameters.h"
#include "expect/tree.h"
#include "human/human_model.h"

namespace pm::expect {

struct Request {
  chess::PositionHistory history;  // the position, with what is known of how it came about
  Parameters parameters;
  std::vector<chess::Move> only;  // build trees for these legal moves alone; empty: for all sensible ones
  // The win rate of the best move, when the caller knows it: the filter then looks at the moves of `only` alone.
  std::optional<WinRate> base;
  // Win rates after moves, when the caller knows them: the engine is not asked again.
  struct Known {
    chess::Move move;
    WinRate win_rate;
    int depth;  // plies it was searched
  };
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<Known> known = {};
  // Beside the sensible ones, such as a move that was played.
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<chess::Move> also = {};
};

// Why an analysis that is complete went no further.
enum class Stopped : std::uint8_t { none, settled, time, searches, exact };
const char* word_of(Stopped stopped);  // "" for none

enum class Phase : std::uint8_t { filter, trees, evaluation, complete, cancelled, failed };
const char* word_of(Phase phase);

struct Counts {
  std::size_t done = 0;
  std::size_t total = 0;       // of the phase that is running
  bool total_is_final = true;  // else it may still grow
};

struct Candidate {
  chess::Move move = chess::Move::null();
  std::string san;
  std::string uci;
  std::optional<WinRate> engine_win_rate;  // of the position after it
  double human_probability = 0;            // of the move itself
  Tree tree;
  TreeSummary summary;
  double drift = 0;             // part of the expected win rate: what deeper searches would change of the tree's own
  Interval interval;            // of the expected win rate: interval.h
  bool is_final = false;        // every counted node has its last value
  double seconds = 0;           // that engines thought about it
  std::size_t evaluations = 0;  // of its positions, made by the engine
  std::size_t known = 0;        // and taken from the cache
};
// "fresh", "partly" or "cached": where the evaluations come from.
const char* cache_word(const Candidate& candidate);

struct Analysis {
  Parameters parameters;
  Phase phase = Phase::filter;
  Stopped stopped = Stopped::none;
  Counts counts;
  std::optional<WinRate> base;        // of the best move
  std::vector<Candidate> candidates;  // ranked when the analysis has ended
  std::string empty_reason;           // why there is none: "checkmate", "stalemate"; else empty
  bool history_known = false;         // else only the position was
  bool truncated = false;             // max_ply or max_nodes stopped a tree
  std::vector<std::string> warnings;
  std::string error;              // of a failed analysis
  std::size_t evaluations = 0;    // made by the engine
  std::size_t known = 0;          // taken from the cache
  std::size_t nodes = 0;          // of all trees
  std::size_t candidate_now = 0;  // whose position was answered last, counted from 1; 0: none yet
};

// By expected win rate, engine's win rate, UCI text; also while an analysis runs.
std::vector<const Candidate*> ranked(const std::vector<Candidate>& candidates);
void sort_by_rank(std::vector<Candidate>& candidates);

// Of all trees, those with a win rate.
std::size_t valued_nodes(const Analysis& analysis);

using OnProgress = std::function<void(const Analysis& so_far)>;

Analysis analyse(const Request& request, human::HumanModel& model, engine::Evaluator& evaluator,
                 const OnProgress& on_progress, const std::stop_token& stop);

}  // namespace pm::expect
