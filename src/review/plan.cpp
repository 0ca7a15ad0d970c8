#include "review/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "chess/draws.h"
#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::review {
namespace {

// The main line as an engine can be told it: after a null move, which UCI does not know, it starts anew.
struct MainLine {
  struct At {
    std::size_t base;   // index into starts
    std::size_t moves;  // played since
    bool over;
  };
  std::vector<chess::Position> starts;
  std::vector<std::vector<chess::Move>> moves;  // after each start
  std::vector<At> positions;
};

MainLine main_line_of(const pgn::Game& game) {
  MainLine line{{game.start}, {{}}, {}};
  chess::Position position = game.start;
  chess::History history(position);
  const auto add = [&] {
    const bool over = chess::game_end(position, history).has_value();
    line.positions.push_back({line.starts.size() - 1, line.moves.back().size(), over});
  };
  add();
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    const chess::Move move = game.node(n).move;
    position.play(move);
    history.push(position);
    if (move.is_null()) {
      line.starts.push_back(position);
      line.moves.emplace_back();
    } else {
      line.moves.back().push_back(move);
    }
    add();
  }
  return line;
}

// The positions [first, last), as far as they are not over, split where a null move cuts the line.
void add_segments(const MainLine& line, std::size_t first, std::size_t last, const engine::Limit& limit,
                  std::vector<Segment>& into) {
  bool open = false;
  std::size_t base = 0;
  for (std::size_t at = first; at < last; ++at) {
    const MainLine::At& position = line.positions[at];
    if (position.over) continue;
    if (!open || position.base != base) {
      into.push_back({line.starts[position.base], {}, {}, {}, limit});
      base = position.base;
      open = true;
    }
    Segment& segment = into.back();
    const auto& moves = line.moves[base];
    segment.moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(position.moves));
    segment.plies.push_back(position.moves);
    segment.wanted.push_back(at);
  }
}

}  // namespace

std::vector<Segment> plan_game(const pgn::Game& game, const engine::Limit& limit) {
  const MainLine line = main_line_of(game);
  std::vector<Segment> segments;
  for (std::size_t first = 0; first < line.positions.size(); first += segment_length) {
    add_segments(line, first, std::min(first + segment_length, line.positions.size()), limit, segments);
  }
  return segments;
}

std::vector<Segment> plan_pair(const pgn::Game& game, std::size_t ply, const engine::Limit& limit) {
  std::vector<Segment> segments;
  add_segments(main_line_of(game), ply, ply + 2, limit, segments);
  return segments;
}

engine::Limit deeper(const engine::Limit& limit) {
  const bool depth = limit.kind == engine::Limit::Kind::depth;
  return {limit.kind, depth ? limit.value + 2 : limit.value * 2};
}

std::string key_of(const Segment& segment) {
  std::string key = fmt::format("{}|{}|", engine::format_limit(segment.limit), chess::format_fen(segment.start));
  for (const chess::Move m : segment.moves) {
    key += chess::format_uci(m, chess::CastlingNotation::king_takes_rook);
    key += ' ';
  }
  return key + fmt::format("|{}", fmt::join(segment.plies, " "));
}

}  // namespace pm::review
