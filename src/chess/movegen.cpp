#include "chess/movegen.h"

namespace pm::chess {
namespace {

// What the generator finds goes into a sink: one writes the moves down, one only counts them. Sets of pawn moves are
// given as targets plus the common step back to where each pawn came from.
class ListSink {
 public:
  explicit ListSink(MoveList& list) : list_(&list) {}
  [[gnu::always_inline]] void piece(Square from, Bitboard targets) {
    for (const Square to : targets) list_->push(Move::plain(from, to));
  }
  [[gnu::always_inline]] void pawns(Bitboard targets, int step) {
    for (const Square to : targets & ~back_ranks) list_->push(Move::plain(offset(to, -step), to));
    for (const Square to : targets& back_ranks) {
      for (const PieceKind k : {PieceKind::queen, PieceKind::knight, PieceKind::rook, PieceKind::bishop}) {
        list_->push(Move::promotion(offset(to, -step), to, k));
      }
    }
  }
  void en_passant(Square from, Square to) { list_->push(Move::en_passant(from, to)); }
  void castling(Square king, Square rook) { list_->push(Move::castling(king, rook)); }

 private:
  MoveList* list_;
};

class CountSink {
 public:
  [[gnu::always_inline]] void piece(Square /*from*/, Bitboard targets) { count_ += targets.count(); }
  [[gnu::always_inline]] void pawns(Bitboard targets, int /*step*/) {
    count_ += targets.count();
    if (const Bitboard promoting = targets & back_ranks) count_ += 3 * promoting.count();
  }
  void en_passant(Square /*from*/, Square /*to*/) { ++count_; }
  void castling(Square /*king*/, Square /*rook*/) { ++count_; }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

// Squares the king crosses and lands on when castling; may be its own square in Chess960.
[[gnu::always_inline]] inline Bitboard king_path(Square king, Square rook) {
  const Square goal = castled_king(king, rook);
  return between(king, goal) | Bitboard(goal);
}

[[gnu::always_inline]] inline bool castling_path_free(Bitboard occupied, Square king, Square rook) {
  const Square goal = castled_rook(king, rook);
  const Bitboard crossed = king_path(king, rook) | between(rook, goal) | Bitboard(goal);
  return !(crossed & occupied & ~Bitboard(king) & ~Bitboard(rook));
}

// The occupancy after castling.
[[gnu::always_inline]] inline Bitboard after_castling(Bitboard occupied, Square king, Square rook) {
  return (occupied & ~Bitboard(king) & ~Bitboard(rook)) | Bitboard(castled_king(king, rook)) |
         Bitboard(castled_rook(king, rook));
}

// The generator for one position. Lookup finds sliding attacks (attacks.h); Us is the side to move, a template
// parameter so that pawn directions are constants.
template <class Lookup, class Sink, Colour Us>
class Generator {
 public:
  [[gnu::always_inline]] Generator(const Position& position, Sink& sink)
      : position_(position),
        sink_(sink),
        occupied_(position.occupied()),
        own_(position.pieces(Us)),
        enemy_(position.pieces(!Us)),
        king_(position.king(Us)) {}

  [[gnu::always_inline]] void run() {
    find_checks_and_pins();
    king_moves();
    if (checkers_.many()) return;  // only the king can answer a double check
    const Bitboard allowed = checkers_ ? checkers_ | between(king_, checkers_.first()) : ~own_;
    piece_moves(allowed);
    pawn_moves(pawns() & ~pinned_, allowed);
    for (const Square s : pawns() & pinned_) pawn_moves(Bitboard(s), allowed & line_through(king_, s));
    if (position_.en_passant()) en_passant(*position_.en_passant());
  }

 private:
  [[gnu::always_inline]] Bitboard pawns() const { return position_.pieces(PieceKind::pawn) & own_; }
  [[gnu::always_inline]] Bitboard enemy_rooks_queens() const {
    return (position_.pieces(PieceKind::rook) | position_.pieces(PieceKind::queen)) & enemy_;
  }
  [[gnu::always_inline]] Bitboard enemy_bishops_queens() const {
    return (position_.pieces(PieceKind::bishop) | position_.pieces(PieceKind::queen)) & enemy_;
  }

  [[gnu::always_inline]] void find_checks_and_pins() {
    checkers_ = ((pawn_attacks(Us, king_) & position_.pieces(PieceKind::pawn)) |
                 (knight_attacks(king_) & position_.pieces(PieceKind::knight))) &
                enemy_;
    const Bitboard snipers = (rook_rays(king_) & enemy_rooks_queens()) | (bishop_rays(king_) & enemy_bishops_queens());
    for (const Square sniper : snipers) {
      const Bitboard blockers = between(king_, sniper) & occupied_;
      if (blockers.empty()) {
        checkers_ |= Bitboard(sniper);
      } else if (!blockers.many()) {
        pinned_ |= blockers & own_;
      }
    }
  }

