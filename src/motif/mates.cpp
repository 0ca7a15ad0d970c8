#include <algorithm>
#include <cmath>

#include "motif/find.h"
#include "motif/placement.h"

namespace pm::motif {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

namespace {

// The mate and who takes part in it.
struct Mate {
  explicit Mate(const Line& line)
      : last(line[line.size() - 1]),
        position(line.end()),
        winner(line.solver()),
        loser(line.opponent()),
        king(position.king(loser)) {}

  Bitboard attackers(Square s) const { return attackers_of(position, s, winner); }
  bool is(Square s, Colour owner, PieceKind kind) const { return position.pieces(owner, kind).has(s); }
  bool beside_king(Square s) const { return king_distance(s, king) == 1; }
  bool king_on_edge_file() const { return chess::file_of(king) == 0 || chess::file_of(king) == 7; }
  bool king_on_edge_rank() const { return chess::rank_of(king) == 0 || chess::rank_of(king) == 7; }
  bool by(PieceKind kind) const { return last.piece == kind; }

  const Step& last;
  const Position& position;
  Colour winner;
  Colour loser;
  Square king;
};

bool is_smothered(const Mate& mate) {
  const bool knight_checks = (mate.position.checkers() & mate.position.pieces(PieceKind::knight)).operator bool();
  return knight_checks && (chess::king_attacks(mate.king) & ~mate.position.pieces(mate.loser)).empty();
}

bool is_back_rank(const Mate& mate) {
  if (chess::relative_rank(mate.loser, mate.king) != 0) return false;
  const Bitboard ahead(chess::offset(mate.king, chess::forward(mate.loser)));
  for (const Square s : ahead | chess::shift<1, 0>(ahead) | chess::shift<-1, 0>(ahead)) {
    if (!mate.position.pieces(mate.loser).has(s) || mate.attackers(s)) return false;
  }
  return (mate.position.checkers() & chess::rank_bits(chess::rank_of(mate.king))).operator bool();
}

bool is_anastasia(const Mate& mate) {
  const bool by_heavy_piece = mate.by(PieceKind::queen) || mate.by(PieceKind::rook);
  if (!mate.king_on_edge_file() || mate.king_on_edge_rank() || !by_heavy_piece) return false;
  if (chess::file_of(mate.last.to) != chess::file_of(mate.king)) return false;
  const int inward = chess::file_of(mate.king) == 0 ? 1 : -1;
  return mate.position.pieces(mate.loser).has(chess::offset(mate.king, inward)) &&
         mate.is(chess::offset(mate.king, 3 * inward), mate.winner, PieceKind::knight);
}

bool is_hook(const Mate& mate) {
  if (!mate.by(PieceKind::rook) || !mate.beside_king(mate.last.to)) return false;
  const Bitboard knights =
      mate.attackers(mate.last.to) & mate.position.pieces(PieceKind::knight) & chess::king_attacks(mate.king);
  return any_of(knights, [&](Square knight) {
    return (mate.attackers(knight) & mate.position.pieces(PieceKind::pawn)).operator bool();
  });
}

bool is_arabian(const Mate& mate) {
  if (!mate.king_on_edge_file() || !mate.king_on_edge_rank()) return false;
  if (!mate.by(PieceKind::rook) || !mate.beside_king(mate.last.to)) return false;
  const Bitboard knights = mate.attackers(mate.last.to) & mate.position.pieces(PieceKind::knight);
  return any_of(knights, [&](Square knight) {
    return std::abs(chess::file_of(knight) - chess::file_of(mate.king)) == 2 &&
           std::abs(chess::rank_of(knight) - chess::rank_of(mate.king)) == 2;
  });
}

// Boden's mate when the bishops cross, a double bishop mate when they come from one side.
std::optional<Motif> bishops_mate(const Mate& mate) {
  const Bitboard bishops = mate.position.pieces(mate.winner, PieceKind::bishop);
  if (!bishops.many()) return std::nullopt;
  for (const Square s : chess::king_attacks(mate.king) | Bitboard(mate.king)) {
    if (mate.attackers(s) & ~bishops) return std::nullopt;
  }
  const Square first = bishops.first();
  const Square second = (bishops & ~Bitboard(first)).first();
  const int file = chess::file_of(mate.king);
  const bool cross = (chess::file_of(first) < file) == (chess::file_of(second) > file);
  return cross ? Motif::boden_mate : Motif::double_bishop_mate;
}

bool is_dovetail(const Mate& mate) {
  if (mate.king_on_edge_file() || mate.king_on_edge_rank() || !mate.by(PieceKind::queen)) return false;
  const Square queen = mate.last.to;
  const bool diagonal =
      chess::file_of(queen) != chess::file_of(mate.king) && chess::rank_of(queen) != chess::rank_of(mate.king);
  if (!mate.beside_king(queen) || !diagonal) return false;
  for (const Square s : chess::king_attacks(mate.king) & ~Bitboard(queen)) {
    const Bitboard attackers = mate.attackers(s);
    if (attackers == Bitboard(queen) ? mate.position.occupied().has(s) : attackers.operator bool()) return false;
  }
  return true;
}

}  // namespace

std::optional<Motif> mate_pattern(const Line& line) {
  const Mate mate(line);
  if (is_smothered(mate)) return Motif::smothered_mate;
  if (is_back_rank(mate)) return Motif::back_rank_mate;
  if (is_anastasia(mate)) return Motif::anastasia_mate;
  if (is_hook(mate)) return Motif::hook_mate;
  if (is_arabian(mate)) return Motif::arabian_mate;
  if (const auto bishops = bishops_mate(mate)) return bishops;
  if (is_dovetail(mate)) return Motif::dovetail_mate;
  return std::nullopt;
}

// Rook and queen on two opposite corners of a box of three by three squares, the queen guarding the rook (or looking at
// it through the king), and the king in the box.
bool is_kill_box_mate(const Line& line) {
  const Mate mate(line);
  const auto in_box = [](int a, int b, int value) { return std::min(a, b) <= value && value <= std::max(a, b); };
  for (const Square rook : mate.position.pieces(mate.winner, PieceKind::rook)) {
    const Bitboard reach = chess::bishop_attacks(rook, mate.position.occupied() & ~Bitboard(mate.king));
    for (const Square queen : reach& mate.position.pieces(mate.winner, PieceKind::queen)) {
      if (king_distance(queen, rook) == 2 &&
          in_box(chess::file_of(rook), chess::file_of(queen), chess::file_of(mate.king)) &&
          in_box(chess::rank_of(rook), chess::rank_of(queen), chess::rank_of(mate.king))) {
        return true;
      }
    }
  }
  return false;
}

// King, rook and knight side by side on one line: the rook mates, guarded by a third piece, and the knight takes the
// squares the rook does not.
bool is_vukovic_mate(const Line& line) {
  const Mate mate(line);
  if (!mate.by(PieceKind::rook) || !mate.beside_king(mate.last.to)) return false;
  return any_of(mate.position.pieces(mate.winner, PieceKind::knight),
                [&](Square knight) { return chess::between(mate.king, knight) == Bitboard(mate.last.to); });
}

}  // namespace pm::motif
