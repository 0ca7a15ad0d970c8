#include <algorithm>
#include <cassert>
#include <utility>

#include "chess/draws.h"
#include "chess/san.h"
#include "review/across_ratings.h"
#include "review/game_review.h"

namespace pm::review {
namespace {

using verdict::SchemeOptions;
using verdict::Verdicts;

// Without an engine nobody knows the best move, so nothing is CRITICAL or BRILLIANT.
SchemeOptions options_for(const Evidence& evidence, SchemeOptions options) {
  if (evidence.engine) return options;
  options.points.critical = false;
  options.points.brilliant = false;
  options.labels.brilliant = false;
  return options;
}

std::string_view why_no_verdict(const GameReview& review, std::size_t at) {
  if (review.plies[at].move.is_null()) return "a null move is not judged";
  if (review.after(at).failed || review.before(at).failed) return "the engine failed here";
  if (!review.after(at).known()) return "no score after this move";
  return review.before(at).known() ? "" : "no score before this move";
}

// What Lichess takes as the score of the start, so that its figures can be compared; of another start, its own.
score::WhiteScore lichess_start(const GameReview& review) {
  const bool standard = review.game.start == chess::Position::start();
  return standard ? score::WhiteScore(verdict::start_score) : review.before(0).lines.front().score;
}

// The books' word on the position after each ply. A named position makes theory of every move on the way to it, if it
// comes early enough (docs/rules.md 6).
std::vector<verdict::BookKnowledge> book_knowledge(const Evidence& evidence, const pgn::Game& game) {
  constexpr std::size_t last_ply_on_the_way = 40;
  std::vector<verdict::BookKnowledge> known(evidence.plies.size());
  chess::Position position = game.start;
  std::size_t at = 0;
  for (auto n = game.main_move(pgn::Game::root); at < known.size(); n = game.main_move(n), ++at) {
    position.play(game.node(n).move);
    if (evidence.plies[at].book == BookHit::none) continue;
    const book::Opening* opening = book::find_opening(position);
    known[at] = {true, opening != nullptr ? opening->name : "", false};
  }
  verdict::BookKnowledge later;
  for (at = std::min(known.size(), last_ply_on_the_way); at > 0; --at) {
    verdict::BookKnowledge& each = known[at - 1];
    if (each.known) {
      later = {true, each.opening, true};
    } else {
      each = later;
    }
  }
  return known;
}

// What the move and the engine's first choice are worth in practice, with the moves as they are written.
struct PracticeText {
  const Expectation& expectation;
  std::string reply;
  std::string answer;

