#include <array>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "motif/first_of.h"
#include "motif/placement.h"

namespace pm::motif {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

namespace {

// P1 N2 B3 R4 Q5 K6.
int rank_of_piece(PieceKind kind) { return chess::index(kind) + 1; }

// What stood on the square the move went to: en passant does not count.
bool takes_on_its_square(const Step& step) {
  return step.before.piece_on(step.move.to()) != chess::Piece::none && step.is_capture();
}

bool is_mate(const Line& line, std::size_t i) { return i + 1 == line.size() && line.ends_in_mate(); }

// The line piece that guards a man; when several do, only the one on the lowest square is looked at.
std::optional<Square> guarding_line_piece(const Position& position, Square man, Colour side) {
  const Bitboard guards = attackers_of(position, man, side);
  if (guards.empty() || !is_line_piece(kind_on(position, guards.first()))) return std::nullopt;
  return guards.first();
}

// Whether the guard was cut off by a man that went between.
bool cuts_off(const Step& step, Square man, std::optional<Square> guard) {
  return guard && chess::between(man, *guard).has(step.to);
}

}  // namespace

Found find_attraction(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) {
    if (i + 2 >= line.size()) return no;
    const Step& bait = line[i];
    const Step& taken = line[i + 1];
    const Step& punishes = line[i + 2];
    const bool drawn =
        taken.piece == PieceKind::king || taken.piece == PieceKind::queen || taken.piece == PieceKind::rook;
    if (taken.to != bait.to || !drawn || !attacks_from(punishes.after, punishes.to).has(bait.to)) return no;
    const bool wins = taken.piece == PieceKind::king || (i + 4 < line.size() && line[i + 4].to == bait.to);
    return wins ? against(bait.to) : no;
  });
}

Found find_deflection(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& gain = line[i];
    const Step& leaves = line[i - 1];  // the guard
    const Step& forces = line[i - 2];
    const bool captures = takes_on_its_square(gain);
    if (!captures && !gain.is_promotion()) return no;
    if (captures && value_of(*gain.captured) > value_of(gain.piece)) return no;
    if (takes_on_its_square(forces) && value_of(*forces.captured) >= rank_of_piece(forces.piece)) return no;
    if (gain.to == leaves.to || gain.to == forces.to) return no;
    if (leaves.to != forces.to && !forces.gives_check()) return no;
    const Bitboard guarded = attacks_from(leaves.before, leaves.from);
    const bool stopped_pawn =
        gain.is_promotion() && chess::file_of(gain.to) == chess::file_of(leaves.from) && guarded.has(gain.from);
    if (!guarded.has(gain.to) && !stopped_pawn) return no;
    return attacks_from(leaves.after, leaves.to).has(gain.to) ? no : against(gain.to);
  });
}

Found find_interference(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& capture = line[i];
    const Step& reply = line[i - 1];
    const Step& previous = line[i - 2];
    if (!takes_on_its_square(capture) || is_guarded(capture.before, capture.to)) return no;
    if (cuts_off(reply, capture.to, guarding_line_piece(reply.before, capture.to, line.opponent()))) {
      return against(capture.to);
    }
    if (reply.to == capture.to) return no;
    const bool cut = cuts_off(previous, capture.to, guarding_line_piece(previous.before, capture.to, line.opponent()));
    return cut ? against(capture.to) : no;
  });
}

Found find_intermezzo(const Line& line) {
  for (std::size_t i = second_move; i < line.size(); i += 2) {
    const Step& capture = line[i];
    const Step& reply = line[i - 1];
    const Step& between = line[i - 2];
    if (!capture.is_capture() || between.to == capture.to) continue;
    if (attacks_from(reply.before, reply.from).has(capture.to)) continue;
    const Step* const before = i == second_move ? line.error() : &line[i - 3];
    const bool delayed = before != nullptr && before->to == capture.to && before->is_capture() &&
                         chess::is_legal(before->after, capture.move);
    return delayed ? Found(Seen{i - 2, Bitboard(capture.to)}) : std::nullopt;
  }
  return std::nullopt;
}

Found find_clearance(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& move = line[i];
    const Step& reply = line[i - 1];
    const Step& clears = line[i - 2];
    if (takes_on_its_square(move) || !is_line_piece(move.piece)) return no;
    if (clears.is_promotion() || clears.to == move.from || clears.to == move.to) return no;
    if (move.before.in_check() || (move.gives_check() && reply.piece == PieceKind::king)) return no;
    if (clears.from != move.to && !chess::between(move.from, move.to).has(clears.from)) return no;
    return yes_if(!takes_on_its_square(clears) || is_badly_placed(clears.after, clears.to));
  });
}

Found find_capturing_defender(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& gain = line[i];
    const Step& takes_guard = line[i - 2];
    const bool wins_loose_man = takes_on_its_square(gain) && gain.piece != PieceKind::king &&
                                value_of(*gain.captured) <= value_of(gain.piece) && is_loose(gain.before, gain.to) &&
                                line[i - 1].to != gain.to;
    if (!wins_loose_man && !is_mate(line, i)) return no;
    if (takes_guard.gives_check() || takes_guard.to == gain.from || takes_guard.before.in_check()) return no;
    if (!takes_on_its_square(takes_guard)) return no;
    return attacks_from(takes_guard.before, takes_guard.to).has(gain.to) ? against(gain.to) : no;
  });
}

Found find_sacrifice(const Line& line) {
  constexpr int given = 2;
  const int start = material(line.start(), line.solver());
  const Found found = first_of(line, second_move, [&](std::size_t i) {
    return yes_if(material(line[i].after, line.solver()) <= start - given);
  });
  for (std::size_t i = 1; i < line.size(); i += 2) {
    if (line[i].is_promotion()) return std::nullopt;
  }
  return found;
}

}  // namespace pm::motif
