#include <array>

#include "motif/find.h"

namespace pm::motif {

using chess::Bitboard;
using chess::PieceKind;
using chess::Position;

namespace {

bool has_only(const Position& position, Bitboard pieces) {
  const Bitboard always = position.pieces(PieceKind::king) | position.pieces(PieceKind::pawn);
  return (position.occupied() & ~(always | pieces)).empty();
}

std::optional<Motif> ending_by_material(const Position& position) {
  struct Kind {
    PieceKind piece;
    Motif motif;
  };
  constexpr std::array<Kind, 5> kinds{{{PieceKind::pawn, Motif::pawn_endgame},
                                       {PieceKind::knight, Motif::knight_endgame},
                                       {PieceKind::bishop, Motif::bishop_endgame},
                                       {PieceKind::rook, Motif::rook_endgame},
                                       {PieceKind::queen, Motif::queen_endgame}}};
  for (const Kind& each : kinds) {
    const Bitboard pieces = position.pieces(each.piece);
    if (pieces && has_only(position, pieces)) return each.motif;
  }
  const Bitboard queens = position.pieces(PieceKind::queen);
  const Bitboard rooks = position.pieces(PieceKind::rook);
  if (queens.count() == 1 && rooks && has_only(position, queens | rooks)) return Motif::queen_rook_endgame;
  return std::nullopt;
}

}  // namespace

// The same before and after the first move.
std::optional<Motif> ending_of(const Line& line) {
  const auto ending = ending_by_material(line.start());
  if (line.empty() || ending_by_material(line[0].after) != ending) return std::nullopt;
  return ending;
}

}  // namespace pm::motif
