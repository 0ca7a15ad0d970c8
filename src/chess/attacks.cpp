#include "chess/attacks.h"

#include <cpuid.h>

#include "chess/magics.h"
#include "chess/rays.h"

namespace pm::chess::detail {
namespace {

// Sizes of the tables: for each square two to the number of its blockers, summed over the board.
constexpr std::size_t rook_entries = 102'400;
constexpr std::size_t bishop_entries = 5'248;
std::array<Bitboard, rook_entries + bishop_entries> attack_table;

// Fills the attacks of one square from `table` on and returns where the next square's begin.
Bitboard* fill(Slider& slider, Bitboard* table, Square s, const std::array<Direction, 4>& directions,
               std::uint64_t magic, bool for_pext) {
  const Bitboard mask = blocker_mask(s, directions);
  slider.mask = mask.bits();
  slider.magic = magic;
  slider.table = table;
  slider.shift = static_cast<unsigned>(64 - mask.count());
  Bitboard blockers;
  std::size_t rank = 0;  // PEXT numbers the subsets in the order next_subset() visits them
  do {
    const std::size_t entry = for_pext ? rank++ : (blockers.bits() * magic) >> slider.shift;
    table[entry] = rays(s, directions, blockers);
    blockers = next_subset(blockers, mask);
  } while (blockers);
  return table + (std::size_t{1} << mask.count());
}

}  // namespace

// BMI2 is not enough: AMD's families 17h and 18h (Zen, Zen 2) run PEXT in microcode, many times slower than a
// multiplication.
bool has_fast_pext() {
  if (!__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("popcnt")) {
    return false;
  }
  if (__builtin_cpu_is("intel")) return true;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __get_cpuid(1, &eax, &ebx, &ecx, &edx);
  const unsigned family = ((eax >> 8) & 0xF) + ((eax >> 20) & 0xFF);
  return family >= 0x19;
}

bool pext_chosen = has_fast_pext();
Sliders sliders(pext_chosen);

void choose_pext(bool chosen) {
  pext_chosen = chosen;
  sliders = Sliders(chosen);
}

Sliders::Sliders(bool for_pext) : between{}, line{}, pseudo{} {
  Bitboard* table = attack_table.data();
  for (int i = 0; i < 64; ++i) {
    const auto s = static_cast<Square>(i);
    table = fill(rook[at(s)], table, s, rook_directions, rook_magics[at(s)], for_pext);
    table = fill(bishop[at(s)], table, s, bishop_directions, bishop_magics[at(s)], for_pext);
    const auto on_empty_board = [&](PieceKind k) -> Bitboard& { return pseudo[static_cast<std::size_t>(k)][at(s)]; };
    on_empty_board(PieceKind::knight) = knight_attacks(s);
    on_empty_board(PieceKind::bishop) = rays(s, bishop_directions, {});
    on_empty_board(PieceKind::rook) = rays(s, rook_directions, {});
    on_empty_board(PieceKind::queen) = rays(s, bishop_directions, {}) | rays(s, rook_directions, {});
    on_empty_board(PieceKind::king) = king_attacks(s);
    for (const auto& directions : {rook_directions, bishop_directions}) {
      for (const Direction& d : directions) {
        const Bitboard forth = ray(s, d, {});
        const Bitboard back = ray(s, {-d.files, -d.ranks}, {});
        for (const Square to : forth) {
          line[at(s)][at(to)] = forth | back | Bitboard(s);
          between[at(s)][at(to)] = ray(s, d, Bitboard(to)) & ~Bitboard(to);
        }
      }
    }
  }
}

}  // namespace pm::chess::detail
