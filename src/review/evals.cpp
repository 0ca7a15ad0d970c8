#include "review/evals.h"

#include <cstdlib>

#include "pgn/comment.h"

namespace pm::review {
namespace {

std::optional<verdict::Line> line_of(const pgn::Node& node) {
  for (const pgn::Comment& c : node.after) {
    const auto eval = pgn::find_eval(c);
    if (!eval) continue;
    const bool mate_on_the_board = eval->kind == pgn::Eval::Kind::mate && eval->value == 0;
    if (mate_on_the_board) return std::nullopt;  // if it is true the position says so itself
    const verdict::Score score = eval->kind == pgn::Eval::Kind::centipawns
                                     ? verdict::Score(verdict::Centipawns{eval->value})
                                     : verdict::Score(verdict::Mate{std::abs(eval->value), !eval->negative});
    return verdict::Line{verdict::WhiteScore(score), eval->depth.value_or(0), {}};
  }
  return std::nullopt;
}

}  // namespace

GameEvals evals_of_comments(const pgn::Game& game) {
  GameEvals evals(1);
  evals.front().lines.push_back({verdict::WhiteScore(verdict::start_score), 0, {}});
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    evals.emplace_back();
    if (auto line = line_of(game.node(n))) evals.back().lines.push_back(std::move(*line));
  }
  return evals;
}

ReviewOptions without_engine(ReviewOptions options) {
  options.schemes.points.critical = false;
  options.schemes.points.brilliant = false;
  options.schemes.labels.brilliant = false;
  return options;
}

}  // namespace pm::review
