#include <algorithm>

#include "chess/movegen.h"
#include "motif/first_of.h"
#include "motif/placement.h"

namespace pm::motif {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

namespace {

constexpr int sixth_rank = 5;  // counted from 0
constexpr int seventh_rank = 6;

bool is_pawn_move(const Step& step) { return step.piece == PieceKind::pawn || step.is_promotion(); }

bool is_pawn_move_to(const Step& step, int least_rank) {
  return is_pawn_move(step) && chess::relative_rank(step.before.side_to_move(), step.to) >= least_rank;
}

// Neither check nor capture nor pawn far ahead, and nothing is attacked by the man that moved.
bool is_modest(const Step& step) {
  const Bitboard attacked = attacks_from(step.after, step.to) & step.after.pieces(step.after.side_to_move());
  return !step.gives_check() && !step.is_capture() && attacked.empty() && !is_pawn_move_to(step, sixth_rank);
}

bool some_move_checks(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) { return yes_if(line[i].gives_check()); }).has_value();
}

// How much of the attack goes to one corner.
Found find_attack_on(const Line& line, int corner_file, bool (*is_king_file)(int), int least_men) {
  constexpr int near = 3;
  constexpr int far = 5;
  constexpr int enough = 2;
  const Square king = line.start().king(line.opponent());
  if (chess::relative_rank(line.opponent(), king) != 0 || !is_king_file(chess::file_of(king))) return std::nullopt;
  if (line.start().occupied().count() < least_men || !some_move_checks(line)) return std::nullopt;
  const Square corner = chess::make_square(corner_file, chess::rank_of(king));
  int sum = 0;
  for (std::size_t i = first_move; i < line.size(); i += 2) {
    const int distance = king_distance(corner, line[i].to);
    if (line[i].gives_check()) ++sum;
    if (line[i].is_capture() && distance <= near) {
      ++sum;
    } else if (distance >= far) {
      --sum;
    }
  }
  if (sum < enough) return std::nullopt;
  return Seen{0, Bitboard(king)};
}

}  // namespace

Found find_quiet_move(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) {
    const Step& move = line[i];
    return yes_if(i != line.last_of_solver() && !move.before.in_check() && is_modest(move) &&
                  move.piece != PieceKind::king);
  });
}

Found find_defensive_move(const Line& line) {
  constexpr int choice = 3;  // legal moves: fewer leave none
  if (line.empty()) return std::nullopt;
  for (std::size_t i = first_move; i < line.size(); i += 2) {
    const Step& move = line[i];
    if (move.gives_check() || move.is_capture() || chess::count_legal_moves(move.before) < choice) break;
    if (move.before.in_check()) return Seen{i, {}};
  }
  const Step& last = line[line.last_of_solver()];
  if (chess::count_legal_moves(last.before) < choice || !is_modest(last)) return std::nullopt;
  return Seen{line.last_of_solver(), {}};
}

Found find_exposed_king(const Line& line) {
  constexpr int shelter = 2;  // the last three ranks, counted from 0
  const Colour owner = line.opponent();
  const Square king = line.start().king(owner);
  if (chess::relative_rank(owner, king) > shelter) return std::nullopt;
  const Bitboard ahead(chess::offset(king, chess::forward(owner)));
  const Bitboard middle = ahead | Bitboard(king);
  const Bitboard around = (middle | chess::shift<1, 0>(middle) | chess::shift<-1, 0>(middle)) & ~Bitboard(king);
  if (around & line.start().pieces(owner, PieceKind::pawn)) return std::nullopt;
  for (std::size_t i = second_move; i < line.size() && i != line.last_of_solver(); i += 2) {
    if (line[i].gives_check()) return Seen{i, Bitboard(line[i].after.king(owner))};
  }
  return std::nullopt;
}

Found find_attacking_f2_f7(const Line& line) {
  for (std::size_t i = first_move; i < line.size(); i += 2) {
    const Square goal = line[i].to;
    if ((goal != Square::f2 && goal != Square::f7) || !line[i].is_capture()) continue;
    const Square home = goal == Square::f2 ? Square::e1 : Square::e8;
    if (line[i].after.king(line.opponent()) != home) return std::nullopt;
    return Seen{i, Bitboard(goal)};
  }
  return std::nullopt;
}

Found find_kingside_attack(const Line& line) {
  return find_attack_on(line, 7, [](int file) { return file >= 6; }, 20);
}

Found find_queenside_attack(const Line& line) {
  return find_attack_on(line, 0, [](int file) { return file <= 2; }, 18);
}

Found find_advanced_pawn(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) { return yes_if(is_pawn_move_to(line[i], seventh_rank)); });
}

Found find_promotion(const Line& line) {
  return first_of(line, first_move, [&](std::size_t i) { return yes_if(line[i].is_promotion()); });
}

Found find_under_promotion(const Line& line) {
  for (std::size_t i = first_move; i < line.size(); i += 2) {
    const Step& move = line[i];
    const bool mates = i + 1 == line.size() && line.ends_in_mate();
    const bool under =
        move.is_promotion() && (mates ? move.piece == PieceKind::knight : move.piece != PieceKind::queen);
    if (under) return Seen{i, {}};
  }
  return std::nullopt;
}

Found find_en_passant(const Line& line) {
  return first_of(line, first_move,
                  [&](std::size_t i) { return yes_if(line[i].move.kind() == chess::MoveKind::en_passant); });
}

Found find_castling(const Line& line) {
  return first_of(line, first_move,
                  [&](std::size_t i) { return yes_if(line[i].move.kind() == chess::MoveKind::castling); });
}

}  // namespace pm::motif
