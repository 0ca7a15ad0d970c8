#include "motif/line.h"

#include "chess/movegen.h"

namespace pm::motif {
namespace {

std::optional<chess::PieceKind> captured_kind(const chess::Position& position, chess::Move move) {
  const chess::Piece piece = position.captured_by(move);
  if (piece == chess::Piece::none) return std::nullopt;
  return chess::kind_of(piece);
}

chess::Square landing_square(chess::Move move) {
  return move.kind() == chess::MoveKind::castling ? chess::castled_king(move.from(), move.to()) : move.to();
}

}  // namespace

Step::Step(const chess::Position& position, chess::Move legal)
    : move(legal),
      from(legal.from()),
      to(landing_square(legal)),
      piece(legal.kind() == chess::MoveKind::promotion ? legal.promoted()
                                                       : chess::kind_of(position.piece_on(legal.from()))),
      captured(captured_kind(position, legal)),
      before(position),
      after(position.after(legal)) {}

Line::Line(const chess::Position& start, std::span<const chess::Move> moves, const std::optional<Step>& error)
    : start_(start), error_(error) {
  steps_.reserve(moves.size());
  for (const chess::Move move : moves) steps_.emplace_back(end(), move);
}

Line Line::first(std::size_t moves) const {
  Line part = *this;
  if (moves < part.steps_.size())
    part.steps_.erase(part.steps_.begin() + static_cast<std::ptrdiff_t>(moves), part.steps_.end());
  return part;
}

bool Line::ends_in_mate() const { return end().in_check() && chess::count_legal_moves(end()) == 0; }

}  // namespace pm::motif
