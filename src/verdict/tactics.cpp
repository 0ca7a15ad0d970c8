#include "verdict/tactics.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "motif/placement.h"

namespace pm::verdict {
namespace {

using chess::Bitboard;
using chess::Colour;
using chess::Move;
using chess::MoveKind;
using chess::Piece;
using chess::PieceKind;
using chess::Position;
using chess::Square;
using motif::value_of;

// Pieces of colour `by` that capture on `target` once the pieces in `removed` are gone. `target` may be empty: then it
// is the square behind a pawn that an en-passant capture lands on, and the pawn is among the removed.
Bitboard attackers_without(const Position& position, Square target, Colour by, Bitboard removed) {
  const Bitboard occupied = position.occupied() & ~removed;
  const Bitboard enemy = position.pieces(!by) & ~removed & ~Bitboard(target);
  const Square king = position.king(by);
  Bitboard legal;
  for (const Square from : position.attackers_to(target, occupied) & position.pieces(by) & ~removed) {
    if (from == king) {
      legal |= Bitboard(from);  // counts even when the square is guarded
      continue;
    }
    const Bitboard after = (occupied & ~Bitboard(from)) | Bitboard(target);
    if (!(position.attackers_to(king, after) & enemy)) legal |= Bitboard(from);
  }
  return legal;
}

// Pawns that take the pawn on `target` in passing.
Bitboard en_passant_attackers(const Position& position, Square target, Colour by, Bitboard removed) {
  const auto passed = position.en_passant();
  if (!passed || position.side_to_move() != by || target != chess::offset(*passed, -chess::forward(by))) return {};
  return attackers_without(position, *passed, by, removed | Bitboard(target)) & position.pieces(PieceKind::pawn) &
         chess::pawn_attacks(!by, *passed);
}

Bitboard direct_without(const Position& position, Square target, Colour by, Bitboard removed) {
  return attackers_without(position, target, by, removed) | en_passant_attackers(position, target, by, removed);
}

// Adds to `found` everybody who comes into play when `attacker` leaves, and those behind them.
void reveal(const Position& position, Square target, Colour by, Bitboard removed, Square attacker, Bitboard& found) {
  if (attacker == position.king(by)) return;
  const Bitboard before = direct_without(position, target, by, removed);
  removed |= Bitboard(attacker);
  const Bitboard revealed = direct_without(position, target, by, removed) & ~before & ~found;
  found |= revealed;
  for (const Square s : revealed) reveal(position, target, by, removed, s, found);
}

Bitboard xray_without(const Position& position, Square target, Colour by, Bitboard removed) {
  const Bitboard direct = direct_without(position, target, by, removed);
  Bitboard found = direct;
  for (const Square s : direct) reveal(position, target, by, removed, s, found);
  return found;
}

// Whether the king's capture of `target` would be legal; every other direct attacker's is.
bool king_may_capture(const Position& position, Square target, Colour by) {
  const Square king = position.king(by);
  const Bitboard occupied = position.occupied() & ~Bitboard(king);
  return !(position.attackers_to(target, occupied) & position.pieces(!by) & ~Bitboard(target));
}

int cheapest(const Position& position, Bitboard pieces) {
  int least = value_of(PieceKind::king) + 1;
  for (const Square s : pieces) least = std::min(least, value_of(kind_of(position.piece_on(s))));
  return least;
}

// The position as if it were the other side's turn. Nobody's en-passant right survives that.
Position with_turn(const Position& position, Colour turn) {
  return position.side_to_move() == turn ? position : position.with_other_side_to_move();
}

// An enemy man that attacks an unsafe piece: the pair is what "a threat" means below.
struct Threats {
  std::array<Bitboard, 64> attackers{};  // of the unsafe piece on each square
  bool any = false;

