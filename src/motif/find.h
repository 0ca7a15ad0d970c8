// The motifs of a line.
//
//   for (const Finding& each : find_motifs(line)) name_of(each.motif) ...
//
// One function per motif, readable as its definition; each looks for the first of the solver's moves that shows it.
// They say what the line contains, not that it wins: claims about that are checked elsewhere (explain/).
#pragma once

#include <optional>
#include <vector>

#include "chess/bitboard.h"
#include "motif/line.h"
#include "motif/motif.h"

namespace pm::motif {

// Where a motif was seen: at this move of the line, against these men of the opponent (where they stand after the move;
// what it captured, where that stood). No targets when there are none to name.
struct Seen {
  std::size_t step = 0;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  chess::Bitboard targets = {};
};
using Found = std::optional<Seen>;

// tactics.cpp: what one move does.
Found find_fork(const Line& line);
Found find_pin(const Line& line);
Found find_skewer(const Line& line);
Found find_discovered_attack(const Line& line);
Found find_discovered_check(const Line& line);
Found find_double_check(const Line& line);
Found find_x_ray_attack(const Line& line);
Found find_hanging_piece(const Line& line);
Found find_trapped_piece(const Line& line);

// combinations.cpp: what several moves do together.
Found find_attraction(const Line& line);
Found find_deflection(const Line& line);
Found find_interference(const Line& line);
Found find_intermezzo(const Line& line);
Found find_clearance(const Line& line);
Found find_capturing_defender(const Line& line);
Found find_sacrifice(const Line& line);

// characters.cpp: what kind of moves they are.
Found find_quiet_move(const Line& line);
Found find_defensive_move(const Line& line);
Found find_exposed_king(const Line& line);
Found find_attacking_f2_f7(const Line& line);
Found find_kingside_attack(const Line& line);
Found find_queenside_attack(const Line& line);
Found find_advanced_pawn(const Line& line);
Found find_promotion(const Line& line);
Found find_under_promotion(const Line& line);
Found find_en_passant(const Line& line);
Found find_castling(const Line& line);

// mates.cpp: by the final position, which is mate. Those that exclude each other are one function.
std::optional<Motif> mate_pattern(const Line& line);
bool is_kill_box_mate(const Line& line);
bool is_vukovic_mate(const Line& line);

// endings.cpp: by the material.
std::optional<Motif> ending_of(const Line& line);

struct Finding {
  Motif motif;
  Seen seen;
};
// All of them, in the order of the enumeration.
std::vector<Finding> find_motifs(const Line& line);

}  // namespace pm::motif
