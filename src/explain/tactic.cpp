#include "explain/tactic.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "explain/haul.h"
#include "motif/find.h"
#include "motif/placement.h"

namespace pm::explain {
namespace {

using chess::Bitboard;
using chess::PieceKind;
using chess::Square;
using motif::Found;
using motif::Line;
using motif::Motif;
using motif::Step;

std::vector<Target> targets_in(const chess::Position& position, Bitboard squares) {
  std::vector<Target> targets;
  for (const Square s : squares) targets.push_back({chess::kind_of(position.piece_on(s)), s});
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) { return motif::value_of(a.piece) > motif::value_of(b.piece); });
  return targets;
}

// "king and queen", "two rooks", "queen, rook and knight".
std::string kinds_text(const std::vector<Target>& targets) {
  if (targets.size() == 2 && targets[0].piece == targets[1].piece) {
    return fmt::format("two {}s", name_of(targets[0].piece));
  }
  std::string text;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    text += i == 0 ? "" : i + 1 == targets.size() ? " and " : ", ";
    text += name_of(targets[i].piece);
  }
  return text;
}

// Whether the man that stands on the square after a step is captured later, wherever it goes meanwhile.
bool falls_later(const Line& line, std::size_t step, Square at) {
  for (std::size_t i = step + 1; i < line.size(); ++i) {
    if (i % 2 == 0 && line[i].to == at && line[i].is_capture()) return true;
    if (i % 2 == 1 && line[i].from == at) at = line[i].to;
  }
  return false;
}

bool any_falls(const Line& line, std::size_t step, const std::vector<Target>& targets) {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const Target& each) { return falls_later(line, step, each.square); });
}

// Whether the man is captured where it stands, before it moves.
bool is_taken_there(const Line& line, std::size_t step, Square s) {
  for (std::size_t i = step + 1; i < line.size(); ++i) {
    if (line[i].to == s) return i % 2 == 0;
    if (line[i].from == s) return false;
  }
  return false;
}

using Maker = std::optional<Tactic> (*)(const Line& line);

std::optional<Tactic> fork(const Line& line) {
  const Found found = motif::find_fork(line);
  if (!found) return std::nullopt;
  const auto targets = targets_in(line[found->step].after, found->targets);
  if (!any_falls(line, found->step, targets)) return std::nullopt;
  const std::string kinds = kinds_text(targets);
  return Tactic{motif::name_of(Motif::fork), found->step, "forking " + kinds, "Forks " + kinds, targets, true};
}

std::optional<Tactic> skewer(const Line& line) {
  const Found found = motif::find_skewer(line);
  if (!found || *line[found->step].captured == PieceKind::pawn) return std::nullopt;
  const Step& left = line[found->step - 1];
  const std::vector<Target> targets{{left.piece, left.from}, {*line[found->step].captured, line[found->step].to}};
  const std::string kinds = kinds_text(targets);
  return Tactic{
      motif::name_of(Motif::skewer), found->step - 2, "skewering " + kinds, "Skewers " + kinds, targets, true};
}

std::optional<Tactic> double_check(const Line& line) {
  const Found found = motif::find_double_check(line);
  if (!found) return std::nullopt;
  const std::vector<Target> king{{PieceKind::king, line[found->step].after.king(line.opponent())}};
  return Tactic{
      motif::name_of(Motif::double_check), found->step, "a double check", "Gives a double check", king, false};
}

std::optional<Tactic> discovered_attack(const Line& line) {
  const Found found = motif::find_discovered_attack(line);
  if (!found) return std::nullopt;
  const auto targets = targets_in(line[found->step].after, found->targets);
  const bool check = targets.front().piece == PieceKind::king;
  if (check) {
    return Tactic{motif::name_of(Motif::discovered_check),
                  found->step,
                  "a discovered check",
                  "Gives a discovered check",
                  targets,
                  false};
  }
  if (!any_falls(line, found->step, targets)) return std::nullopt;
  const std::string what = "an attack on " + named(targets.front());
  return Tactic{
      motif::name_of(Motif::discovered_attack), found->step, "uncovering " + what, "Uncovers " + what, targets, true};
}

std::optional<Tactic> trapped_piece(const Line& line) {
  const Found found = motif::find_trapped_piece(line);
  if (!found || found->step < 2) return std::nullopt;
  const Step& reply = line[found->step - 1];
  const Square stood = reply.to == line[found->step].to ? reply.from : line[found->step].to;
  const std::vector<Target> targets{{*line[found->step].captured, stood}};
  const std::string what = named(targets.front());
  // By the move since which it has had no square.
  std::size_t step = found->step - 2;
  while (step >= 2 && line[step - 1].from != stood && line[step - 1].to != stood &&
         motif::is_boxed_in(line[step - 2].after, stood)) {
    step -= 2;
  }
  return Tactic{motif::name_of(Motif::trapped_piece), step, "trapping " + what, "Traps " + what, targets, true};
}

