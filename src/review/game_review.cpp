#include "review/game_review.h"

#include <cassert>
#include <utility>

#include "chess/draws.h"
#include "chess/san.h"
#include "pgn/comment.h"

namespace pm::review {
namespace {

using score::Line;

std::optional<std::chrono::milliseconds> clock_of(const pgn::Node& node) {
  for (const pgn::Comment& c : node.after) {
    if (const auto clock = pgn::find_clock(c)) return clock;
  }
  return std::nullopt;
}

// The book's word on a move: the position after it has a name, or the extra book recommends it.
struct BookWord {
  bool known = false;
  std::string_view name;
};

BookWord ask_book(const ReviewOptions& options, const verdict::JudgedMove& judged) {
  if (!options.schemes.theory) return {};
  if (const book::Opening* opening = book::find_opening(judged.after)) return {true, opening->name};
  const book::PolyglotBook* extra = options.extra_book;
  if (extra == nullptr || score::finished_score(judged.after)) return {};  // a mate is no theory
  return {extra->has_move(judged.before, judged.move) || extra->has_position(judged.after), {}};
}

std::string_view why_no_verdict(const GameReview& review, std::size_t at) {
  if (review.plies[at].move.is_null()) return "a null move is not judged";
  if (review.after(at).failed || review.before(at).failed) return "the engine failed here";
  if (review.after(at).lines.empty()) return "no score after this move";
  return review.before(at).lines.empty() ? "no score before this move" : "";
}

void judge_ply(GameReview& review, std::size_t at, const ReviewOptions& options) {
  PlyReview& ply = review.plies[at];
  ply.no_verdict = why_no_verdict(review, at);
  if (!ply.no_verdict.empty()) return;
  const PositionEval& before = review.before(at);
  const verdict::JudgedMove judged{review.positions[at], ply.move, review.positions[at + 1], before.lines,
                                   review.after(at).lines};
  verdict::Knowledge knowledge;
  if (at == 0) knowledge.lichess_before = score::WhiteScore(verdict::start_score);
  knowledge.labels.shallow_before = before.shallow;
  if (ply.people) {
    knowledge.points.expected_played = ply.people->expected_played;
    knowledge.points.expected_best = ply.people->expected_best;
  }
  ply.verdicts = judge_move(judged, options, knowledge);
}

}  // namespace

verdict::Verdicts judge_move(const verdict::JudgedMove& judged, const ReviewOptions& options,
                             verdict::Knowledge knowledge) {
  const BookWord book = ask_book(options, judged);
  knowledge.points.in_book = knowledge.labels.in_book = book.known;
  knowledge.points.opening = knowledge.labels.opening = book.name;
  return verdict::judge(judged, options.schemes, knowledge);
}

void judge_again(GameReview& review, std::size_t ply) { judge_ply(review, ply, review.options); }

void summarise(GameReview& review) {
  std::vector<verdict::SummedPly> summed;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const PlyReview& ply = review.plies[at];
    if (!ply.verdicts) continue;
    const score::WhiteScore before =
        at == 0 ? score::WhiteScore(verdict::start_score) : review.before(at).lines.front().score;
    summed.push_back(
        {ply.phase, *ply.verdicts, {ply.mover, before, review.after(at).lines.front().score}, ply.on_lichess});
  }
  review.white = verdict::summarise(summed, chess::Colour::white);
  review.black = verdict::summarise(summed, chess::Colour::black);
}

GameReview assemble(const pgn::Game& game, GameEvals evals, const ReviewOptions& options, DeeperPairs deeper) {
  GameReview review{game, std::nullopt, {}, {game.start}, std::move(evals), std::nullopt, options, {}, {}};
  chess::History history(game.start);
  verdict::Phase phase = verdict::Phase::opening;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    const std::size_t at = review.plies.size();
    assert(at + 1 < review.evals.size());
    const pgn::Node& node = game.node(n);
    const chess::Position before = review.positions.back();
    const chess::Position after = before.after(node.move);
    phase = verdict::phase_of(before, phase);
    review.positions.push_back(after);
    PlyReview ply;
    ply.number = before.move_number();
    ply.mover = before.side_to_move();
    ply.move = node.move;
    ply.san = chess::format_san(before, node.move);
    ply.clock = clock_of(node);
    ply.phase = phase;
    review.plies.push_back(std::move(ply));
    if (const auto pair = deeper.find(at); pair != deeper.end()) review.plies.back().deeper = std::move(pair->second);
    history.push(after);
    // The site does not evaluate the position after a move that ends the game.
    const auto known = score::finished_score(after, history.repetitions());
    review.plies.back().on_lichess = !known || !review.evals[at + 1].lines.empty();
    if (known) review.evals[at + 1] = {{Line{*known, 0, {}}}, std::nullopt, false};
    review.plies.back().ends_game = known.has_value();
    if (const book::Opening* opening = book::find_opening(after)) review.opening = GameOpening{*opening, at + 1};
    judge_ply(review, at, options);
  }
  summarise(review);
  return review;
}

}  // namespace pm::review
