// A set of squares in 64 bits, bit 0 = a1. Iterating yields the squares from a1 to h8.
//
//   Bitboard rooks = position.pieces(Colour::white, PieceKind::rook);
//   for (Square s : rooks & ~pinned) ...
//
// The members are always_inline so that they take the instruction set of the function they are used in: the move
// generator is compiled once for any x86-64 and once for CPUs with POPCNT and BMI (movegen.cpp).
#pragma once

#include <bit>
#include <cstdint>

#include "chess/types.h"

#define PM_INLINE [[gnu::always_inline]] inline constexpr

namespace pm::chess {

class Bitboard {
 public:
  constexpr Bitboard() = default;
  PM_INLINE explicit Bitboard(std::uint64_t bits) : bits_(bits) {}
  PM_INLINE explicit Bitboard(Square s) : bits_(std::uint64_t{1} << index(s)) {}

  PM_INLINE std::uint64_t bits() const { return bits_; }
  PM_INLINE bool empty() const { return bits_ == 0; }
  PM_INLINE explicit operator bool() const { return bits_ != 0; }
  PM_INLINE bool has(Square s) const { return ((bits_ >> index(s)) & 1) != 0; }
  PM_INLINE bool many() const { return (bits_ & (bits_ - 1)) != 0; }  // two squares or more
  PM_INLINE int count() const { return std::popcount(bits_); }
  // The lowest square; the set must not be empty.
  PM_INLINE Square first() const { return static_cast<Square>(std::countr_zero(bits_)); }

  PM_INLINE Bitboard operator~() const { return Bitboard(~bits_); }
  PM_INLINE Bitboard& operator|=(Bitboard b) { return bits_ |= b.bits_, *this; }
  PM_INLINE Bitboard& operator&=(Bitboard b) { return bits_ &= b.bits_, *this; }
  PM_INLINE Bitboard& operator^=(Bitboard b) { return bits_ ^= b.bits_, *this; }
  PM_INLINE Bitboard operator|(Bitboard b) const { return Bitboard(bits_ | b.bits_); }
  PM_INLINE Bitboard operator&(Bitboard b) const { return Bitboard(bits_ & b.bits_); }
  PM_INLINE Bitboard operator^(Bitboard b) const { return Bitboard(bits_ ^ b.bits_); }
  friend constexpr bool operator==(Bitboard, Bitboard) = default;

  class Iterator {
   public:
    PM_INLINE explicit Iterator(std::uint64_t bits) : bits_(bits) {}
    PM_INLINE Square operator*() const { return static_cast<Square>(std::countr_zero(bits_)); }
    PM_INLINE Iterator& operator++() { return bits_ &= bits_ - 1, *this; }
    PM_INLINE bool operator!=(const Iterator& other) const { return bits_ != other.bits_; }

   private:
    std::uint64_t bits_;
  };
  PM_INLINE Iterator begin() const { return Iterator(bits_); }
  PM_INLINE Iterator end() const { return Iterator(0); }

 private:
  std::uint64_t bits_ = 0;
};

inline constexpr Bitboard file_a{0x0101010101010101ULL};
inline constexpr Bitboard file_h{0x8080808080808080ULL};
inline constexpr Bitboard light_squares{0x55AA55AA55AA55AAULL};

constexpr Bitboard file_bits(int file) { return Bitboard(file_a.bits() << file); }
constexpr Bitboard rank_bits(int rank) { return Bitboard(std::uint64_t{0xFF} << (8 * rank)); }
inline constexpr Bitboard back_ranks = rank_bits(0) | rank_bits(7);

// Moves a whole set by file and rank steps in {-1, 0, 1} x {-2 .. 2}; squares that leave the board drop out.
template <int Files, int Ranks>
PM_INLINE Bitboard shift(Bitboard b) {
  std::uint64_t bits = b.bits();
  if constexpr (Files == 1) bits = (bits & ~file_h.bits()) << 1;
  if constexpr (Files == -1) bits = (bits & ~file_a.bits()) >> 1;
  if constexpr (Ranks > 0) bits <<= 8 * Ranks;
  if constexpr (Ranks < 0) bits >>= -8 * Ranks;
  return Bitboard(bits);
}

}  // namespace pm::chess
