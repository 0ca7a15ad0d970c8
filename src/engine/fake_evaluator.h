// For tests: an evaluator that answers from a table, counts, and fails or stops where it is told to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "chess/fen.h"
#include "engine/evaluator.h"

namespace pm::engine {

class FakeEvaluator final : public Evaluator {
 public:
  const EvaluatorIdentity& identity() const override { return identity_; }

  void evaluate(std::span<const Question> questions, const Answered& answered, const std::stop_token& stop) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (stop.stop_requested() || (gives_up_after != 0 && asked >= gives_up_after)) return;
      const std::string fen = chess::format_fen(questions[i].position);
      ++asked;
      ++asked_by_depth[{fen, questions[i].depth}];
      depths[fen] = questions[i].depth;
      if (failing.contains(fen)) {
        answered(i, {std::nullopt, false});
      } else {
        answered(i, {Valuation{score_of(questions[i]), std::nullopt}, false});
      }
      if (stop_after != 0 && asked == stop_after) source.request_stop();
    }
  }

  // Centipawns of White by FEN; all others are worth what `otherwise` says.
  std::map<std::string, int> centipawns;
  std::function<int(const Question&)> otherwise = [](const Question&) { return 0; };
  std::set<std::string> failing;
  std::size_t stop_after = 0;      // asks `source` to stop after so many answers; 0: never
  std::size_t gives_up_after = 0;  // answers so many questions in all, as if its engines were stopped; 0: all
  std::stop_source source;
  std::size_t asked = 0;
  std::map<std::pair<std::string, int>, int> asked_by_depth;
  std::map<std::string, int> depths;  // of the last question

 private:
  score::WhiteScore score_of(const Question& question) const {
    const auto told = centipawns.find(chess::format_fen(question.position));
    return score::WhiteScore(score::Centipawns{told != centipawns.end() ? told->second : otherwise(question)});
  }

  EvaluatorIdentity identity_{"fake", {}};
};

}  // namespace pm::engine
