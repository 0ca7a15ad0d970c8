// Finds the multipliers of src/chess/magics.h: for each square a number that maps every set of blockers to an index
// of as many bits as there are blockers, so that equal indices mean equal attacks. Prints the file's two tables.
//
//   cmake --build build/release --target find_magics && build/release/tools/find_magics
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "chess/rays.h"

using namespace pm::chess;

namespace {

bool maps_without_collision(std::uint64_t magic, const std::vector<Bitboard>& blockers,
                            const std::vector<Bitboard>& attacks, std::vector<Bitboard>& table, int bits) {
  std::fill(table.begin(), table.end(), Bitboard());
  for (std::size_t i = 0; i < blockers.size(); ++i) {
    Bitboard& entry = table[(blockers[i].bits() * magic) >> (64 - bits)];
    if (entry && entry != attacks[i]) return false;
    entry = attacks[i];
  }
  return true;
}

std::uint64_t find(Square s, const std::array<Direction, 4>& directions, std::mt19937_64& random) {
  const Bitboard mask = blocker_mask(s, directions);
  std::vector<Bitboard> blockers;
  std::vector<Bitboard> attacks;
  Bitboard subset;
  do {
    blockers.push_back(subset);
    attacks.push_back(rays(s, directions, subset));
    subset = next_subset(subset, mask);
  } while (subset);

  std::vector<Bitboard> table(blockers.size());
  for (;;) {
    std::uint64_t magic = random();
    for (int thin = 0; thin < 2; ++thin) magic &= random();  // few bits set: carries stay rare
    if (maps_without_collision(magic, blockers, attacks, table, mask.count())) return magic;
  }
}

void print(const char* name, const std::array<Direction, 4>& directions) {
  std::mt19937_64 random(20261115);
  std::printf("inline constexpr std::array<std::uint64_t, 64> %s{\n", name);
  for (int i = 0; i < 64; ++i) {
    std::printf("%s0x%016llXULL,%s", i % 4 == 0 ? "    " : " ",
                static_cast<unsigned long long>(find(static_cast<Square>(i), directions, random)),
                i % 4 == 3 ? "\n" : "");
  }
  std::printf("};\n");
}

}  // namespace

int main() {
  print("rook_magics", rook_directions);
  print("bishop_magics", bishop_directions);
}
