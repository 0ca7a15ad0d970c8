#include "report/earlier_annotation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "chess/san.h"
#include "report/scheme.h"

namespace pm::report {
namespace {

using pgn::Comment;
using pgn::Game;
using pgn::Node;
using pgn::NodeId;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// How our reasons begin (verdict/reason.cpp), by themselves or behind an explanation: "Mistake: I wanted Nf3" is
// somebody's own word.
bool is_reason(std::string_view text) {
  constexpr std::array<std::string_view, 21> beginnings{
      "Loses ",   "Keeps ", "Gains ",   "Gives away ", "Missed ", "Lost a won ", "Finds ",
      "Escapes ", "Lets ",  "Allows ",  "Had a ",      "Was ",    "Offers ",     "Objectively ",
      "A known ", "A pos",  "The only", "The engine",  "As good", "Better than", "Checkmate"};
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    return text.starts_with(beginning) || text.find(fmt::format(". {}", beginning)) != std::string_view::npos;
  });
}

// The class whose verdict a comment is: "BLUNDER: Loses ...", or "⊘ Miss: Missed a win ...".
const Look* verdict_in(std::string_view text) {
  for (const Look& look : all_looks()) {
    std::string_view rest = text;
    if (!look.icon.empty() && rest.starts_with(look.icon)) {
      rest.remove_prefix(look.icon.size());
      if (rest.starts_with(' ')) rest.remove_prefix(1);
    }
    if (!rest.starts_with(look.name)) continue;
    rest.remove_prefix(look.name.size());
    if (rest.starts_with(": ") && is_reason(rest.substr(2))) return &look;
  }
  return nullptr;
}

// Sentences about people stood by themselves once: "8% of 1500s play this; Nf3 (45%) is likelier."
bool is_about_people(std::string_view text) {
  for (const std::string_view beginning : {"Most ", "Only ", "Fewer than 1% of ", "The likeliest move of "}) {
    if (!text.starts_with(beginning)) continue;
    return text.size() > beginning.size() && is_digit(text[beginning.size()]);
  }
  constexpr std::size_t most_digits = 3;
  const std::size_t percent = text.substr(0, most_digits + 5).find("% of ");
  return percent != std::string_view::npos && is_digit(text[0]) && text.find("s play this") != std::string_view::npos;
}

bool was_annotated(const Game& game) {
  return game.find_tag("ReviewedBy") != nullptr || game.find_tag("ReviewEngine") != nullptr ||
         game.find_tag("ReviewPeople") != nullptr;
}

// Copies a game, leaving out what is ours.
class Copy {
 public:
  Copy(const Game& game, Evals evals, BetterLines lines)
      : from_(game), evals_(evals), lines_(lines), ours_(was_annotated(game)) {
    to_.tags = game.tags;
    to_.start = game.start;
    to_.result = game.result;
    to_.node(Game::root) = {};
    to_.node(Game::root).after = main_line_comments(game.node(Game::root));
  }

