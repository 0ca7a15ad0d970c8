#include "chess/attacks.h"
#include "motif/first_of.h"
#include "motif/placement.h"

namespace pm::motif {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

namespace {

// Men worth attacking with this piece: dearer than it, or loose and not attacking it. Pawns do not count.
Bitboard fork_targets(const Position& position, Square forker) {
  const Colour solver = chess::colour_of(position.piece_on(forker));
  const int value = value_of(kind_on(position, forker));
  Bitboard targets;
  for (const Square s : attacks_from(position, forker) & position.pieces(!solver) & ~position.pieces(PieceKind::pawn)) {
    const bool dearer = value_of(kind_on(position, s)) > value;
    if (dearer || (is_loose(position, s) && !attacks_from(position, s).has(forker))) targets |= Bitboard(s);
  }
  return targets;
}

// The pinned man may not leave the line, though off it there is something to take.
bool pin_keeps_from_taking(const Position& position, Square pinned, Bitboard line, Colour solver) {
  const int value = value_of(kind_on(position, pinned));
  for (const Square s : attacks_from(position, pinned) & position.pieces(solver) & ~line) {
    if (value_of(kind_on(position, s)) > value || is_loose(position, s)) return true;
  }
  return false;
}

// Squares a man could go to if only its movement counted.
Bitboard movement_of(const Position& position, Square s) {
  const Colour owner = chess::colour_of(position.piece_on(s));
  if (kind_on(position, s) != PieceKind::pawn) return attacks_from(position, s) & ~position.pieces(owner);
  Bitboard squares = chess::pawn_attacks(owner, s) & position.pieces(!owner);
  if (const auto passed = position.en_passant()) squares |= chess::pawn_attacks(owner, s) & Bitboard(*passed);
  const Square ahead = chess::offset(s, chess::forward(owner));
  if (position.occupied().has(ahead)) return squares;
  squares |= Bitboard(ahead);
  const Square two_ahead = chess::relative_rank(owner, s) == 1 ? chess::offset(ahead, chess::forward(owner)) : ahead;
  if (!position.occupied().has(two_ahead)) squares |= Bitboard(two_ahead);
  return squares;
}

// The pinned man is attacked along the line, by something cheaper; or it is loose and would like to leave.
bool pin_keeps_from_escaping(const Position& position, Square pinned, Bitboard line, Colour solver) {
  const int value = value_of(kind_on(position, pinned));
  for (const Square attacker : attackers_of(position, pinned, solver) & line) {
    if (value > value_of(kind_on(position, attacker))) return true;
    const bool takes_back = attacks_from(position, pinned).has(attacker);
    if (is_loose(position, pinned) && !takes_back && (movement_of(position, pinned) & ~line)) return true;
  }
  return false;
}

}  // namespace

Found find_fork(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) {
    const Step& move = line[i];
    if (i == line.last_of_solver() || move.piece == PieceKind::king) return no;
    if (is_badly_placed(move.after, move.to)) return no;
    const Bitboard targets = fork_targets(move.after, move.to);
    return targets.many() ? Targets(targets) : no;
  });
}

Found find_pin(const Line& line) {
  const Colour opponent = line.opponent();
  return first_of(line, first_move, [&](std::size_t i) {
    const Position& position = line[i].after;
    for (const Square pinned : position.pinned(opponent)) {
      const Bitboard along = chess::line_through(position.king(opponent), pinned);
      if (pin_keeps_from_taking(position, pinned, along, line.solver()) ||
          pin_keeps_from_escaping(position, pinned, along, line.solver())) {
        return against(pinned);
      }
    }
    return no;
  });
}

Found find_skewer(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& capture = line[i];
    const Step& left = line[i - 1];  // the man in front
    const bool by_line_piece = capture.before.occupied().has(capture.to) && is_line_piece(capture.piece);
    if (!by_line_piece || (i + 1 == line.size() && line.ends_in_mate())) return no;
    if (left.to == capture.to || !chess::between(capture.from, capture.to).has(left.from)) return no;
    if (value_of(left.piece) <= value_of(*capture.captured)) return no;
    return is_badly_placed(capture.before, capture.to) ? against(capture.to) : no;
  });
}

Found find_discovered_check(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) {
    const Bitboard checkers = line[i].after.checkers();
    return yes_if((checkers & ~Bitboard(line[i].to)).operator bool());
  });
}

Found find_discovered_attack(const Line& line) {
  const Found check = first_of(line, first_move, [&](std::size_t i) {
    const Bitboard checkers = line[i].after.checkers();
    return checkers && !checkers.has(line[i].to) ? against(line[i].after.king(line.opponent())) : no;
  });
  if (check) return check;
  for (std::size_t i = second_move; i < line.size(); i += 2) {
    const Step& capture = line[i];
    const Step& opener = line[i - 2];
    if (!capture.is_capture()) continue;
    if (line[i - 1].to == capture.to) return std::nullopt;
    const bool opened = chess::between(capture.from, capture.to).has(opener.from);
    const bool elsewhere = opener.to != capture.to && opener.to != capture.from;
    if (opened && elsewhere && opener.move.kind() != chess::MoveKind::castling)
      return Seen{i - 2, Bitboard(capture.to)};
  }
  return std::nullopt;
}

Found find_double_check(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) { return yes_if(line[i].after.checkers().many()); });
}

Found find_x_ray_attack(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& recapture = line[i];
    const Step& capture = line[i - 1];
    if (!recapture.is_capture() || capture.to != recapture.to || capture.piece == PieceKind::king) return no;
    if (line[i - 2].to != capture.to) return no;
    return yes_if(chess::between(recapture.from, recapture.to).has(capture.from));
  });
}

Found find_hanging_piece(const Line& line) {
  if (line.empty() || !line.start().occupied().has(line[0].to)) return std::nullopt;
  const Step& capture = line[0];
  if (!capture.captured || *capture.captured == PieceKind::pawn || is_guarded(line.start(), capture.to)) {
    return std::nullopt;
  }
  const Step* const error = line.error();
  if (error != nullptr && error->to == capture.to && error->captured &&
      value_of(*error->captured) >= value_of(*capture.captured)) {
    return std::nullopt;
  }
  const bool keeps =
      line.size() < 3 || material(line[2].after, line.solver()) >= material(capture.after, line.solver());
  if (!keeps) return std::nullopt;
  return Seen{0, Bitboard(capture.to)};
}

Found find_trapped_piece(const Line& line) {
  return first_of(line, second_move, [&](std::size_t i) {
    const Step& capture = line[i];
    if (!capture.captured || *capture.captured == PieceKind::pawn) return no;
    const Step& reply = line[i - 1];
    const Square stood = reply.to == capture.to ? reply.from : capture.to;
    return is_boxed_in(reply.before, stood) ? against(capture.to) : no;
  });
}

}  // namespace pm::motif