std::optional<Tactic> deflection(const Line& line) {
  const Found found = motif::find_deflection(line);
  if (!found || !line[found->step].captured || *line[found->step].captured == PieceKind::pawn) return std::nullopt;
  const Step& leaves = line[found->step - 1];
  const std::vector<Target> targets{{leaves.piece, leaves.from}, {*line[found->step].captured, line[found->step].to}};
  const std::string what = fmt::format("the {} away from {}", name_of(leaves.piece), named(targets.back()));
  return Tactic{motif::name_of(Motif::deflection), found->step - 2, "drawing " + what, "Draws " + what, targets, true};
}

std::optional<Tactic> attraction(const Line& line) {
  const Found found = motif::find_attraction(line);
  if (!found) return std::nullopt;
  const Step& taken = line[found->step + 1];
  const std::vector<Target> targets{{taken.piece, taken.from}};
  const std::string what = fmt::format("the {} to {}", name_of(taken.piece), chess::format_square(taken.to));
  return Tactic{motif::name_of(Motif::attraction), found->step, "drawing " + what, "Draws " + what, targets, false};
}

std::optional<Tactic> capturing_defender(const Line& line) {
  const Found found = motif::find_capturing_defender(line);
  if (!found || !line[found->step].captured) return std::nullopt;
  if (*line[found->step].captured == PieceKind::pawn) return std::nullopt;
  const std::vector<Target> targets{{*line[found->step].captured, line[found->step].to}};
  const std::string what = "the defender of " + named(targets.front());
  return Tactic{
      motif::name_of(Motif::capturing_defender), found->step - 2, "taking " + what, "Takes " + what, targets, false};
}

std::optional<Tactic> interference(const Line& line) {
  const Found found = motif::find_interference(line);
  if (!found) return std::nullopt;
  const std::vector<Target> targets{{*line[found->step].captured, line[found->step].to}};
  const std::string what = "off the defence of " + named(targets.front());
  return Tactic{motif::name_of(Motif::interference), found->step - 2, "cutting " + what, "Cuts " + what, targets, true};
}

std::optional<Tactic> intermezzo(const Line& line) {
  const Found found = motif::find_intermezzo(line);
  if (!found || found->step != 0) return std::nullopt;
  const std::string what = "before taking back on " + chess::format_square(line[found->step + 2].to);
  return Tactic{motif::name_of(Motif::intermezzo), found->step, what, "Comes " + what, {}, false};
}

std::optional<Tactic> pin(const Line& line) {
  const Found found = motif::find_pin(line);
  if (!found) return std::nullopt;
  const auto targets = targets_in(line[found->step].after, found->targets);
  if (line[found->step].before.pinned(line.opponent()).has(targets.front().square)) return std::nullopt;  // not new
  if (!is_taken_there(line, found->step, targets.front().square)) return std::nullopt;
  const std::string what = named(targets.front());
  return Tactic{motif::name_of(Motif::pin),      found->step, "pinning " + what + " to the king",
                "Pins " + what + " to the king", targets,     true};
}

std::optional<Tactic> promotion(const Line& line) {
  const Found found = motif::find_promotion(line);
  if (!found) return std::nullopt;
  const bool taken = found->step + 1 < line.size() && line[found->step + 1].to == line[found->step].to;
  if (taken) return std::nullopt;
  return Tactic{motif::name_of(Motif::promotion), found->step, "a new queen", "Promotes", {}, true};
}

constexpr std::array<Maker, 12> makers{fork,       skewer,     trapped_piece, discovered_attack,  double_check,
                                       deflection, attraction, intermezzo,    capturing_defender, interference,
                                       pin,        promotion};

}  // namespace

std::string named(const Target& target) {
  if (target.piece == PieceKind::king) return "the king";
  return fmt::format("the {} on {}", name_of(target.piece), chess::format_square(target.square));
}

std::optional<Tactic> find_tactic(const Line& line) {
  std::optional<Tactic> best;
  for (const Maker make : makers) {
    auto tactic = make(line);
    if (tactic && (!best || tactic->step < best->step)) best = std::move(tactic);
  }
  return best;
}

}  // namespace pm::explain
