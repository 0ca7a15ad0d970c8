#include "motif/find.h"

#include <algorithm>
#include <array>

namespace pm::motif {
namespace {

struct Detector {
  Motif motif;
  Found (*find)(const Line& line);
};

constexpr std::array detectors{
    Detector{Motif::fork, find_fork},
    Detector{Motif::pin, find_pin},
    Detector{Motif::skewer, find_skewer},
    Detector{Motif::discovered_attack, find_discovered_attack},
    Detector{Motif::discovered_check, find_discovered_check},
    Detector{Motif::double_check, find_double_check},
    Detector{Motif::x_ray_attack, find_x_ray_attack},
    Detector{Motif::hanging_piece, find_hanging_piece},
    Detector{Motif::trapped_piece, find_trapped_piece},
    Detector{Motif::attraction, find_attraction},
    Detector{Motif::deflection, find_deflection},
    Detector{Motif::interference, find_interference},
    Detector{Motif::intermezzo, find_intermezzo},
    Detector{Motif::clearance, find_clearance},
    Detector{Motif::capturing_defender, find_capturing_defender},
    Detector{Motif::sacrifice, find_sacrifice},
    Detector{Motif::quiet_move, find_quiet_move},
    Detector{Motif::defensive_move, find_defensive_move},
    Detector{Motif::exposed_king, find_exposed_king},
    Detector{Motif::attacking_f2_f7, find_attacking_f2_f7},
    Detector{Motif::kingside_attack, find_kingside_attack},
    Detector{Motif::queenside_attack, find_queenside_attack},
    Detector{Motif::advanced_pawn, find_advanced_pawn},
    Detector{Motif::promotion, find_promotion},
    Detector{Motif::under_promotion, find_under_promotion},
    Detector{Motif::en_passant, find_en_passant},
    Detector{Motif::castling, find_castling},
};

void add_mates(const Line& line, std::vector<Finding>& findings) {
  const std::size_t last = line.last_of_solver();
  if (line.empty() || last + 1 != line.size() || !line.ends_in_mate()) return;
  const auto add = [&](Motif motif) {
    findings.push_back({motif, {last, chess::Bitboard(line.end().king(line.opponent()))}});
  };
  add(Motif::mate);
  constexpr std::size_t most = 5;
  const std::size_t moves = std::min(most, last / 2 + 1);
  add(static_cast<Motif>(static_cast<std::size_t>(Motif::mate_in_1) + moves - 1));
  if (const auto pattern = mate_pattern(line)) add(*pattern);
  if (is_kill_box_mate(line)) add(Motif::kill_box_mate);
  if (is_vukovic_mate(line)) add(Motif::vukovic_mate);
}

bool has(const std::vector<Finding>& findings, Motif motif) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) { return each.motif == motif; });
}

}  // namespace

std::vector<Finding> find_motifs(const Line& line) {
  std::vector<Finding> findings;
  if (line.empty()) return findings;
  for (const Detector& each : detectors) {
    if (const Found found = each.find(line)) findings.push_back({each.motif, *found});
  }
  add_mates(line, findings);
  if (const auto ending = ending_of(line)) findings.push_back({*ending, {}});
  if (has(findings, Motif::fork) || has(findings, Motif::back_rank_mate)) {
    std::erase_if(findings, [](const Finding& each) {
      return each.motif == Motif::kingside_attack || each.motif == Motif::queenside_attack;
    });
  }
  return findings;
}

}  // namespace pm::motif