  bool has_new_since(const Threats& earlier) const {
    for (std::size_t i = 0; i < attackers.size(); ++i) {
      if (attackers[i] & ~earlier.attackers[i]) return true;
    }
    return false;
  }
};

// Threats against pieces of colour c worth at least `least`, the one on `except` left out.
Threats threats_against(const Position& position, Colour c, int least, Square except) {
  Threats threats;
  for (const Square s : unsafe_pieces(position, c)) {
    if (s == except || value_of(kind_of(position.piece_on(s))) < least) continue;
    threats.attackers[chess::detail::at(s)] = direct_attackers(position, s, !c);
    threats.any = threats.any || threats.attackers[chess::detail::at(s)];
  }
  return threats;
}

bool has_mate_in_one(const Position& position) {
  for (const Move m : chess::legal_moves(position)) {
    const Position next = position.after(m);
    if (next.in_check() && chess::count_legal_moves(next) == 0) return true;
  }
  return false;
}

bool allows_mate_below_queen(const Position& after, int value) {
  return value < value_of(PieceKind::queen) && has_mate_in_one(after);
}

Bitboard trapped_among(const Position& position, Bitboard pieces) {
  Bitboard trapped;
  for (const Square s : pieces) {
    if (is_trapped(position, s)) trapped |= Bitboard(s);
  }
  return trapped;
}

}  // namespace

Bitboard direct_attackers(const Position& position, Square target, Colour by) {
  return direct_without(position, target, by, {});
}

Bitboard xray_attackers(const Position& position, Square target, Colour by) {
  return xray_without(position, target, by, {});
}

Bitboard xray_defenders(const Position& position, Square target) {
  const Colour owner = colour_of(position.piece_on(target));
  std::optional<Bitboard> fewest;
  for (const Square from : direct_attackers(position, target, !owner)) {
    if (from == position.king(!owner) && !king_may_capture(position, target, !owner)) continue;
    const bool en_passant = !attackers_without(position, target, !owner, {}).has(from);
    const Square lands = en_passant ? *position.en_passant() : target;
    const Bitboard removed = en_passant ? Bitboard(from) | Bitboard(target) : Bitboard(from);
    const Bitboard recapturers = xray_without(position, lands, owner, removed);
    if (!fewest || recapturers.count() < fewest->count()) fewest = recapturers;
  }
  return fewest ? *fewest : xray_without(position, target, owner, {});
}

bool is_safe(const Position& position, Square s, JustCaptured captured) {
  const Piece piece = position.piece_on(s);
  const Colour owner = colour_of(piece);
  const int value = value_of(kind_of(piece));
  const Bitboard direct = direct_attackers(position, s, !owner);
  const Bitboard attackers = direct ? xray_without(position, s, !owner, {}) : Bitboard();
  const Bitboard defenders = xray_defenders(position, s);
  const int minor = value_of(PieceKind::knight);

  // A rook for two minor pieces is no loss.
  if (captured.value == minor && kind_of(piece) == PieceKind::rook && attackers.count() == 1 &&
      cheapest(position, attackers) == minor && defenders) {
    return true;
  }
  const int cheapest_attacker = cheapest(position, direct);
  if (direct && cheapest_attacker < value) return false;
  if (attackers.count() <= defenders.count()) return true;
  if (direct.empty()) return true;
  if (value < cheapest_attacker && cheapest(position, defenders) < cheapest_attacker) return true;
  return (defenders & position.pieces(PieceKind::pawn)).operator bool();
}

Bitboard unsafe_pieces(const Position& position, Colour c, JustCaptured captured) {
  Bitboard unsafe;
  const Bitboard pieces = position.pieces(c) & ~position.pieces(PieceKind::pawn) & ~position.pieces(PieceKind::king);
  for (const Square s : pieces) {
    const bool worth_more = value_of(kind_of(position.piece_on(s))) > captured.value;
    if (worth_more && !is_safe(position, s, captured)) unsafe |= Bitboard(s);
  }
  return unsafe;
}

bool is_covered(const Position& position, Square s) {
  const Piece piece = position.piece_on(s);
  const Colour owner = colour_of(piece);
  const int value = value_of(kind_of(piece));
  const Position taking = with_turn(position, !owner);
  for (const Move m : chess::legal_moves(taking)) {
    if (m.to() != s || m.kind() == MoveKind::castling) continue;
    const Position after = taking.after(m);
    if (!threats_against(after, !owner, value, s).any && !allows_mate_below_queen(after, value)) return false;
  }
  return true;
}

bool is_trapped(const Position& position, Square s) {
  const Piece piece = position.piece_on(s);
  const Colour owner = colour_of(piece);
  const int value = value_of(kind_of(piece));
  const Position moving = with_turn(position, owner);
  if (is_safe(moving, s)) return false;
  std::optional<Threats> before;
  for (const Move m : chess::legal_moves(moving)) {
    if (m.from() != s || m.kind() == MoveKind::castling) continue;
    const Piece victim = moving.captured_by(m);
    if (victim != Piece::none && kind_of(victim) == PieceKind::king) return false;
    const Position after = moving.after(m);
    const JustCaptured captured{victim == Piece::none ? 0 : value_of(kind_of(victim))};
    if (!is_safe(after, m.to(), captured)) continue;
    if (!before) before = threats_against(moving, owner, value, s);
    if (threats_against(after, owner, value, s).has_new_since(*before)) continue;
    if (allows_mate_below_queen(after, value)) continue;
    return false;
  }
  return true;
}

std::optional<Sacrifice> find_sacrifice(const Position& before, Move m) {
  if (m.kind() == MoveKind::promotion) return std::nullopt;
  const Colour us = before.side_to_move();
  const Piece victim = before.captured_by(m);
  const JustCaptured captured{victim == Piece::none ? 0 : value_of(kind_of(victim))};
  const Position after = before.after(m);
  const Bitboard unsafe_before = unsafe_pieces(before, us);
  const Bitboard unsafe_after = unsafe_pieces(after, us, captured);
  if (unsafe_after.empty()) return std::nullopt;
  if (!after.in_check() && unsafe_after.count() < unsafe_before.count()) return std::nullopt;
  Bitboard uncovered;
  for (const Square s : unsafe_after) {
    if (!is_covered(after, s)) uncovered |= Bitboard(s);
  }
  if (uncovered.empty()) return std::nullopt;
  const Bitboard trapped_before = trapped_among(before, unsafe_before);
  const Bitboard trapped_after = trapped_among(after, unsafe_after);
  if (trapped_after.count() == unsafe_after.count()) return std::nullopt;
  if (trapped_before.has(m.from())) return std::nullopt;  // desperado
  if (trapped_after.count() < trapped_before.count()) return std::nullopt;
  const Bitboard free = uncovered & ~trapped_after;
  return Sacrifice{free.empty() ? uncovered : free};
}

}  // namespace pm::verdict
