#include "human/answers.h"

#include <cmath>

namespace pm::human {

Encoded encode(const chess::PositionHistory& history, const nn::Planes& planes) {
  Encoded encoded{chess::legal_moves(history.newest()), planes, {}};
  encoded.slots.reserve(encoded.moves.size());
  for (const chess::Move m : encoded.moves) {
    encoded.slots.push_back(nn::policy_slot(m, history.newest().side_to_move()));
  }
  return encoded;
}

bool is_finite(const nn::NetworkOutput& output) {
  const auto finite = [](float x) { return std::isfinite(x); };
  return std::all_of(output.logits.begin(), output.logits.end(), finite) &&
         std::all_of(output.wdl.begin(), output.wdl.end(), finite);
}

void add_answer(const chess::MoveList& moves, const nn::NetworkOutput& output, double share, Prediction& to) {
  if (!output.logits.empty()) {
    const double most = *std::max_element(output.logits.begin(), output.logits.end());
    double sum = 0;
    for (const float logit : output.logits) sum += std::exp(logit - most);
    for (std::size_t i = 0; i < output.logits.size(); ++i) {
      to.moves[i].move = moves[i];
      to.moves[i].probability += share * std::exp(output.logits[i] - most) / sum;
    }
  }
  to.result.win += share * output.wdl[0];
  to.result.draw += share * output.wdl[1];
  to.result.loss += share * output.wdl[2];
}

}  // namespace pm::human
