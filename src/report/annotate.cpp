#include "report/annotate.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"
#include "pgn/limits.h"
#include "report/provenance.h"
#include "review/human_statistics.h"
#include "review/pgn_evals.h"

namespace pm::report {
namespace {

using pgn::Comment;
using pgn::Game;
using pgn::Node;
using pgn::NodeId;

pgn::Eval eval_of(const score::WhiteScore& white) {
  pgn::Eval eval;
  if (const score::Mate* mate = white.score().mate()) {
    eval.kind = pgn::Eval::Kind::mate;
    eval.value = mate->wins ? mate->moves : -mate->moves;
    eval.negative = !mate->wins;
  } else {
    eval.value = white.score().centipawns()->value;
    eval.negative = eval.value < 0;
  }
  return eval;
}

bool has_eval(const Node& node) {
  return std::any_of(node.after.begin(), node.after.end(),
                     [](const Comment& c) { return pgn::find_eval(c).has_value(); });
}

// Into the first comment if that holds nothing but commands, as Lichess does it.
Comment& comment_for_commands(Node& node) {
  if (node.after.empty() || node.after.front().commands.empty()) node.after.insert(node.after.begin(), Comment{});
  return node.after.front();
}

void add_eval(Node& node, const score::WhiteScore& score) {
  if (has_eval(node)) return;
  Comment& comment = comment_for_commands(node);
  comment.commands.insert(comment.commands.begin(), {"eval", pgn::format_eval(eval_of(score))});
}

void add_text(Node& node, const std::string& text) {
  const auto same = [&](const Comment& c) { return c.text == text; };
  if (std::any_of(node.after.begin(), node.after.end(), same)) return;
  if (!node.after.empty() && node.after.back().text.empty()) {
    node.after.back().text = text;
  } else {
    node.after.push_back({{}, text});
  }
}

// "BLUNDER: Loses ...", with its icon where a label has one.
std::string verdict_text(const Look& look, const verdict::Reason& reason, const std::string& explanation) {
  const bool more = !explanation.empty() && explanation != reason.text();
  return fmt::format("{}{}{}: {}{}{}", look.icon, look.icon.empty() ? "" : " ", look.name, more ? explanation : "",
                     more ? " " : "", reason.text());
}

void add_nag(Node& node, int nag) {
  const auto wanted = static_cast<std::uint8_t>(nag);
  if (nag == 0 || std::find(node.nags.begin(), node.nags.end(), wanted) != node.nags.end()) return;
  if (node.nags.size() < pgn::max_nags) node.nags.push_back(wanted);
}

// A line beside the move that was played there, unless somebody has shown a line with its first move already. After the
// last move of the game it would look as if it had been played.
void add_line(Game& game, NodeId parent, const std::vector<chess::Move>& line) {
  if (line.empty() || game.main_move(parent) == Game::none) return;
  for (NodeId other = game.main_move(parent); other != Game::none; other = game.next_alternative(other)) {
    if (game.node(other).move == line.front()) return;
  }
  NodeId at = parent;
  for (const chess::Move m : line) at = game.add_move(at, m);
}

void set_tag(Game& game, const char* name, const std::string& value) {
  const auto found =
      std::find_if(game.tags.begin(), game.tags.end(), [&](const auto& tag) { return tag.name == name; });
  if (found != game.tags.end()) {
    found->value = value;
  } else if (game.tags.size() < pgn::max_tags) {
    game.tags.push_back({name, value});
  }
}

// Who says so. Scores of the file are whoever's they were.
void name_judges(Game& game, const review::GameReview& review) {
  const review::Evidence& evidence = review.evidence;
  set_tag(game, "ReviewedBy", program_text());
  if (evidence.engine) set_tag(game, "ReviewEngine", full_engine_text(*evidence.engine));
  const auto drop_tag = [&](std::string_view name) {  // of an earlier annotation
    std::erase_if(game.tags, [&](const pgn::Tag& tag) { return tag.name == name; });
  };
  if (review.left_out > 0) {
    set_tag(game, "ReviewLeftOut", left_out_text(review));
  } else {
    drop_tag("ReviewLeftOut");
  }
  if (evidence.engine && !evidence.human) drop_tag("ReviewPeople");
  if (!evidence.human) return;
  set_tag(game, "ReviewPeople",
          fmt::format("{}, White {}, Black {}", full_model_text(*evidence.human), evidence.human->white_rating,
                      evidence.human->black_rating));
}

// A score before the first move, where it is not the one everybody assumes.
void add_start_score(Game& game, const review::GameReview& review) {
  const auto& lines = review.before(0).lines;
  if (lines.empty() || lines.front().score == score::WhiteScore(verdict::start_score)) return;
  add_eval(game.node(Game::root), lines.front().score);
}

// Verdicts that the scores alone would not give again are written down, so that reading the file back gives the same.
void add_what_scores_do_not_tell(Game& game, const review::GameReview& review, const std::stop_token& stop) {
  const Game written = game;
  const review::GameReview again =
      review::assemble(written, review::evidence_of_comments(written), review.options, stop);
  NodeId n = game.main_move(Game::root);
  for (std::size_t at = 0; at < again.plies.size(); ++at, n = game.main_move(n)) {
    const auto& verdicts = review.plies[at].verdicts;
    const auto& read = again.plies[at].verdicts;
    if (!verdicts || !read || verdicts->points.cls == read->points.cls) continue;
    const auto [look, reason] = shown(*verdicts, Scheme::points);
    add_text(game.node(n), verdict_text(look, reason, review.plies[at].explanation.text));
  }
}

}  // namespace

Game annotated(const review::GameReview& review, Scheme scheme, Evals evals, const std::stop_token& stop) {
  const bool by_engine = review.evidence.engine.has_value();
  Game game = without_annotation(review.game, by_engine ? evals : Evals::kept,
                                 by_engine ? BetterLines::removed : BetterLines::kept);
  for (pgn::Tag& tag : game.tags) tag.value = printable(tag.value);  // comments stay as they are
  name_judges(game, review);
  add_start_score(game, review);
  NodeId n = game.main_move(Game::root);
  NodeId earlier = review.game.main_move(Game::root);
  for (std::size_t at = 0; at < review.plies.size() && !stop.stop_requested();
       ++at, n = game.main_move(n), earlier = review.game.main_move(earlier)) {
    const auto& lines = review.after(at).lines;
    if (!lines.empty() && !review.plies[at].ends_game) add_eval(game.node(n), lines.front().score);
    if (!review.plies[at].verdicts) continue;
    const auto [look, reason] = shown(*review.plies[at].verdicts, scheme);
    if (!look.is_notable()) continue;
    add_nag(game.node(n), look.nag);
    std::string text = by_engine ? "" : earlier_verdict(review.game, earlier, look);  // it knew the better move
    if (text.empty()) text = verdict_text(look, reason, review.plies[at].explanation.text);
    const std::string people = review::human_sentence(review, at);
    if (text.find(people) == std::string::npos) text += ' ' + people;  // a verdict read from the file may have it
    add_text(game.node(n), text);
    const score::Line* better = review.better_line(at);
    if (!look.error) continue;
    if (better != nullptr) add_line(game, game.node(n).parent, better->pv);
    add_line(game, n, review.plies[at].explanation.refutation);
  }
  add_what_scores_do_not_tell(game, review, stop);
  return game;
}

}  // namespace pm::report
