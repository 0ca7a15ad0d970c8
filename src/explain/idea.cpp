#include "explain/idea.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "chess/san.h"
#include "explain/tactic.h"
#include "motif/exchange.h"
#include "motif/find.h"
#include "motif/placement.h"

namespace pm::explain {

using chess::PieceKind;
using chess::Square;
using motif::Line;
using motif::Step;

namespace {

constexpr std::string_view new_queen = "a new queen";

std::vector<chess::Move> moves_of(const Line& line, std::size_t count) {
  std::vector<chess::Move> moves;
  for (std::size_t i = 0; i < std::min(count, line.size()); ++i) moves.push_back(line[i].move);
  return moves;
}

// By a motif.
void tell_tactic(Idea& idea, const Tactic& tactic, const Line& line, const Outcome& outcome) {
  const std::string haul = outcome.haul.text();
  const Step& step = line[tactic.step];
  Claim& claim = idea.claim;
  claim.motif = tactic.motif;
  claim.move = step.move;
  claim.san = san_of(step);
  claim.ply = tactic.step;
  claim.targets = tactic.targets;
  claim.squares = {step.from, step.to};
  for (const Target& each : claim.targets) claim.squares.push_back(each.square);
  const bool plain = outcome.haul.prize() && haul == with_article(*outcome.haul.prize());
  const bool mixed = haul.starts_with("material");  // too much for words
  const bool said = tactic.names_prize && (plain || mixed || haul.empty() || haul == new_queen);
  const std::string gain = said ? "" : fmt::format(", winning {}", haul);
  const std::string first = san_of(line[0]);
  const std::string way = tactic.step == 0 ? first : fmt::format("{}, followed by {}", first, claim.san);
  idea.doing = fmt::format("{}, {}{}", way, tactic.doing, gain);
  idea.does = tactic.step == 0 ? fmt::format("{}{}.", tactic.does, gain)
                               : fmt::format("{} follows, {}{}.", claim.san, tactic.doing, gain);
}

// The first move takes something dearer than what is won in the end.
bool gives_some_back(const Line& line, const Outcome& outcome) {
  const auto& captured = line[0].captured;
  if (outcome.steps == 1 || outcome.takes_back || !captured || motif::value_of(*captured) <= outcome.points)
    return false;
  return motif::exchange_gain(line[0].before, line[0].move) >= outcome.points && outcome.haul.prize() != captured;
}

// By plain taking.
void tell_capture(Idea& idea, const Line& line, const Outcome& outcome) {
  Claim& claim = idea.claim;
  const Step& last = line[outcome.steps - 1];
  const bool at_once = outcome.steps == 1;
  std::string what = outcome.haul.text();
  claim.motif = at_once && motif::find_hanging_piece(line) ? "hangingPiece" : "material";
  if (what == "the exchange") claim.motif = "exchangeLost";
  claim.move = last.move;
  claim.san = san_of(last);
  claim.ply = outcome.steps - 1;
  claim.squares = {last.from, last.to};
  if (last.captured) {
    const bool en_passant = last.move.kind() == chess::MoveKind::en_passant;
    const Square victim = en_passant ? chess::make_square(chess::file_of(last.to), chess::rank_of(last.from)) : last.to;
    claim.targets = {{*last.captured, victim}};
    if (at_once && what == with_article(*last.captured)) what = named(claim.targets.front());
  }
  idea.doing = fmt::format("{}, which wins {}", san_of(line[0]), what);
  if (outcome.takes_back && outcome.steps > 1) {
    idea.doing =
        fmt::format("{}, which takes back on {} and wins {}", san_of(line[0]), chess::format_square(line[0].to), what);
  } else if (gives_some_back(line, outcome)) {
    idea.doing = fmt::format("{}, which takes {} and comes out {} ahead", san_of(line[0]),
                             with_article(*line[0].captured), what);
  }
  idea.does =
      at_once ? fmt::format("Wins {}.", what) : fmt::format("Wins {}: {}.", what, numbered(line, outcome.steps));
}

}  // namespace

Claim claim_of(ClaimKind kind, Idea idea) {
  Claim claim = std::move(idea.claim);
  claim.kind = kind;
  if (kind == ClaimKind::allows) claim.ply += 1;
  if (!idea.sentence.empty()) {
    claim.text = std::move(idea.sentence);
  } else if (kind == ClaimKind::does) {
    claim.text = std::move(idea.does);
  } else {
    claim.text = fmt::format("{} {}.", kind == ClaimKind::allows ? "Allows" : "Misses", idea.doing);
  }
  return claim;
}

std::string clause_of(const Claim& claim) {
  std::string text = claim.text;
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string san_of(const Step& step) { return chess::format_san(step.before, step.move); }

std::string numbered(const Line& line, std::size_t steps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(steps, line.size()); ++i) {
    const bool white = line[i].before.side_to_move() == chess::Colour::white;
    const int number = line[i].before.move_number();
    if (i > 0) text += ' ';
    if (white || i == 0) text += fmt::format("{}{} ", number, white ? "." : "...");
    text += san_of(line[i]);
  }
  return text;
}

const char* mate_words(motif::Motif pattern) {
  switch (pattern) {
    case motif::Motif::smothered_mate: return "a smothered mate";
    case motif::Motif::back_rank_mate: return "mate on the back rank";
    case motif::Motif::anastasia_mate: return "Anastasia's mate";
    case motif::Motif::hook_mate: return "a hook mate";
    case motif::Motif::arabian_mate: return "an Arabian mate";
    case motif::Motif::boden_mate: return "Boden's mate";
    case motif::Motif::double_bishop_mate: return "mate by two bishops";
    case motif::Motif::dovetail_mate: return "a dovetail mate";
    default: return "mate";
  }
}

Idea idea_of(const Line& line, std::string_view motif, std::size_t steps) {
  Idea idea;
  idea.claim.motif = motif;
  idea.claim.by = line.solver();
  idea.claim.move = line[0].move;
  idea.claim.san = san_of(line[0]);
  idea.claim.squares = {line[0].from, line[0].to};
  idea.claim.line = moves_of(line, steps);
  return idea;
}

Idea mate_idea(const Line& line, int moves) {
  Idea idea;
  idea.claim.by = line.solver();
  idea.claim.move = line[0].move;
  idea.claim.san = san_of(line[0]);
  idea.claim.motif = "mate";
  idea.claim.wins = Wins{std::nullopt, moves, 0};
  idea.claim.squares = {line[0].from, line[0].to, line.start().king(line.opponent())};
  idea.claim.targets = {{PieceKind::king, line.start().king(line.opponent())}};
  const bool whole = line.ends_in_mate() && line.size() % 2 == 1;
  idea.claim.line = moves_of(line, line.size());
  std::string words = moves == 1 ? "mate" : fmt::format("mate in {}", moves);
  if (whole) {
    if (const auto pattern = motif::mate_pattern(line)) {
      idea.claim.motif = motif::name_of(*pattern);
      words = moves == 1 ? mate_words(*pattern) : fmt::format("{} ({})", words, mate_words(*pattern));
    }
  }
  idea.doing = fmt::format("{}, {}", idea.claim.san, words);
  idea.does = fmt::format("Forces {}.", words);
  return idea;
}

std::optional<Idea> material_idea(const Line& line, const Outcome& outcome) {
  if (outcome.points < 1 || !outcome.can_be_told()) return std::nullopt;
  const bool in_words = !outcome.haul.text().empty();
  if (!in_words && !outcome.whole_line) return std::nullopt;
  Idea idea;
  Claim& claim = idea.claim;
  claim.by = line.solver();
  claim.wins = Wins{outcome.haul.prize(), std::nullopt, outcome.points};
  claim.line = moves_of(line, outcome.steps);
  claim.line.insert(claim.line.end(), outcome.settled.begin(), outcome.settled.end());
  const Line whole(line.start(), claim.line, line.error() != nullptr ? std::optional(*line.error()) : std::nullopt);
  constexpr std::size_t soon = 2;
  const auto tactic = find_tactic(whole);
  if (outcome.whole_line && (!tactic || tactic->step > soon || (!in_words && !tactic->names_prize)))
    return std::nullopt;
  if (tactic) {
    tell_tactic(idea, *tactic, whole, outcome);
  } else {
    tell_capture(idea, line, outcome);
  }
  return idea;
}

}  // namespace pm::explain
