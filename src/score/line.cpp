#include "score/line.h"

#include "chess/draws.h"

namespace pm::score {

std::optional<WhiteScore> finished_score(const chess::Position& position, int repetitions) {
  const auto end = chess::game_end(position, repetitions);
  if (!end) return std::nullopt;
  if (*end != chess::GameEnd::checkmate) return WhiteScore(Centipawns{0});
  return WhiteScore(Mate{0, position.side_to_move() == chess::Colour::black});
}

}  // namespace pm::score
