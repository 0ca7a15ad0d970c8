// All that was found out about a game, as plain data with where it came from. It is gathered once (reviewer.h, or
// pgn_evals.h from a file's own scores) and judged as often as somebody likes, each time by other rules (assemble.h).
//
// One position, one score: positions[i] is the evaluation after i plies, for the ply that led to it and for the next.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "book/polyglot.h"
#include "engine/engine.h"
#include "explain/trap.h"
#include "pgn/game.h"
#include "verdict/points.h"

namespace pm::review {

// How far positions are searched: all to the limit, or first all of them less far and then those again that a verdict
// hangs on (docs/rules.md 8).
enum class Effort : std::uint8_t { full, adaptive };
inline constexpr std::array<std::string_view, 2> effort_names{"full", "adaptive"};

// How much is found out about people: what can change a verdict or a sentence, or every move that lost something
// (docs/expected-winrate.md 5).
enum class People : std::uint8_t { full, quick };
inline constexpr std::array<std::string_view, 2> people_names{"full", "quick"};

// Whose scores these are.
struct EngineUsed {
  std::string name;
  std::string sha256;  // of its file; empty: not known
  std::vector<std::pair<std::string, std::string>> options;
  engine::Limit limit;
  int lines = 0;
  Effort effort = Effort::full;
};

// Who the people are that a review compares with.
struct HumanUsed {
  std::string model;
  std::string sha256;
  int white_rating = 0;
  int black_rating = 0;
  People people = People::full;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<int> sampled = {};  // ratings asked about to see what depends on the rating; none: nobody asked

  int rating_of(chess::Colour side) const { return side == chess::Colour::white ? white_rating : black_rating; }
};

// What people of the mover's rating make of a move.
struct HumanStatistics {
  double probability = 0;  // that they play it
  chess::Move likeliest = chess::Move::null();
  double likeliest_probability = 0;
};

// How likely people of each of the sampled ratings are to play a move, and what the engine would have played.
struct AcrossRatings {
  std::vector<double> played;
  chess::Move best = chess::Move::null();  // null: it was played, or nobody knows
  std::vector<double> best_played;
};

// What the move and the engine's best one score against people of the opponent's rating.
struct Expectation {
  verdict::PracticalScore played;
  verdict::PracticalScore best;
  chess::Move best_move;
  // The reply to the move played that makes the most difference, and what comes after it; null: none stands out.
  chess::Move reply = chess::Move::null();
  double reply_probability = 0;
  chess::Move answer = chess::Move::null();
};

// What the books say of the position after a move.
enum class BookHit : std::uint8_t { none, named, extra };

// A verdict that an earlier review wrote into the file: it had an engine and knew more than the scores tell.
struct AnnotatedVerdict {
  verdict::PointsClass cls;
  std::string reason;
};

struct PlyEvidence {
  BookHit book = BookHit::none;
  std::optional<std::chrono::milliseconds> clock;  // left to the mover
  std::optional<HumanStatistics> human;
  std::optional<AcrossRatings> across;
  std::optional<Expectation> expectation;
  std::optional<explain::Trap> trap;
  std::optional<AnnotatedVerdict> annotated;
  // However deep the position before was searched, the move proved better than its best line; the position before was
  // raised to it.
  bool better_than_thought = false;
};

// So much of a game is reviewed, from its start; what comes after that is left out, and every result says so. Four
// times and more than all known games need, and as much as a page can still show.
inline constexpr std::size_t most_plies = 10'000;

// The main line of a game as far as it is reviewed.
std::vector<pgn::NodeId> reviewed_line(const pgn::Game& game);
std::vector<chess::Move> reviewed_moves(const pgn::Game& game);

struct Evidence {
  std::vector<engine::Evaluation> positions;  // the start, then after each ply that is reviewed
  std::vector<PlyEvidence> plies;
  std::optional<EngineUsed> engine;  // nothing: the scores are the file's, or there are none
  std::optional<HumanUsed> human;    // nothing: nobody asked about people
};

// What the game itself and the books tell: book hits and clocks; every position is still unknown. `extra` may be null.
Evidence evidence_of(const pgn::Game& game, const book::PolyglotBook* extra);

}  // namespace pm::review
