// A reviewed game: every ply with what the engine said, its verdicts and their reasons, and what they come to.
//
//   PositionLines lines = lines_from_evals(game);                 // evals.h; an engine gives them too
//   GameReview review = assemble(game, std::move(lines), options);
//   review.plies[0].verdicts->points.reason.text();
//
// Pure: lines in, review out. The review refers to the game and to opening names; the game must outlive it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/openings.h"
#include "book/polyglot.h"
#include "pgn/game.h"
#include "verdict/summary.h"

namespace pm::review {

// The engine's lines, best first, of every position of a main line: the start, then after each ply. An empty entry
// means that nothing is known of that position.
using PositionLines = std::vector<std::vector<verdict::Line>>;

struct ReviewOptions {
  verdict::SchemeOptions schemes;
  const book::PolyglotBook* extra_book = nullptr;  // beside the opening names; not owned
};

// A move by itself, with what the books say. `lichess_before`: see verdict::Knowledge.
verdict::Verdicts judge_move(const verdict::JudgedMove& judged, const ReviewOptions& options,
                             std::optional<verdict::WhiteScore> lichess_before = std::nullopt);

struct PlyReview {
  int number = 1;  // of the move, as in 12. or 12...
  chess::Colour mover = chess::Colour::white;
  chess::Move move = chess::Move::null();
  std::string san;
  std::optional<std::chrono::milliseconds> clock;  // left to the mover
  verdict::Phase phase = verdict::Phase::opening;
  std::optional<verdict::Verdicts> verdicts;
  std::string_view no_verdict;  // why there are none
};

struct GameOpening {
  book::Opening opening;
  std::size_t ply;  // after which the deepest named position stood on the board
};

struct GameReview {
  const pgn::Game& game;
  std::optional<GameOpening> opening;
  std::vector<PlyReview> plies;
  std::vector<chess::Position> positions;  // [i] before ply i, [i + 1] after it
  PositionLines lines;                     // of the same positions; where the game is over, its known score
  verdict::PlayerSummary white;
  verdict::PlayerSummary black;

  const verdict::PlayerSummary& of(chess::Colour side) const { return side == chess::Colour::white ? white : black; }
};

// `lines` has one entry more than the main line has plies. Positions where the game is over need none: their score is
// known.
GameReview assemble(const pgn::Game& game, PositionLines lines, const ReviewOptions& options);

}  // namespace pm::review
