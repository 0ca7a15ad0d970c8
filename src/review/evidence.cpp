#include "review/evidence.h"

#include "book/openings.h"
#include "pgn/comment.h"

namespace pm::review {
namespace {

std::optional<std::chrono::milliseconds> clock_of(const pgn::Node& node) {
  for (const pgn::Comment& c : node.after) {
    if (const auto clock = pgn::find_clock(c)) return clock;
  }
  return std::nullopt;
}

BookHit look_up(const book::PolyglotBook* extra, const chess::Position& before, chess::Move move,
                const chess::Position& after) {
  if (book::find_opening(after) != nullptr) return BookHit::named;
  if (extra == nullptr || score::finished_score(after)) return BookHit::none;  // a mate is no theory
  return extra->has_move(before, move) || extra->has_position(after) ? BookHit::extra : BookHit::none;
}

}  // namespace

std::vector<pgn::NodeId> reviewed_line(const pgn::Game& game) {
  std::vector<pgn::NodeId> line;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none && line.size() < most_plies;
       n = game.main_move(n)) {
    line.push_back(n);
  }
  return line;
}

std::vector<chess::Move> reviewed_moves(const pgn::Game& game) {
  std::vector<chess::Move> moves;
  for (const pgn::NodeId n : reviewed_line(game)) moves.push_back(game.node(n).move);
  return moves;
}

Evidence evidence_of(const pgn::Game& game, const book::PolyglotBook* extra) {
  Evidence evidence;
  evidence.positions.resize(1);
  chess::Position position = game.start;
  for (const pgn::NodeId n : reviewed_line(game)) {
    const pgn::Node& node = game.node(n);
    const chess::Position after = position.after(node.move);
    PlyEvidence ply;
    ply.book = look_up(extra, position, node.move, after);
    ply.clock = clock_of(node);
    evidence.plies.push_back(std::move(ply));
    evidence.positions.emplace_back();
    position = after;
  }
  return evidence;
}

}  // namespace pm::review