  PracticeText(const Expectation& each, const chess::Position& after) : expectation(each) {
    if (each.reply.is_null()) return;
    reply = chess::format_san(after, each.reply);
    if (!each.answer.is_null()) answer = chess::format_san(after.after(each.reply), each.answer);
  }
  verdict::Practice practice(int opponent_rating) const {
    return {expectation.played, expectation.best, opponent_rating, reply, expectation.reply_probability, answer};
  }
};

verdict::Knowledge knowledge_of(const GameReview& review, std::size_t at, const SchemeOptions& options,
                                const verdict::BookKnowledge& book, const std::optional<PracticeText>& practice) {
  const PlyEvidence& evidence = review.evidence.plies[at];
  verdict::Knowledge knowledge;
  if (at == 0) knowledge.lichess_before = lichess_start(review);
  knowledge.labels.shallow_before = review.before(at).shallow;
  if (const auto& people = review.evidence.human; people && evidence.human) {
    const chess::Colour mover = review.plies[at].mover;
    knowledge.points.finders = verdict::Finders{evidence.human->probability, people->rating_of(mover)};
    if (practice) knowledge.points.practice = practice->practice(people->rating_of(!mover));
  }
  if (options.theory) knowledge.points.book = knowledge.labels.book = book;
  return knowledge;
}

Verdicts judge_ply(const GameReview& review, std::size_t at, const SchemeOptions& options,
                   const verdict::BookKnowledge& book) {
  const verdict::JudgedMove judged{review.positions[at],     review.plies[at].move,
                                   review.positions[at + 1], review.before(at).lines,
                                   review.after(at).lines,   review.evidence.plies[at].better_than_thought};
  std::optional<PracticeText> practice;
  if (const auto& expectation = review.evidence.plies[at].expectation) {
    practice.emplace(*expectation, review.positions[at + 1]);
  }
  Verdicts verdicts = verdict::judge(judged, options, knowledge_of(review, at, options, book, practice));
  const auto& annotated = review.evidence.plies[at].annotated;
  if (annotated && annotated->cls != verdicts.points.cls) {
    verdicts.points.cls = annotated->cls;
    verdicts.points.reason =
        verdict::Reason(verdict::Rule::annotated, verdicts.points.reason.numbers(), {{"said", annotated->reason}});
  }
  return verdicts;
}

// The move before ply `at`; nothing at the start and after a null move.
std::optional<motif::Step> step_before(const GameReview& review, std::size_t at) {
  if (at == 0 || review.plies[at - 1].move.is_null()) return std::nullopt;
  return motif::Step(review.positions[at - 1], review.plies[at - 1].move);
}

// The last moves before ply `at`, in order.
std::vector<motif::Step> steps_before(const GameReview& review, std::size_t at) {
  constexpr std::size_t most = 6;
  std::vector<motif::Step> steps;
  for (auto step = step_before(review, at); step && steps.size() < most;
       step = step_before(review, at - steps.size())) {
    steps.push_back(*step);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

explain::Explanation explain_ply(const GameReview& review, std::size_t at) {
  const PlyReview& ply = review.plies[at];
  const std::optional<motif::Step> previous = step_before(review, at);
  const std::vector<motif::Step> recent = steps_before(review, at);
  explain::ExplainedMove move{
      review.positions[at],    ply.move, previous, recent, review.before(at).lines, review.after(at).lines,
      ply.verdicts->points.cls};
  const auto& trap = review.evidence.plies[at].trap;
  const bool fits = trap && (trap->move == ply.move ||
                             (review.better_line(at) != nullptr && trap->move == review.better_line(at)->pv.front()));
  if (fits && review.evidence.human) {
    move.trap = &*trap;
    move.opponent_rating = review.evidence.human->rating_of(!ply.mover);
  }
  return explain::explain(move);
}

void summarise(GameReview& review) {
  std::vector<verdict::SummedPly> summed;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const PlyReview& ply = review.plies[at];
    if (!ply.verdicts) continue;
    const score::WhiteScore before = at == 0 ? lichess_start(review) : review.before(at).lines.front().score;
    summed.push_back(
        {ply.phase, *ply.verdicts, {ply.mover, before, review.after(at).lines.front().score}, ply.on_lichess});
  }
  review.white = verdict::summarise(summed, chess::Colour::white);
  review.black = verdict::summarise(summed, chess::Colour::black);
}

bool is_plain_error(const PlyReview& ply) { return ply.verdicts && verdict::is_plain_error(ply.verdicts->points.cls); }

void add_sentence(std::string& text, const std::string& sentence) {
  if (!text.empty() && !sentence.empty()) text += ' ';
  text += sentence;
}

void sum_up_times(GameReview& review) {
  for (const PlyReview& ply : review.plies) {
    TimeFigures& figures = review.times[static_cast<std::size_t>(ply.mover)];
    if (ply.time.spent) {
      TimeFigures::Phase& phase = figures.phases[static_cast<std::size_t>(ply.phase)];
      ++phase.moves;
      phase.spent += *ply.time.spent;
    }
    if (!ply.time.trouble) continue;
    ++figures.moves_in_trouble;
    if (is_plain_error(ply)) ++figures.errors_in_trouble;
  }
}

}  // namespace

const score::Line* GameReview::better_line(std::size_t ply) const {
  const auto& lines = before(ply).lines;
  if (lines.empty() || lines.front().pv.empty() || lines.front().pv.front() == plies[ply].move) return nullptr;
  return &lines.front();
}

bool GameReview::searched_deeper(std::size_t ply) const {
  const auto is_deeper = [&](const engine::Evaluation& e) {
    return evidence.engine && e.limit && e.limit->value > evidence.engine->limit.value;
  };
  return is_deeper(before(ply)) || is_deeper(after(ply));
}

GameReview assemble(const pgn::Game& game, Evidence evidence, const SchemeOptions& options,
                    const std::stop_token& stop) {
  const SchemeOptions used = options_for(evidence, options);
  GameReview review{game, options, std::move(evidence), std::nullopt, {game.start}, {}, {}, {}};
  chess::History history(game.start);
  verdict::Phase phase = verdict::Phase::opening;
  const std::vector<MoveTime> times = move_times(game, review.evidence);
  const std::optional<TimeControl> control = time_control(game);
  const std::vector<verdict::BookKnowledge> books = book_knowledge(review.evidence, game);
  pgn::NodeId n = game.main_move(pgn::Game::root);
  for (; review.plies.size() < review.evidence.plies.size(); n = game.main_move(n)) {
    if (stop.stop_requested()) return review;
    const std::size_t at = review.plies.size();
    assert(n != pgn::Game::none && at + 1 < review.evidence.positions.size());
    const chess::Move move = game.node(n).move;
    const chess::Position before = review.positions.back();
    const chess::Position after = before.after(move);
    phase = verdict::phase_of(before, phase);
    review.positions.push_back(after);
    history.push(after);
    // The site does not evaluate the position after a move that ends the game.
    const auto known = score::finished_score(after, history.repetitions());
    const bool on_lichess = !known || review.evidence.positions[at + 1].known();
    if (known) review.evidence.positions[at + 1] = {{score::Line{*known, 0, {}}}};
    if (const book::Opening* opening = book::find_opening(after)) review.opening = GameOpening{*opening, at + 1};
    review.plies.push_back({before.move_number(),
                            before.side_to_move(),
                            move,
                            chess::format_san(before, move),
                            phase,
                            known.has_value(),
                            on_lichess,
                            std::nullopt,
                            {},
                            {},
                            times[at]});
    PlyReview& ply = review.plies.back();
    ply.no_verdict = why_no_verdict(review, at);
    if (!ply.no_verdict.empty()) continue;
    ply.verdicts = judge_ply(review, at, used, books[at]);
    ply.explanation = explain_ply(review, at);
    ply.finding = finding_of(review, at);
    if (is_plain_error(ply)) add_sentence(ply.explanation.text, time_sentence(ply.time, control));
  }
  for (; n != pgn::Game::none; n = game.main_move(n)) ++review.left_out;
  summarise(review);
  sum_up_times(review);
  for (const chess::Colour player : {chess::Colour::white, chess::Colour::black}) {
    review.played_likes[static_cast<std::size_t>(player)] = played_like(review, player);
  }
  return review;
}

}  // namespace pm::review
