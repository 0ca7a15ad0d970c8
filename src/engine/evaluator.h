// Where the win rates of positions come from. Abstract because an engine stands behind it (engine/pool_evaluator.h);
// tests use one that answers from a table.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "chess/position.h"
#include "score/line.h"

namespace pm::engine {

struct Question {
  chess::Position position = chess::Position::start();  // not one where the game is over
  int depth = 15;
};

// What an engine says of a position, White's view.
struct Valuation {
  score::WhiteScore score{score::Centipawns{0}};
  std::optional<score::WhiteResults> results;  // its own win-draw-loss figures, where it gives them
};

struct Answer {
  std::optional<Valuation> valuation;  // nothing: the engine failed, or somebody asked to stop
  bool cached = false;                 // known from before
  double seconds = 0;                  // that the engine thought
};

struct EvaluatorIdentity {
  std::string name;                                          // "Stockfish 15.1"
  std::vector<std::pair<std::string, std::string>> options;  // that were set
};

// Questions that one engine answers in turn. They should have much in common: an engine that has seen one is quicker
// with the next, and forgets everything at the end of the group.
struct Group {
  std::size_t first = 0;  // ticket of the first question; the others follow
  std::vector<Question> questions;
};

// Who asks: for as long as there is something to ask, what is asked next may depend on the answers.
class Questioner {
 public:
  Questioner() = default;
  Questioner(const Questioner&) = delete;
  Questioner& operator=(const Questioner&) = delete;
  virtual ~Questioner() = default;

  // Without questions: there are none before more answers have come, or none at all.
  virtual Group next() = 0;
  virtual void take(std::size_t ticket, const Answer& answer) = 0;
};

class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  virtual const EvaluatorIdentity& identity() const = 0;

  // Gives one answer to each question, in any order, on the calling thread, as answers come in; returns when there is
  // nothing left to ask and all are there, or soon after `stop` asks for it (those missing are then not given). The
  // same groups give the same answers.
  virtual void evaluate(Questioner& questioner, const std::stop_token& stop) = 0;
};

// The same for questions that are all known before: calls `answered(i, answer)` once for each. Neighbours should have
// much in common.
using Answered = std::function<void(std::size_t question, const Answer& answer)>;
void evaluate_all(Evaluator& evaluator, std::span<const Question> questions, const Answered& answered,
                  const std::stop_token& stop);

// How many of so many questions go into a group: enough that an engine profits from what it has seen, and few enough
// that all engines are done at about the same time. It does not depend on how many engines there are.
std::size_t group_length(std::size_t questions);

}  // namespace pm::engine
