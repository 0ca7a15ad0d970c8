// A reviewed game: every ply with what the engine said, its verdicts and their reasons, and what they come to.
//
//   GameEvals evals = evals_of_comments(game);                    // evals.h; an engine gives them too (run.h)
//   GameReview review = assemble(game, std::move(evals), options);
//   review.plies[0].verdicts->points.reason.text();
//
// Pure: evaluations in, review out. The review refers to the game and to opening names; the game must outlive it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "book/openings.h"
#include "book/polyglot.h"
#include "pgn/game.h"
#include "verdict/summary.h"

namespace pm::review {

// What is known of a position.
struct PositionEval {
  std::vector<verdict::Line> lines;            // best first; empty: nothing is known
  std::optional<verdict::WhiteScore> shallow;  // what the engine thought at half the depth
  bool failed = false;                         // the engine was asked and gave no answer
};

// Of every position of a main line: the start, then after each ply.
using GameEvals = std::vector<PositionEval>;

// The positions before and after a move, searched deeper than the others because the verdict was close.
struct DeeperPair {
  PositionEval before;
  PositionEval after;
};
using DeeperPairs = std::map<std::size_t, DeeperPair>;  // by ply, from 0

// Where the evaluations come from, for the reader's trust.
struct EngineUsed {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
  std::string limit;  // "depth 18"
  int lines = 0;
};

struct ReviewOptions {
  verdict::SchemeOptions schemes;
  const book::PolyglotBook* extra_book = nullptr;  // beside the opening names; not owned
};

// A move by itself, with what the books say added to what is known of it.
verdict::Verdicts judge_move(const verdict::JudgedMove& judged, const ReviewOptions& options,
                             verdict::Knowledge knowledge = {});

// Who the people are that a review compares with.
struct PeopleUsed {
  std::string model;
  std::string sha256;
  int white_rating = 0;
  int black_rating = 0;
};

// What people of the mover's rating make of a move (people.h).
struct PlyPeople {
  int rating = 0;
  int opponent_rating = 0;
  double probability = 0;  // that they play it
  chess::Move likeliest = chess::Move::null();
  std::string likeliest_san;
  double likeliest_probability = 0;
  bool is_likeliest = false;  // the move played is the likeliest
  // Of moves that mattered: against people of the opponent's rating.
  std::optional<verdict::WinRate> expected_played;
  std::optional<verdict::WinRate> expected_best;  // of the engine's best move
  std::string best_san;
};

struct PlyReview {
  int number = 1;  // of the move, as in 12. or 12...
  chess::Colour mover = chess::Colour::white;
  chess::Move move = chess::Move::null();
  std::string san;
  std::optional<std::chrono::milliseconds> clock;  // left to the mover
  verdict::Phase phase = verdict::Phase::opening;
  bool ends_game = false;  // mate, or a draw that needs no claim
  bool on_lichess = true;  // the site would count it: it has no score where the game is over on the board
  std::optional<DeeperPair> deeper;
  std::optional<PlyPeople> people;  // nothing when nobody asked for people
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
  GameEvals evals;                         // of the same positions; where the game is over, its known score
  std::optional<EngineUsed> engine;        // nothing: the scores are the file's
  ReviewOptions options;
  verdict::PlayerSummary white;
  verdict::PlayerSummary black;
  std::optional<PeopleUsed> people = std::nullopt;  // nothing when nobody asked for people

  const verdict::PlayerSummary& of(chess::Colour side) const { return side == chess::Colour::white ? white : black; }
  // What a ply was judged by.
  const PositionEval& before(std::size_t ply) const {
    return plies[ply].deeper ? plies[ply].deeper->before : evals[ply];
  }
  const PositionEval& after(std::size_t ply) const {
    return plies[ply].deeper ? plies[ply].deeper->after : evals[ply + 1];
  }
};

// Judges a ply anew, after something was learnt about it; summarise() is the caller's.
void judge_again(GameReview& review, std::size_t ply);

// Adds up the verdicts again after some were changed.
void summarise(GameReview& review);

// `evals` has one entry more than the main line has plies. Positions where the game is over need none: their score is
// known.
GameReview assemble(const pgn::Game& game, GameEvals evals, const ReviewOptions& options, DeeperPairs deeper = {});

}  // namespace pm::review