  // Those squares of `zone` the enemy attacks, seen through the own king (which cannot hide behind itself).
  [[gnu::always_inline]] Bitboard attacked(Bitboard zone) const {
    constexpr int down = Us == Colour::white ? -1 : 1;
    const Bitboard enemy_pawns = position_.pieces(PieceKind::pawn) & enemy_;
    const Bitboard without_king = occupied_ ^ Bitboard(king_);
    Bitboard hit = shift<1, down>(enemy_pawns) | shift<-1, down>(enemy_pawns);
    hit |= king_attacks(position_.king(!Us));
    for (const Square s : position_.pieces(PieceKind::knight) & enemy_) hit |= knight_attacks(s);
    for (const Square s : enemy_rooks_queens()) {
      if (rook_rays(s) & zone) hit |= rook_attacks<Lookup>(s, without_king);
    }
    for (const Square s : enemy_bishops_queens()) {
      if (bishop_rays(s) & zone) hit |= bishop_attacks<Lookup>(s, without_king);
    }
    return hit & zone;
  }

  [[gnu::always_inline]] void king_moves() {
    const Bitboard targets = king_attacks(king_) & ~own_;
    const Bitboard rooks = checkers_ ? Bitboard() : position_.castling_rooks() & own_;
    Bitboard zone = targets;
    for (const Square rook : rooks) {
      if (castling_path_free(occupied_, king_, rook)) zone |= king_path(king_, rook);
    }
    if (zone.empty()) return;
    const Bitboard hit = attacked(zone);
    sink_.piece(king_, targets & ~hit);
    for (const Square rook : rooks) {
      if (castling_path_free(occupied_, king_, rook) && !(king_path(king_, rook) & hit) && !rook_was_shield(rook))
        sink_.castling(king_, rook);
    }
  }

  // Chess960: a rook that leaves the back rank's edge may uncover an enemy rook behind it.
  [[gnu::always_inline]] bool rook_was_shield(Square rook) const {
    const Bitboard rank_sliders = enemy_rooks_queens() & rank_bits(rank_of(king_));
    if (rank_sliders.empty()) return false;
    const Bitboard after = after_castling(occupied_, king_, rook);
    return (rook_attacks<Lookup>(castled_king(king_, rook), after) & rank_sliders).operator bool();
  }

  [[gnu::always_inline]] void piece_moves(Bitboard allowed) {
    using enum PieceKind;
    const Bitboard knights = position_.pieces(knight) & own_ & ~pinned_;  // a pinned knight never moves
    for (const Square s : knights) sink_.piece(s, knight_attacks(s) & allowed);
    const Bitboard diagonal = (position_.pieces(bishop) | position_.pieces(queen)) & own_;
    for (const Square s : diagonal & ~pinned_) sink_.piece(s, bishop_attacks<Lookup>(s, occupied_) & allowed);
    const Bitboard straight = (position_.pieces(rook) | position_.pieces(queen)) & own_;
    for (const Square s : straight & ~pinned_) sink_.piece(s, rook_attacks<Lookup>(s, occupied_) & allowed);
    for (const Square s : diagonal& pinned_) {
      sink_.piece(s, bishop_attacks<Lookup>(s, occupied_) & allowed & line_through(king_, s));
    }
    for (const Square s : straight& pinned_) {
      sink_.piece(s, rook_attacks<Lookup>(s, occupied_) & allowed & line_through(king_, s));
    }
  }

  [[gnu::always_inline]] void pawn_moves(Bitboard pawns, Bitboard allowed) {
    constexpr int up = Us == Colour::white ? 1 : -1;
    constexpr Bitboard third_rank = rank_bits(Us == Colour::white ? 2 : 5);
    const Bitboard one = shift<0, up>(pawns) & ~occupied_;
    const Bitboard two = shift<0, up>(one & third_rank) & ~occupied_;
    sink_.pawns(one & allowed, 8 * up);
    sink_.pawns(two & allowed, 16 * up);
    sink_.pawns(shift<1, up>(pawns) & enemy_ & allowed, (8 * up) + 1);
    sink_.pawns(shift<-1, up>(pawns) & enemy_ & allowed, (8 * up) - 1);
  }

  // Two pawns leave one rank at once, which no pin describes: play it on the occupancy and look.
  void en_passant(Square to) {
    const Bitboard victim(offset(to, -forward(Us)));
    for (const Square from : pawn_attacks(!Us, to) & pawns()) {
      const Bitboard after = (occupied_ ^ Bitboard(from) ^ victim) | Bitboard(to);
      if (checkers_ & ~victim & ~enemy_rooks_queens() & ~enemy_bishops_queens()) continue;
      if (rook_attacks<Lookup>(king_, after) & enemy_rooks_queens()) continue;
      if (bishop_attacks<Lookup>(king_, after) & enemy_bishops_queens()) continue;
      sink_.en_passant(from, to);
    }
  }

