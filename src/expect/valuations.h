// What the engine has said in one run, so that each position is asked about once: other lines lead to it, and other
// candidates.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "engine/evaluator.h"

namespace pm::expect {

class Valuations {
 public:
  explicit Valuations(engine::Evaluator& evaluator) : evaluator_(evaluator) {}

  // Calls `take` once for each question whose answer comes before somebody asks to stop; with nothing when the engine
  // failed. What is known from a deeper search is taken. The same questions in the same order give the same answers.
  using Take = std::function<void(std::size_t question, const std::optional<engine::Valuation>& valuation)>;
  void ask(std::span<const engine::Question> questions, const Take& take, const std::stop_token& stop);

  std::size_t made() const { return made_; }    // by the engine
  std::size_t known() const { return known_; }  // by the evaluator from before

 private:
  struct Known {
    int depth;
    engine::Valuation valuation;
  };
  engine::Evaluator& evaluator_;
  std::map<std::string, Known> deepest_;  // by FEN
  std::size_t made_ = 0;
  std::size_t known_ = 0;
};

}  // namespace pm::expect
