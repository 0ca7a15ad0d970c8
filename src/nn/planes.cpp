#include "nn/planes.h"

#include <algorithm>

namespace pm::nn {
namespace {

using chess::Bitboard;
using chess::CastlingSide;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

// Ranks reversed for Black: the bytes of a bitboard are its ranks.
std::uint64_t seen_by(Colour side, Bitboard squares) {
  return side == Colour::white ? squares.bits() : __builtin_bswap64(squares.bits());
}

// The pawns of the side that has just moved, before a two-square step past `passed`.
Bitboard with_step_undone(Bitboard pawns, Square passed, Colour stepped) {
  const int ahead = chess::forward(stepped);
  return (pawns & ~Bitboard(chess::offset(passed, ahead))) | Bitboard(chess::offset(passed, -ahead));
}

void encode_board(const Position& board, bool repeated, bool undo_step, Colour me, Plane* planes) {
  for (const Colour side : {me, !me}) {
    for (int kind = 0; kind < chess::piece_kinds; ++kind) {
      Bitboard pieces = board.pieces(side, static_cast<PieceKind>(kind));
      const bool stepped = undo_step && board.en_passant() && side != board.side_to_move();
      if (stepped && kind == 0) pieces = with_step_undone(pieces, *board.en_passant(), side);
      (planes++)->mask = seen_by(me, pieces);
    }
  }
  if (repeated) planes->mask = everywhere;
}

Bitboard attacked_by(const Position& board, Colour side, PieceKind kind) {
  Bitboard attacked;
  for (const Square from : board.pieces(side, kind)) {
    attacked |= chess::attacks_of(kind, side, from, board.occupied());
  }
  return attacked;
}

void encode_attacks(const Position& board, Plane* planes) {
  const Colour me = board.side_to_move();
  for (const Colour side : {me, !me}) {
    for (int kind = 0; kind < chess::piece_kinds; ++kind) {
      (planes++)->mask = seen_by(me, attacked_by(board, side, static_cast<PieceKind>(kind)));
    }
  }
  for (const Colour side : {me, !me}) {
    const Square king = board.king(!side);
    for (const Bitboard checks : {chess::knight_attacks(king), chess::bishop_attacks(king, board.occupied()),
                                  chess::rook_attacks(king, board.occupied())}) {
      (planes++)->mask = seen_by(me, checks);
    }
  }
  for (const Colour side : {me, !me}) (planes++)->mask = seen_by(me, board.pinned(side));
}

}  // namespace

Planes encode_planes(const chess::PositionHistory& history) {
  Planes planes;
  const Position& newest = history.newest();
  const Colour me = newest.side_to_move();
  const std::size_t oldest = history.size() - 1;
  const bool from_the_start = history.board(oldest).repetition_key() == Position::start().repetition_key();
  for (std::size_t i = 0; i < chess::PositionHistory::boards; ++i) {
    if (i > oldest && from_the_start) break;
    const std::size_t known = std::min(i, oldest);
    encode_board(history.board(known), history.repeated(known), i > oldest, me, &planes[i * planes_per_board]);
  }
  Plane* plane = &planes[chess::PositionHistory::boards * planes_per_board];
  for (const Colour side : {me, !me}) {
    for (const CastlingSide to : {CastlingSide::queen, CastlingSide::king}) {
      if (newest.castling_rook(side, to)) plane->mask = everywhere;
      ++plane;
    }
  }
  if (me == Colour::black) plane[0].mask = everywhere;
  plane[1] = {everywhere, static_cast<float>(newest.halfmove_clock())};
  plane[3].mask = everywhere;
  return planes;
}

Planes encode_planes(const chess::PositionHistory& history, int rating, int opponent_rating) {
  Planes planes = encode_planes(history);
  planes[leela_planes - 2] = {everywhere, static_cast<float>(rating) / 1000};
  planes[leela_planes - 1] = {everywhere, static_cast<float>(opponent_rating) / 1000};
  encode_attacks(history.newest(), &planes[leela_planes]);
  return planes;
}

}  // namespace pm::nn