  const Position& position_;
  Sink& sink_;
  Bitboard occupied_;
  Bitboard own_;
  Bitboard enemy_;
  Square king_;
  Bitboard checkers_;
  Bitboard pinned_;
};

template <class Lookup, class Sink>
[[gnu::always_inline]] inline void generate(const Position& position, Sink& sink) {
  if (position.side_to_move() == Colour::white) {
    Generator<Lookup, Sink, Colour::white>(position, sink).run();
  } else {
    Generator<Lookup, Sink, Colour::black>(position, sink).run();
  }
}

int count_portable(const Position& position) {
  CountSink sink;
  generate<detail::ByMagic>(position, sink);
  return sink.count();
}

#define PM_BMI2 [[gnu::target("bmi,bmi2,popcnt")]]

PM_BMI2 int count_bmi2(const Position& position) {
  CountSink sink;
  generate<detail::ByPext>(position, sink);
  return sink.count();
}

// Whether any of the `enemy` pieces attacks s over the given occupancy. Looks along the lines from s at the few sliders
// on them, which is quicker than the attack tables for a single square.
bool is_attacked(const Position& position, Square s, Bitboard occupied, Bitboard enemy) {
  using enum PieceKind;
  const Bitboard queens = position.pieces(queen);
  const Bitboard pawns_and_pieces = (pawn_attacks(position.side_to_move(), s) & position.pieces(pawn)) |
                                    (knight_attacks(s) & position.pieces(knight)) |
                                    (king_attacks(s) & position.pieces(king));
  if (pawns_and_pieces & enemy) return true;
  const Bitboard snipers =
      ((rook_rays(s) & (position.pieces(rook) | queens)) | (bishop_rays(s) & (position.pieces(bishop) | queens))) &
      enemy;
  for (const Square sniper : snipers) {
    if (!(between(s, sniper) & occupied)) return true;
  }
  return false;
}

bool castling_is_safe(const Position& position, Square king, Square rook) {
  const Bitboard occupied = position.occupied();
  const Bitboard enemy = position.pieces(!position.side_to_move());
  if (!castling_path_free(occupied, king, rook)) return false;
  for (const Square s : king_path(king, rook) | Bitboard(king)) {
    if (is_attacked(position, s, occupied ^ Bitboard(king), enemy)) return false;
  }
  return !is_attacked(position, castled_king(king, rook), after_castling(occupied, king, rook), enemy);
}

MoveList list_portable(const Position& position) {
  MoveList list;
  ListSink sink(list);
  generate<detail::ByMagic>(position, sink);
  return list;
}

PM_BMI2 MoveList list_bmi2(const Position& position) {
  MoveList list;
  ListSink sink(list);
  generate<detail::ByPext>(position, sink);
  return list;
}

}  // namespace

MoveList legal_moves(const Position& position) { return uses_pext() ? list_bmi2(position) : list_portable(position); }

int count_legal_moves(const Position& position) {
  return uses_pext() ? count_bmi2(position) : count_portable(position);
}

bool keeps_king_safe(const Position& position, Move m) {
  if (m.kind() == MoveKind::castling) return castling_is_safe(position, m.from(), m.to());
  const Colour us = position.side_to_move();
  Bitboard after = (position.occupied() & ~Bitboard(m.from())) | Bitboard(m.to());
  Bitboard enemy = position.pieces(!us) & ~Bitboard(m.to());
  if (m.kind() == MoveKind::en_passant) {
    const Bitboard victim(offset(m.to(), -forward(us)));
    after ^= victim;
    enemy ^= victim;
  }
  const Square king = position.king(us);
  return !is_attacked(position, king == m.from() ? m.to() : king, after, enemy);
}

bool is_legal(const Position& position, Move m) { return legal_moves(position).contains(m); }

std::uint64_t perft(const Position& position, int depth) {
  assert(depth >= 0);
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position));
  std::uint64_t nodes = 0;
  for (const Move m : legal_moves(position)) nodes += perft(position.after(m), depth - 1);
  return nodes;
}

std::optional<std::uint64_t> perft(const Position& position, int depth, const std::stop_token& stop) {
  constexpr int depth_done_at_once = 4;  // some milliseconds
  if (depth <= depth_done_at_once) return perft(position, depth);
  std::uint64_t nodes = 0;
  for (const Move m : legal_moves(position)) {
    if (stop.stop_requested()) return std::nullopt;
    const auto below = perft(position.after(m), depth - 1, stop);
    if (!below) return std::nullopt;
    nodes += *below;
  }
  return nodes;
}

}  // namespace pm::chess
