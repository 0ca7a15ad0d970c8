#include "motif/motif.h"

#include <algorithm>

namespace pm::motif {
namespace {

constexpr std::array<std::string_view, motif_count> names{
    "fork",
    "pin",
    "skewer",
    "discoveredAttack",
    "discoveredCheck",
    "doubleCheck",
    "xRayAttack",
    "hangingPiece",
    "trappedPiece",
    "attraction",
    "deflection",
    "interference",
    "intermezzo",
    "clearance",
    "capturingDefender",
    "sacrifice",
    "quietMove",
    "defensiveMove",
    "exposedKing",
    "attackingF2F7",
    "kingsideAttack",
    "queensideAttack",
    "advancedPawn",
    "promotion",
    "underPromotion",
    "enPassant",
    "castling",
    "mate",
    "mateIn1",
    "mateIn2",
    "mateIn3",
    "mateIn4",
    "mateIn5",
    "smotheredMate",
    "backRankMate",
    "anastasiaMate",
    "hookMate",
    "arabianMate",
    "bodenMate",
    "doubleBishopMate",
    "dovetailMate",
    "killBoxMate",
    "vukovicMate",
    "pawnEndgame",
    "knightEndgame",
    "bishopEndgame",
    "rookEndgame",
    "queenEndgame",
    "queenRookEndgame",
};

}  // namespace

std::string_view name_of(Motif motif) { return names[static_cast<std::size_t>(motif)]; }

std::optional<Motif> parse_motif(std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Motif>(found - names.begin());
}

}  // namespace pm::motif
