// For tests: an evaluator that answers from a table, counts, and fails or stops where it is told to.
#pragma once

#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "chess/fen.h"
#include "engine/evaluator.h"

namespace pm::engine {

class FakeEvaluator final : public Evaluator {
 public:
  const EvaluatorIdentity& identity() const override { return identity_; }

  void evaluate(Questioner& questioner, const std::stop_token& stop) override {
    struct Waiting {
      std::size_t ticket;
      Question question;
    };
    std::deque<Waiting> waiting;
    for (;;) {
      for (Group group = questioner.next(); !group.questions.empty(); group = questioner.next()) {
        for (std::size_t i = 0; i < group.questions.size(); ++i) {
          waiting.push_back({group.first + i, group.questions[i]});
        }
      }
      if (waiting.empty() || stop.stop_requested() || (gives_up_after != 0 && asked >= gives_up_after)) return;
      if (in_any_order != nullptr) std::swap(waiting.front(), waiting[(*in_any_order)() % waiting.size()]);
      const Waiting next = waiting.front();
      waiting.pop_front();
      answer(next.ticket, next.question, questioner);
    }
  }

  // Centipawns of White by FEN; all others are worth what `otherwise` says.
  std::map<std::string, int> centipawns;
  std::function<int(const Question&)> otherwise = [](const Question&) { return 0; };
  std::set<std::string> failing;
  std::size_t stop_after = 0;      // asks `source` to stop after so many answers; 0: never
  std::size_t fails_after = 0;     // has no more answers after so many; 0: never
  std::size_t gives_up_after = 0;  // answers so many questions in all, as if its engines were stopped; 0: all
  std::stop_source source;
  std::size_t asked = 0;
  std::map<std::pair<std::string, int>, int> asked_by_depth;
  std::map<std::string, int> depths;  // of the last question

  std::mt19937* in_any_order = nullptr;  // null: first come, first served

  void call(std::string name) { identity_.name = std::move(name); }

 private:
  void answer(std::size_t ticket, const Question& question, Questioner& questioner) {
    const std::string fen = chess::format_fen(question.position);
    ++asked;
    ++asked_by_depth[{fen, question.depth}];
    depths[fen] = question.depth;
    if (failing.contains(fen) || (fails_after != 0 && asked > fails_after)) {
      questioner.take(ticket, {});
    } else {
      questioner.take(ticket, {Valuation{score_of(question), std::nullopt}});
    }
    if (stop_after != 0 && asked == stop_after) source.request_stop();
  }
  score::WhiteScore score_of(const Question& question) const {
    const auto told = centipawns.find(chess::format_fen(question.position));
    return score::WhiteScore(score::Centipawns{told != centipawns.end() ? told->second : otherwise(question)});
  }

  EvaluatorIdentity identity_{"fake", {}};
};

}  // namespace pm::engine