  Game run() && {
    std::vector<Step> open;
    push_children(Game::root, Game::root, from_.start, true, open);
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      const NodeId id = to_.add_move(step.parent, from_.node(step.from).move);
      copy_node(step, id);
      push_children(step.from, id, step.before.after(from_.node(step.from).move), step.main, open);
    }
    return std::move(to_);
  }

 private:
  struct Step {
    NodeId from;
    NodeId parent;  // in the copy
    chess::Position before;
    bool main;
  };

  // In reverse: the last one pushed is copied first, and siblings keep their order.
  void push_children(NodeId from, NodeId copy, const chess::Position& position, bool main, std::vector<Step>& open) {
    const NodeId first = from_.main_move(from);
    if (first == Game::none) return;
    const bool ours = main && ours_ && lines_ == BetterLines::removed;
    const std::string best = ours ? best_move_named_at(first) : "";
    const std::string refutation = ours ? refutation_named_at(from) : "";
    std::vector<Step> steps{{first, copy, position, main}};
    for (NodeId other = from_.next_alternative(first); other != Game::none; other = from_.next_alternative(other)) {
      const std::string san = ours ? chess::format_san(position, from_.node(other).move) : "";
      if (ours && (san == best || san == refutation) && is_bare(other)) continue;
      steps.push_back({other, copy, position, false});
    }
    for (std::size_t i = steps.size(); i > 0; --i) open.push_back(steps[i - 1]);
  }

  // "Rd1" of "... Rd1 was best." or "Rd1 kept mate in 3." in our verdict on a move.
  std::string best_move_named_at(NodeId id) const {
    for (const Comment& comment : from_.node(id).after) {
      if (verdict_in(comment.text) == nullptr) continue;
      for (const std::string_view words : {" was best.", " kept "}) {
        const std::size_t end = comment.text.find(words);
        if (end == std::string::npos) continue;
        const std::size_t space = comment.text.rfind(' ', end - 1);
        return comment.text.substr(space + 1, end - space - 1);
      }
    }
    return "";
  }

  // "Ne7+" of "... Refuted by 11. Ne7+ Kh8 (+6.2)." in our verdict on a move.
  std::string refutation_named_at(NodeId id) const {
    constexpr std::string_view words = "Refuted by ";
    for (const Comment& comment : from_.node(id).after) {
      if (verdict_in(comment.text) == nullptr) continue;
      const std::size_t at = comment.text.find(words);
      const std::size_t number = at == std::string::npos ? at : comment.text.find(' ', at + words.size());
      if (number == std::string::npos) continue;
      return comment.text.substr(number + 1, comment.text.find(' ', number + 1) - number - 1);
    }
    return "";
  }

  // A line of moves and nothing else, as we write them.
  bool is_bare(NodeId id) const {
    for (; id != Game::none; id = from_.main_move(id)) {
      const Node& node = from_.node(id);
      if (!node.before.empty() || !node.after.empty() || !node.nags.empty()) return false;
      const NodeId next = from_.main_move(id);
      if (next != Game::none && from_.next_alternative(next) != Game::none) return false;
    }
    return true;
  }

  void copy_node(const Step& step, NodeId id) {
    const Node& node = from_.node(step.from);
    Node& copy = to_.node(id);
    copy.before = node.before;
    copy.nags = node.nags;
    copy.after = step.main ? main_line_comments(node) : node.after;
    if (!step.main || !ours_) return;
    for (const Comment& comment : node.after) {
      const Look* look = verdict_in(comment.text);
      if (look == nullptr) continue;
      const auto nag = std::find(copy.nags.begin(), copy.nags.end(), static_cast<std::uint8_t>(look->nag));
      if (look->nag != 0 && nag != copy.nags.end()) copy.nags.erase(nag);
    }
  }

  std::vector<Comment> main_line_comments(const Node& node) const {
    std::vector<Comment> comments;
    for (Comment comment : node.after) {
      if (ours_ && (verdict_in(comment.text) != nullptr || is_about_people(comment.text))) comment.text.clear();
      if (evals_ == Evals::replaced) {
        std::erase_if(comment.commands, [](const pgn::Command& command) { return command.name == "eval"; });
      }
      if (!comment.empty()) comments.push_back(std::move(comment));
    }
    return comments;
  }

  const Game& from_;
  Evals evals_;
  BetterLines lines_;
  bool ours_;  // some of it may be
  Game to_;
};

}  // namespace

Game without_annotation(const Game& game, Evals evals, BetterLines lines) { return Copy(game, evals, lines).run(); }

std::string earlier_verdict(const Game& game, NodeId move, const Look& look) {
  if (!was_annotated(game)) return "";
  for (const Comment& comment : game.node(move).after) {
    const Look* found = verdict_in(comment.text);
    if (found != nullptr && found->name == look.name) return comment.text;
  }
  return "";
}

}  // namespace pm::report
