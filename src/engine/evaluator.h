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
};

struct EvaluatorIdentity {
  std::string name;                                          // "Stockfish 15.1"
  std::vector<std::pair<std::string, std::string>> options;  // that were set
};

class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  virtual const EvaluatorIdentity& identity() const = 0;

  // Calls `answered(i, answer)` once for each question, in any order, on the calling thread, as answers come in;
  // returns when all are there, or soon after `stop` asks for it (those missing are then not called for). The questions
  // should be sorted so that neighbours have much in common: an engine that has seen one is quicker with the next. The
  // same questions give the same answers.
  using Answered = std::function<void(std::size_t question, const Answer& answer)>;
  virtual void evaluate(std::span<const Question> questions, const Answered& answered, const std::stop_token& stop) = 0;
};

}  // namespace pm::engine
