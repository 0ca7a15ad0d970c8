#include "review/game_review.h"

#include <cassert>
#include <utility>

#include "chess/draws.h"
#include "chess/san.h"
#include "pgn/comment.h"

namespace pm::review {
namespace {

using verdict::Line;

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
  return {options.extra_book != nullptr && options.extra_book->has_move(judged.before, judged.move), {}};
}

std::string_view why_no_verdict(const GameReview& review, std::size_t at) {
  if (review.plies[at].move.is_null()) return "a null move is not judged";
  if (review.lines[at + 1].empty()) return "no score after this move";
  return review.lines[at].empty() ? "no score before this move" : "";
}

void judge_ply(GameReview& review, std::size_t at, const ReviewOptions& options) {
  PlyReview& ply = review.plies[at];
  ply.no_verdict = why_no_verdict(review, at);
  if (!ply.no_verdict.empty()) return;
  const verdict::JudgedMove judged{review.positions[at], ply.move, review.positions[at + 1], review.lines[at],
                                   review.lines[at + 1]};
  const bool first = at == 0;
  ply.verdicts =
      judge_move(judged, options, first ? std::optional(verdict::WhiteScore(verdict::start_score)) : std::nullopt);
}

// `on_lichess`: for each ply, whether the site would count it.
void summarise_game(GameReview& review, const std::vector<bool>& on_lichess) {
  std::vector<verdict::SummedPly> summed;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const PlyReview& ply = review.plies[at];
    if (!ply.verdicts) continue;
    const verdict::WhiteScore before =
        at == 0 ? verdict::WhiteScore(verdict::start_score) : review.lines[at].front().score;
    summed.push_back(
        {ply.phase, *ply.verdicts, {ply.mover, before, review.lines[at + 1].front().score}, on_lichess[at]});
  }
  review.white = verdict::summarise(summed, chess::Colour::white);
  review.black = verdict::summarise(summed, chess::Colour::black);
}

}  // namespace

verdict::Verdicts judge_move(const verdict::JudgedMove& judged, const ReviewOptions& options,
                             std::optional<verdict::WhiteScore> lichess_before) {
  const BookWord book = ask_book(options, judged);
  verdict::Knowledge knowledge;
  knowledge.points.in_book = knowledge.labels.in_book = book.known;
  knowledge.points.opening = knowledge.labels.opening = book.name;
  knowledge.lichess_before = lichess_before;
  return verdict::judge(judged, options.schemes, knowledge);
}

GameReview assemble(const pgn::Game& game, PositionLines lines, const ReviewOptions& options) {
  GameReview review{game, std::nullopt, {}, {game.start}, std::move(lines), {}, {}};
  std::vector<bool> on_lichess;
  chess::History history(game.start);
  verdict::Phase phase = verdict::Phase::opening;
  for (pgn::NodeId n = game.main_move(pgn::Game::root); n != pgn::Game::none; n = game.main_move(n)) {
    const std::size_t at = review.plies.size();
    assert(at + 1 < review.lines.size());
    const pgn::Node& node = game.node(n);
    const chess::Position before = review.positions.back();
    const chess::Position after = before.after(node.move);
    phase = verdict::phase_of(before, phase);
    review.positions.push_back(after);
    review.plies.push_back({before.move_number(),
                            before.side_to_move(),
                            node.move,
                            chess::format_san(before, node.move),
                            clock_of(node),
                            phase,
                            std::nullopt,
                            {}});
    history.push(after);
    // The site does not evaluate the position after a move that ends the game.
    const auto known = verdict::finished_score(after, history.repetitions());
    on_lichess.push_back(!known || !review.lines[at + 1].empty());
    if (known) review.lines[at + 1] = {Line{*known, 0, {}}};
    if (const book::Opening* opening = book::find_opening(after)) review.opening = GameOpening{*opening, at + 1};
    judge_ply(review, at, options);
  }
  summarise_game(review, on_lichess);
  return review;
}

}  // namespace pm::review
