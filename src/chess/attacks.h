// Which squares a piece attacks, and the lines between squares. Pure table look-ups, filled once before main().
//
//   Bitboard b = bishop_attacks(Square::c1, position.occupied());
//
// Sliding pieces use one table indexed either by "magic" multiplication, which works on any x86-64, or by the PEXT
// instruction where the CPU has a fast one. uses_pext() says which; the table holds the entries in that order. As the
// tables are filled before main(), initialisers of global variables must not use them.
#pragma once

#include <array>
#include <cstdint>

#include "chess/bitboard.h"

namespace pm::chess {

namespace detail {

struct Leapers {
  std::array<Bitboard, 64> knight;
  std::array<Bitboard, 64> king;
  std::array<std::array<Bitboard, 64>, 2> pawn;  // [colour][square]
};

consteval Leapers make_leapers() {
  Leapers t{};
  for (int i = 0; i < 64; ++i) {
    const Bitboard s(static_cast<Square>(i));
    const auto at = static_cast<std::size_t>(i);
    const Bitboard beside = shift<1, 0>(s) | shift<-1, 0>(s);
    const Bitboard two_beside = shift<1, 0>(shift<1, 0>(s)) | shift<-1, 0>(shift<-1, 0>(s));
    t.knight[at] = shift<0, 2>(beside) | shift<0, -2>(beside) | shift<0, 1>(two_beside) | shift<0, -1>(two_beside);
    t.king[at] = beside | shift<0, 1>(beside | s) | shift<0, -1>(beside | s);
    t.pawn[0][at] = shift<0, 1>(beside);
    t.pawn[1][at] = shift<0, -1>(beside);
  }
  return t;
}

inline constexpr Leapers leapers = make_leapers();

// How one square's sliding attacks are found: the occupancy under `mask` is turned into an index of `table`.
struct Slider {
  std::uint64_t mask = 0;
  std::uint64_t magic = 0;
  const Bitboard* table = nullptr;
  unsigned shift = 0;
};

struct Sliders {
  explicit Sliders(bool for_pext);
  std::array<Slider, 64> rook;
  std::array<Slider, 64> bishop;
  // Squares strictly between two squares of one line; the whole line through both, edge to edge. Empty otherwise.
  std::array<std::array<Bitboard, 64>, 64> between;
  std::array<std::array<Bitboard, 64>, 64> line;
  std::array<std::array<Bitboard, 64>, piece_kinds> pseudo;  // attacks on the empty board, [kind]; none for pawns
};

extern bool pext_chosen;
extern Sliders sliders;

// Fills the tables anew in the other order, so that tests can try the path this CPU would not choose. Not while
// anything else runs; PEXT only on a CPU that has it.
void choose_pext(bool chosen);
bool has_fast_pext();

// Assembly rather than the intrinsic: the intrinsic may only be used in functions compiled for BMI2, and would not
// inline into the others. Volatile, so that it is never moved out of the branch that asked for the CPU.
[[gnu::always_inline]] inline std::uint64_t pext(std::uint64_t bits, std::uint64_t mask) {
  std::uint64_t packed = 0;  // NOLINT(misc-const-correctness): the assembly writes it
  __asm__ volatile("pextq %2, %1, %0" : "=r"(packed) : "r"(bits), "rm"(mask));
  return packed;
}

struct ByMagic {
  [[gnu::always_inline]] static Bitboard attacks(const Slider& s, Bitboard occupied) {
    return s.table[((occupied.bits() & s.mask) * s.magic) >> s.shift];
  }
};

struct ByPext {
  [[gnu::always_inline]] static Bitboard attacks(const Slider& s, Bitboard occupied) {
    return s.table[pext(occupied.bits(), s.mask)];
  }
};

// For code outside the move generator: asks each time; the branch always goes the same way.
struct ByEither {
  [[gnu::always_inline]] static Bitboard attacks(const Slider& s, Bitboard occupied) {
    return pext_chosen ? ByPext::attacks(s, occupied) : ByMagic::attacks(s, occupied);
  }
};

constexpr std::size_t at(Square s) { return static_cast<std::size_t>(s); }

}  // namespace detail

inline bool uses_pext() { return detail::pext_chosen; }

PM_INLINE Bitboard knight_attacks(Square s) { return detail::leapers.knight[detail::at(s)]; }
PM_INLINE Bitboard king_attacks(Square s) { return detail::leapers.king[detail::at(s)]; }
// Squares a pawn of colour c on s captures on.
PM_INLINE Bitboard pawn_attacks(Colour c, Square s) {
  return detail::leapers.pawn[static_cast<std::size_t>(c)][detail::at(s)];
}

template <class Lookup = detail::ByEither>
[[gnu::always_inline]] inline Bitboard rook_attacks(Square s, Bitboard occupied) {
  return Lookup::attacks(detail::sliders.rook[detail::at(s)], occupied);
}
template <class Lookup = detail::ByEither>
[[gnu::always_inline]] inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
  return Lookup::attacks(detail::sliders.bishop[detail::at(s)], occupied);
}
template <class Lookup = detail::ByEither>
[[gnu::always_inline]] inline Bitboard queen_attacks(Square s, Bitboard occupied) {
  return rook_attacks<Lookup>(s, occupied) | bishop_attacks<Lookup>(s, occupied);
}

// What a man attacks from a square when the board is occupied as given.
inline Bitboard attacks_of(PieceKind kind, Colour side, Square s, Bitboard occupied) {
  switch (kind) {
    case PieceKind::pawn: return pawn_attacks(side, s);
    case PieceKind::knight: return knight_attacks(s);
    case PieceKind::bishop: return bishop_attacks(s, occupied);
    case PieceKind::rook: return rook_attacks(s, occupied);
    case PieceKind::queen: return queen_attacks(s, occupied);
    case PieceKind::king: break;
  }
  return king_attacks(s);
}

// Squares a piece other than a pawn attacks on the empty board.
[[gnu::always_inline]] inline Bitboard pseudo_attacks(PieceKind kind, Square s) {
  return detail::sliders.pseudo[static_cast<std::size_t>(kind)][detail::at(s)];
}
[[gnu::always_inline]] inline Bitboard rook_rays(Square s) { return pseudo_attacks(PieceKind::rook, s); }
[[gnu::always_inline]] inline Bitboard bishop_rays(Square s) { return pseudo_attacks(PieceKind::bishop, s); }

// Strictly between a and b when they share a rank, file or diagonal; empty otherwise.
[[gnu::always_inline]] inline Bitboard between(Square a, Square b) {
  return detail::sliders.between[detail::at(a)][detail::at(b)];
}
// The whole rank, file or diagonal through a and b, both included; empty otherwise.
[[gnu::always_inline]] inline Bitboard line_through(Square a, Square b) {
  return detail::sliders.line[detail::at(a)][detail::at(b)];
}

}  // namespace pm::chess
