// The motifs of chess tactics by name. Where Lichess's puzzle themes have a name for one, it is that
// (docs/explanations.md says what each means).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pm::motif {

enum class Motif : std::uint8_t {
  fork,
  pin,
  skewer,
  discovered_attack,
  discovered_check,
  double_check,
  x_ray_attack,
  hanging_piece,
  trapped_piece,
  attraction,
  deflection,
  interference,
  intermezzo,
  clearance,
  capturing_defender,
  sacrifice,
  quiet_move,
  defensive_move,
  exposed_king,
  attacking_f2_f7,
  kingside_attack,
  queenside_attack,
  advanced_pawn,
  promotion,
  under_promotion,
  en_passant,
  castling,
  mate,
  mate_in_1,
  mate_in_2,
  mate_in_3,
  mate_in_4,
  mate_in_5,
  smothered_mate,
  back_rank_mate,
  anastasia_mate,
  hook_mate,
  arabian_mate,
  boden_mate,
  double_bishop_mate,
  dovetail_mate,
  kill_box_mate,
  vukovic_mate,
  pawn_endgame,
  knight_endgame,
  bishop_endgame,
  rook_endgame,
  queen_endgame,
  queen_rook_endgame,
};
inline constexpr std::size_t motif_count = static_cast<std::size_t>(Motif::queen_rook_endgame) + 1;

// "discoveredAttack".
std::string_view name_of(Motif motif);
std::optional<Motif> parse_motif(std::string_view name);

}  // namespace pm::motif
