#include "explain/plans.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "explain/positional.h"
#include "explain/tactic.h"
#include "motif/exchange.h"
#include "motif/find.h"
#include "motif/placement.h"

namespace pm::explain {

using chess::Colour;
using chess::PieceKind;
using chess::Square;
using motif::Line;
using motif::Step;

namespace {

constexpr std::size_t chase = 3;  // checks in a row

// How many checks in a row the line ends with, by the side that makes its even or odd moves.
std::size_t last_checks(const Line& line, std::size_t first) {
  std::size_t in_a_row = 0;
  for (std::size_t i = first; i < line.size(); i += 2) in_a_row = line[i].gives_check() ? in_a_row + 1 : 0;
  return in_a_row;
}

// Men that are attacked now and were not badly placed before, the dearest first.
std::vector<Target> targets_of(const Step& step, bool pawns) {
  std::vector<Target> found;
  if (motif::is_badly_placed(step.after, step.to)) return found;
  const Colour victim = !step.before.side_to_move();
  for (const Square s : motif::attacks_from(step.after, step.to) & step.after.pieces(victim)) {
    const PieceKind kind = motif::kind_on(step.after, s);
    if (kind == PieceKind::king || (kind == PieceKind::pawn) != pawns) continue;
    if (motif::is_badly_placed(step.after, s) && !motif::is_badly_placed(step.before, s)) found.push_back({kind, s});
  }
  std::sort(found.begin(), found.end(), [](const Target& a, const Target& b) {
    return std::pair(-motif::value_of(a.piece), a.square) < std::pair(-motif::value_of(b.piece), b.square);
  });
  return found;
}

bool gets_through(const Line& line, std::size_t at, bool promotes) {
  const Step& step = line[at];
  const bool far = step.piece == PieceKind::pawn && !step.is_capture() &&
                   chess::relative_rank(line.solver(), step.to) >= sixth_rank && is_passed(step.after, step.to);
  if (promotes ? !step.is_promotion() : !far) return false;
  const bool taken = at + 1 < line.size() && line[at + 1].to == step.to;
  return !taken && !motif::is_badly_placed(step.after, step.to);
}

}  // namespace

std::optional<Idea> perpetual_check(const Line& line) {
  const std::size_t solver = last_checks(line, 0);
  const std::size_t opponent = last_checks(line, 1);
  if (std::max(solver, opponent) < chase) return std::nullopt;
  Idea idea = idea_of(line, "perpetualCheck", line.size());
  idea.doing = fmt::format("{}, with perpetual check", idea.claim.san);
  if (opponent <= solver) return idea;
  const std::size_t last = line.size() - 1 - (line.size() % 2);  // one of the checks
  idea.claim.by = line.opponent();
  idea.claim.move = line[last].move;
  idea.claim.san = san_of(line[last]);
  idea.claim.ply = last;
  idea.sentence = "Only perpetual check is left.";
  return idea;
}

std::optional<Idea> repetition(const Line& line) {
  for (std::size_t i = 3; i < line.size(); ++i) {
    for (std::size_t earlier = 0; earlier + 3 < i + 1; ++earlier) {
      const chess::Position& there = earlier == 0 ? line.start() : line[earlier - 1].after;
      if (there.repetition_key() != line[i].after.repetition_key()) continue;
      Idea idea = idea_of(line, "repetition", i + 1);
      idea.doing = fmt::format("{}, with a draw by repetition", idea.claim.san);
      return idea;
    }
  }
  return std::nullopt;
}

std::optional<Idea> stalemate_trick(const Line& line) {
  const chess::Position& end = line.end();
  if (end.side_to_move() != line.solver() || end.in_check() || chess::count_legal_moves(end) > 0) return std::nullopt;
  Idea idea = idea_of(line, "stalemateTrick", line.size());
  idea.doing = fmt::format("{}, which ends in stalemate", idea.claim.san);
  return idea;
}

std::optional<Idea> king_hunt(const Line& line) {
  std::size_t checks = 0;
  while (checks <= chase && 2 * checks < line.size() && line[2 * checks].gives_check()) ++checks;
  if (checks < chase) return std::nullopt;
  const Square start = line.start().king(line.opponent());
  const Square goal = line[(2 * checks) - 2].after.king(line.opponent());
  Idea idea = idea_of(line, "kingHunt", (2 * checks) - 1);
  idea.claim.targets = {{PieceKind::king, start}};
  idea.doing = fmt::format("{} and more checks, chasing the king{}", idea.claim.san,
                           goal == start ? "" : fmt::format(" to {}", chess::format_square(goal)));
  return idea;
}

std::optional<Idea> running_pawn(const Line& line) {
  constexpr std::size_t soon = 7;
  for (const bool promotes : {true, false}) {
    for (std::size_t i = 0; i < std::min(line.size(), soon); i += 2) {
      if (!gets_through(line, i, promotes)) continue;
      const Step& step = line[i];
      Idea idea = idea_of(line, promotes ? "unstoppablePawn" : "advancedPawn", i + 1);
      idea.claim.squares = {step.from, step.to};
      const std::string goal = promotes ? "promotes" : fmt::format("gets to {}", chess::format_square(step.to));
      const char file = chess::file_letter(chess::file_of(step.from));
      idea.doing = i == 0 ? fmt::format("{}, a passed pawn that {}", idea.claim.san, goal)
                          : fmt::format("{}, and the {}-pawn {}", idea.claim.san, file, goal);
      return idea;
    }
  }
  return std::nullopt;
}

std::optional<Idea> lost_castling(const Line& line) {
  const bool lost = line.size() >= 2 && may_castle(line.start(), line.opponent()) &&
                    !may_castle(line[1].after, line.opponent()) && line[1].piece == PieceKind::king &&
                    line[1].move.kind() != chess::MoveKind::castling;
  if (!lost) return std::nullopt;
  Idea idea = idea_of(line, "castlingRights", 2);
  idea.claim.targets = {{PieceKind::king, line[1].to}};
  idea.doing = fmt::format("{}, and the king goes to {} and cannot castle any more", idea.claim.san,
                           chess::format_square(line[1].to));
  return idea;
}

std::optional<Idea> new_pin(const Line& line) {
  const auto found = motif::find_pin(line.first(1));
  if (!found) return std::nullopt;
  const Square pinned = found->targets.first();
  if (line[0].before.pinned(line.opponent()).has(pinned)) return std::nullopt;
  const bool walked_into = line.error() != nullptr && line.error()->to == pinned;
  Idea idea = idea_of(line, walked_into ? "walksIntoPin" : "pin", 1);
  idea.claim.targets = {{motif::kind_on(line[0].after, pinned), pinned}};
  idea.claim.squares.push_back(pinned);
  idea.doing = fmt::format("{}, pinning {} to the king", idea.claim.san, named(idea.claim.targets.front()));
  return idea;
}

namespace {

std::optional<Idea> attack_on(const std::vector<Target>& targets, const Line& line) {
  if (targets.empty() || line[0].is_capture()) return std::nullopt;  // what is taken matters more
  const bool offers_trade = targets.size() == 1 && targets.front().piece == line[0].piece;
  Idea idea = idea_of(line, "threat", 1);
  idea.claim.targets = targets;
  std::string men;
  for (const Target& each : targets) {
    idea.claim.squares.push_back(each.square);
    men += fmt::format("{}{}", men.empty() ? "" : " and ", named(each));
  }
  idea.doing = offers_trade ? fmt::format("{}, offering to trade {}s", idea.claim.san, name_of(targets.front().piece))
                            : fmt::format("{}, attacking {}", idea.claim.san, men);
  return idea;
}

}  // namespace

std::optional<Idea> threat(const Line& line) { return attack_on(targets_of(line[0], false), line); }
std::optional<Idea> threat_to_pawns(const Line& line) { return attack_on(targets_of(line[0], true), line); }

}  // namespace pm::explain
