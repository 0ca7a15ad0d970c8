#include "review/evals.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

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
  evals.front().lines.push_back(
      line_of(game.node(pgn::Game::root)).value_or(verdict::Line{verdict::WhiteScore(verdict::start_score), 0, {}}));
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    evals.emplace_back();
    if (auto line = line_of(game.node(n))) evals.back().lines.push_back(std::move(*line));
  }
  return evals;
}

namespace {

// "BEST: ..." -> BEST and what follows.
std::optional<std::pair<verdict::PointsClass, std::string_view>> parse_verdict(std::string_view comment) {
  for (const auto& info : verdict::points_classes) {
    if (!comment.starts_with(info.name) || !comment.substr(info.name.size()).starts_with(": ")) continue;
    return std::pair{info.id, comment.substr(info.name.size() + 2)};
  }
  return std::nullopt;
}

}  // namespace

void believe_comments(GameReview& review) {
  bool changed = false;
  std::size_t at = 0;
  const pgn::Game& game = review.game;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n), ++at) {
    auto& verdicts = review.plies[at].verdicts;
    if (!verdicts) continue;
    for (const pgn::Comment& comment : game.node(n).after) {
      const auto said = parse_verdict(comment.text);
      if (!said || said->first == verdicts->points.cls) continue;
      verdicts->points.cls = said->first;
      verdicts->points.reason = verdict::Reason(verdict::Rule::annotated, verdicts->points.reason.numbers(),
                                                {{"said", std::string(said->second)}});
      changed = true;
    }
  }
  if (changed) summarise(review);
}

GameReview review_comments(const pgn::Game& game, const ReviewOptions& options) {
  GameReview review = assemble(game, evals_of_comments(game), without_engine(options));
  believe_comments(review);
  return review;
}

ReviewOptions without_engine(ReviewOptions options) {
  options.schemes.points.critical = false;
  options.schemes.points.brilliant = false;
  options.schemes.labels.brilliant = false;
  return options;
}

}  // namespace pm::review
