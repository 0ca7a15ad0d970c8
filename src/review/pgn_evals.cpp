#include "review/pgn_evals.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "pgn/comment.h"
#include "verdict/lichess.h"

namespace pm::review {
namespace {

std::optional<score::Line> line_of(const pgn::Node& node) {
  for (const pgn::Comment& c : node.after) {
    const auto eval = pgn::find_eval(c);
    if (!eval) continue;
    const bool mate_on_the_board = eval->kind == pgn::Eval::Kind::mate && eval->value == 0;
    if (mate_on_the_board) return std::nullopt;  // if it is true the position says so itself
    const score::Score score = eval->kind == pgn::Eval::Kind::centipawns
                                   ? score::Score(score::Centipawns{eval->value})
                                   : score::Score(score::Mate{std::abs(eval->value), !eval->negative});
    return score::Line{score::WhiteScore(score), eval->depth.value_or(0), {}};
  }
  return std::nullopt;
}

// "BEST: ..." -> BEST and what follows.
std::optional<AnnotatedVerdict> parse_verdict(std::string_view comment) {
  for (const auto& info : verdict::points_classes) {
    if (!comment.starts_with(info.name) || !comment.substr(info.name.size()).starts_with(": ")) continue;
    return AnnotatedVerdict{info.id, std::string(comment.substr(info.name.size() + 2))};
  }
  return std::nullopt;
}

}  // namespace

Evidence evidence_of_comments(const pgn::Game& game, const book::PolyglotBook* extra) {
  Evidence evidence = evidence_of(game, extra);
  const score::Line usual{score::WhiteScore(verdict::start_score), 0, {}};
  evidence.positions.front().lines.push_back(line_of(game.node(pgn::Game::root)).value_or(usual));
  std::size_t at = 0;
  for (const pgn::NodeId n : reviewed_line(game)) {
    const pgn::Node& node = game.node(n);
    if (auto line = line_of(node)) evidence.positions[at + 1].lines.push_back(std::move(*line));
    for (const pgn::Comment& comment : node.after) {
      if (auto said = parse_verdict(comment.text)) evidence.plies[at].annotated = std::move(said);
    }
    ++at;
  }
  return evidence;
}

}  // namespace pm::review
