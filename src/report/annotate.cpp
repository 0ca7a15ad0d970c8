#include "report/annotate.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/provenance.h"
#include "review/evals.h"
#include "review/people.h"

namespace pm::report {
namespace {

using pgn::Comment;
using pgn::Game;
using pgn::Node;
using pgn::NodeId;

pgn::Eval eval_of(const verdict::WhiteScore& white) {
  pgn::Eval eval;
  if (const verdict::Mate* mate = white.score().mate()) {
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

void add_eval(Node& node, const verdict::WhiteScore& score) {
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

void add_nag(Node& node, int nag) {
  const auto wanted = static_cast<std::uint8_t>(nag);
  if (nag == 0 || std::find(node.nags.begin(), node.nags.end(), wanted) != node.nags.end()) return;
  if (node.nags.size() < pgn::max_nags) node.nags.push_back(wanted);
}

// The better line beside the move played, unless somebody has shown a line with that move already.
void add_better_line(Game& game, NodeId played, const std::vector<verdict::Line>& lines) {
  if (lines.empty() || lines.front().pv.empty()) return;
  const NodeId parent = game.node(played).parent;
  for (NodeId other = game.main_move(parent); other != Game::none; other = game.next_alternative(other)) {
    if (game.node(other).move == lines.front().pv.front()) return;
  }
  NodeId at = parent;
  for (const chess::Move m : lines.front().pv) at = game.add_move(at, m);
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
  if (review.engine) set_tag(game, "ReviewEngine", engine_text(*review.engine));
  if (!review.people) return;
  set_tag(game, "ReviewPeople",
          fmt::format("{}, White {}, Black {}", model_text(*review.people), review.people->white_rating,
                      review.people->black_rating));
}

// A score before the first move, where it is not the one everybody assumes.
void add_start_score(Game& game, const review::GameReview& review) {
  const auto& lines = review.evals.front().lines;
  if (lines.empty() || lines.front().score == verdict::WhiteScore(verdict::start_score)) return;
  add_eval(game.node(Game::root), lines.front().score);
}

// Verdicts that the scores alone would not give again are written down, so that reading the file back gives the same.
void add_what_scores_do_not_tell(Game& game, const review::GameReview& review) {
  const Game written = game;
  const review::GameReview again = review::review_comments(written, review.options);
  NodeId n = game.main_move(Game::root);
  for (std::size_t at = 0; at < review.plies.size(); ++at, n = game.main_move(n)) {
    const auto& verdicts = review.plies[at].verdicts;
    const auto& read = again.plies[at].verdicts;
    if (!verdicts || !read || verdicts->points.cls == read->points.cls) continue;
    const Shown verdict = shown(*verdicts, Scheme::points);
    add_text(game.node(n), fmt::format("{}: {}", verdict.name, verdict.reason.text()));
  }
}

}  // namespace

Game annotated(const review::GameReview& review, Scheme scheme) {
  Game game = review.game;
  name_judges(game, review);
  add_start_score(game, review);
  NodeId n = game.main_move(Game::root);
  for (std::size_t at = 0; at < review.plies.size(); ++at, n = game.main_move(n)) {
    const auto& lines = review.after(at).lines;
    if (!lines.empty() && !review.plies[at].ends_game) add_eval(game.node(n), lines.front().score);
    if (!review.plies[at].verdicts) continue;
    const Shown verdict = shown(*review.plies[at].verdicts, scheme);
    if (!verdict.is_notable()) continue;
    add_nag(game.node(n), verdict.nag);
    add_text(game.node(n), fmt::format("{}: {}", verdict.name, verdict.reason.text()));
    if (review.plies[at].people) add_text(game.node(n), review::sentence_of(*review.plies[at].people));
    if (verdict.is_error()) add_better_line(game, n, review.before(at).lines);
  }
  if (review.engine) add_what_scores_do_not_tell(game, review);
  return game;
}

}  // namespace pm::report
