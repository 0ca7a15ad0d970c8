#include "expect/valuations.h"

#include <algorithm>
#include <utility>

#include "chess/fen.h"

namespace pm::expect {

void Valuations::ask(std::span<const engine::Question> questions, const Take& take, const std::stop_token& stop) {
  std::vector<engine::Question> fresh;
  std::vector<std::string> fens;
  std::vector<std::vector<std::size_t>> wanted;  // for each fresh question, those it answers
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::string fen = chess::format_fen(questions[i].position);
    const auto found = deepest_.find(fen);
    if (found != deepest_.end() && found->second.depth >= questions[i].depth) {
      take(i, found->second.valuation);
      continue;
    }
    const auto [place, is_new] = places.emplace(fen, fresh.size());
    if (is_new) {
      fresh.push_back(questions[i]);
      fens.push_back(std::move(fen));
      wanted.emplace_back();
    }
    fresh[place->second].depth = std::max(fresh[place->second].depth, questions[i].depth);
    wanted[place->second].push_back(i);
  }
  evaluator_.evaluate(
      fresh,
      [&](std::size_t f, const engine::Answer& answer) {
        ++(answer.cached ? known_ : made_);
        if (answer.valuation) {
          Known& deepest = deepest_.try_emplace(fens[f], Known{0, {}}).first->second;
          if (fresh[f].depth > deepest.depth) deepest = {fresh[f].depth, *answer.valuation};
        }
        for (const std::size_t i : wanted[f]) take(i, answer.valuation);
      },
      stop);
}

}  // namespace pm::expect
