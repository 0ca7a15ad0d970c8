// A reviewed game: every ply with its verdicts and their reasons, and what they come to. Made by assemble() from what
// was found out (evidence.h), in one pass, and not changed after that: other rules mean another pass, and no engine.
//
//   GameReview review = assemble(game, evidence, options);
//   review.plies[0].verdicts->points.reason.text();
//
// Pure. The review refers to the game, which must outlive it.
#pragma once

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "book/openings.h"
#include "explain/explanation.h"
#include "human/difficulty.h"
#include "human/played_like.h"
#include "pgn/game.h"
#include "review/clocks.h"
#include "review/evidence.h"
#include "verdict/summary.h"

namespace pm::review {

// The move that was to be found, and how hard that was.
struct Finding {
  chess::Move move;
  double found = 0;               // by people of the mover's rating
  std::vector<double> by_rating;  // the same of the sampled ratings
  human::Difficulty difficulty;
  bool alone = false;  // every other move is clearly worse
};

struct PlyReview {
  int number = 1;  // of the move, as in 12. or 12...
  chess::Colour mover = chess::Colour::white;
  chess::Move move = chess::Move::null();
  std::string san;
  verdict::Phase phase = verdict::Phase::opening;
  bool ends_game = false;  // mate, or a draw that needs no claim
  bool on_lichess = true;  // the site would count it: it has no score where the game is over on the board
  std::optional<verdict::Verdicts> verdicts;
  std::string_view no_verdict;            // why there are none
  explain::Explanation explanation = {};  // the same whatever scheme is shown
  MoveTime time = {};
  std::optional<Finding> finding = std::nullopt;  // of a feat, or of the better move that an error missed
};

struct GameOpening {
  book::Opening opening;
  std::size_t ply;  // after which the deepest named position stood on the board
};

struct GameReview {
  const pgn::Game& game;
  verdict::SchemeOptions options;  // it was judged by
  Evidence evidence;               // where the game is over on the board, with its known score
  std::optional<GameOpening> opening;
  std::vector<chess::Position> positions;  // [i] before ply i, [i + 1] after it
  std::vector<PlyReview> plies;
  verdict::PlayerSummary white;
  verdict::PlayerSummary black;
  std::array<TimeFigures, 2> times = {};                              // [colour]
  std::array<std::optional<human::PlayedLike>, 2> played_likes = {};  // [colour]
  std::size_t left_out = 0;  // plies of the game after those that are reviewed (evidence.h, most_plies)

  const verdict::PlayerSummary& of(chess::Colour side) const { return side == chess::Colour::white ? white : black; }
  const TimeFigures& time_of(chess::Colour side) const { return times[static_cast<std::size_t>(side)]; }
  const std::optional<human::PlayedLike>& played_like(chess::Colour side) const {
    return played_likes[static_cast<std::size_t>(side)];
  }
  const engine::Evaluation& before(std::size_t ply) const { return evidence.positions[ply]; }
  const engine::Evaluation& after(std::size_t ply) const { return evidence.positions[ply + 1]; }
  // The engine's line instead of the move played; nothing when there is none or the move played begins it.
  const score::Line* better_line(std::size_t ply) const;
  // One of the positions was searched further than the rest of the game.
  bool searched_deeper(std::size_t ply) const;
};

// `evidence` has one position more than the plies that are reviewed. Positions where the game is over need none: their
// score is known. Asked to stop it ends soon, with fewer plies and no summary: nobody should look at it then.
GameReview assemble(const pgn::Game& game, Evidence evidence, const verdict::SchemeOptions& options,
                    const std::stop_token& stop = {});

}  // namespace pm::review
