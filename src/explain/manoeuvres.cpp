#include "explain/manoeuvres.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "explain/positional.h"
#include "explain/tactic.h"
#include "motif/exchange.h"
#include "motif/find.h"
#include "motif/placement.h"

namespace pm::explain {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;
using motif::Line;
using motif::Step;

namespace {

bool is_minor(PieceKind kind) { return kind == PieceKind::knight || kind == PieceKind::bishop; }

// Nothing is lost by going there.
bool is_safe(const Step& step) { return motif::exchange_gain(step.before, step.move) >= 0; }

// What the first move put there is taken at once.
bool is_taken_back(const Line& line) { return line.size() >= 2 && line[1].is_capture() && line[1].to == line[0].to; }

// Pieces that attack a square around the king of the other side.
int attackers_of_king(const Position& position, Colour side) {
  const Bitboard around = chess::king_attacks(position.king(!side));
  const Bitboard pawns_and_king = position.pieces(PieceKind::pawn) | position.pieces(PieceKind::king);
  int attackers = 0;
  for (const Square s : position.pieces(side) & ~pawns_and_king) {
    if (motif::attacks_from(position, s) & around) ++attackers;
  }
  return attackers;
}

// Steps of a king to the nearest of the four squares in the middle.
int from_middle(Square s) {
  int least = 8;
  for (const Square each : {Square::d4, Square::d5, Square::e4, Square::e5}) {
    least = std::min(least, motif::king_distance(s, each));
  }
  return least;
}

bool has_queens(const Position& position) {
  return position.pieces(Colour::white, PieceKind::queen) && position.pieces(Colour::black, PieceKind::queen);
}

}  // namespace

std::optional<Idea> capture(const Line& line) {
  const Step& first = line[0];
  if (!first.captured || *first.captured == PieceKind::pawn || is_taken_back(line) || !is_safe(first))
    return std::nullopt;
  constexpr std::size_t seen = 8;
  const Position& later = line[std::min(seen, line.size()) - 1].after;
  const bool keeps_some = motif::material(later, line.solver()) > motif::material(line.start(), line.solver());
  if (!keeps_some) return std::nullopt;
  Idea idea = idea_of(line, "capture", 1);
  idea.claim.targets = {{*first.captured, first.to}};
  idea.doing = fmt::format("{}, taking {}", idea.claim.san, named(idea.claim.targets.front()));
  return idea;
}

std::optional<Idea> rook_on_the_seventh(const Line& line) {
  const Step& first = line[0];
  const bool arrives = first.piece == PieceKind::rook &&
                       chess::relative_rank(line.solver(), first.to) == seventh_rank &&
                       chess::relative_rank(line.solver(), first.from) != seventh_rank;
  if (!arrives || !is_safe(first)) return std::nullopt;
  Idea idea = idea_of(line, "seventhRank", 1);
  idea.doing = fmt::format("{}, bringing a rook to the seventh rank", idea.claim.san);
  return idea;
}

std::optional<Idea> outpost(const Line& line) {
  const Step& first = line[0];
  const int rank = chess::relative_rank(line.solver(), first.to);
  const bool arrives = is_minor(first.piece) && !first.is_capture() && rank > fourth_rank && rank <= sixth_rank;
  if (!arrives || !is_safe(first) || pawns_can_attack(first.after, first.to, line.opponent())) return std::nullopt;
  const Bitboard guards = motif::attackers_of(first.after, first.to, line.solver());
  if ((guards & first.after.pieces(PieceKind::pawn)).empty()) return std::nullopt;
  Idea idea = idea_of(line, "outpost", 1);
  idea.doing = fmt::format("{}, where no pawn can drive the {} away", idea.claim.san, name_of(first.piece));
  return idea;
}

std::optional<Idea> open_file(const Line& line) {
  const Step& first = line[0];
  const int file = chess::file_of(first.to);
  const Bitboard pawns = first.after.pieces(PieceKind::pawn);
  const bool arrives = first.piece == PieceKind::rook && !first.is_capture() && file != chess::file_of(first.from) &&
                       (pawns & chess::file_bits(file)).empty() &&
                       (pawns & chess::file_bits(chess::file_of(first.from)));
  if (!arrives || !is_safe(first)) return std::nullopt;
  Idea idea = idea_of(line, "openFile", 1);
  idea.doing = fmt::format("{}, putting a rook on the open {}-file", idea.claim.san, chess::file_letter(file));
  return idea;
}

std::optional<Idea> king_attack(const Line& line) {
  constexpr std::array<const char*, 8> numbers{"no", "one", "two", "three", "four", "five", "six", "seven"};
  constexpr int many = 3;
  const Step& first = line[0];
  const bool has_queen = first.after.pieces(line.solver(), PieceKind::queen).operator bool();
  const int now = attackers_of_king(first.after, line.solver());
  const bool arrives = has_queen && !first.is_capture() && now >= many &&
                       now > attackers_of_king(first.before, line.solver()) && now < static_cast<int>(numbers.size());
  if (!arrives || !is_safe(first)) return std::nullopt;
  Idea idea = idea_of(line, "kingAttack", 1);
  idea.claim.targets = {{PieceKind::king, first.after.king(line.opponent())}};
  idea.claim.squares.push_back(idea.claim.targets.front().square);
  idea.doing =
      fmt::format("{}, and {} pieces take aim at the king", idea.claim.san, numbers[static_cast<std::size_t>(now)]);
  return idea;
}

std::optional<Idea> opposition(const Line& line) {
  const Step& first = line[0];
  const Position& position = first.after;
  const bool only_pawns =
      (position.occupied() & ~position.pieces(PieceKind::pawn) & ~position.pieces(PieceKind::king)).empty();
  if (!only_pawns || first.piece != PieceKind::king) return std::nullopt;
  const Square theirs = position.king(line.opponent());
  const int files = std::abs(chess::file_of(first.to) - chess::file_of(theirs));
  const int ranks = std::abs(chess::rank_of(first.to) - chess::rank_of(theirs));
  if (files + ranks != 2 || files == 1) return std::nullopt;
  Idea idea = idea_of(line, "opposition", 1);
  idea.claim.targets = {{PieceKind::king, theirs}};
  idea.doing = fmt::format("{}, taking the opposition", idea.claim.san);
  return idea;
}

std::optional<Idea> king_walk(const Line& line) {
  constexpr std::size_t second = 2;
  if (line.start().pieces(PieceKind::queen) || line.size() <= second) return std::nullopt;
  const bool walks = line[0].piece == PieceKind::king && line[second].piece == PieceKind::king;
  const int gain = from_middle(line[0].from) - from_middle(line[second].to) +
                   chess::relative_rank(line.solver(), line[second].to) -
                   chess::relative_rank(line.solver(), line[0].from);
  if (!walks || line[0].before.in_check() || gain < 2) return std::nullopt;
  Idea idea = idea_of(line, "kingWalk", second + 1);
  idea.doing = fmt::format("{}, and the king comes to {}", idea.claim.san, chess::format_square(line[second].to));
  return idea;
}

std::optional<Idea> new_passed_pawn(const Line& line) {
  const Step& first = line[0];
  if (first.piece != PieceKind::pawn || first.is_promotion() || !is_passed(first.after, first.to)) return std::nullopt;
  if (is_passed(first.before, first.from) || motif::is_badly_placed(first.after, first.to)) return std::nullopt;
  if (chess::relative_rank(line.solver(), first.to) < fourth_rank) return std::nullopt;
  const bool taken = line.size() > 1 && line[1].to == first.to;
  if (taken) return std::nullopt;
  Idea idea = idea_of(line, "passedPawn", 1);
  idea.doing = fmt::format("{}, making a passed pawn", idea.claim.san);
  return idea;
}

std::optional<Idea> pawn_lever(const Line& line) {
  const Step& first = line[0];
  if (first.piece != PieceKind::pawn || first.is_capture() || first.is_promotion()) return std::nullopt;
  const Bitboard hit =
      motif::attacks_from(first.after, first.to) & first.after.pieces(line.opponent(), PieceKind::pawn);
  if (hit.empty()) return std::nullopt;
  Idea idea = idea_of(line, "pawnLever", 1);
  const Target target{PieceKind::pawn, hit.first()};
  idea.claim.targets = {target};
  idea.claim.squares.push_back(target.square);
  idea.doing = fmt::format("{}, striking at {}", idea.claim.san, named(target));
  return idea;
}

std::optional<Idea> queens_off(const Line& line) {
  constexpr std::size_t soon = 4;
  if (!has_queens(line.start())) return std::nullopt;
  for (std::size_t i = 0; i < std::min(soon, line.size()); ++i) {
    const Position& position = line[i].after;
    if (position.pieces(PieceKind::queen)) continue;
    Idea idea = idea_of(line, "queensOff", i + 1);
    idea.doing = fmt::format("{}, and the queens come off", idea.claim.san);
    return idea;
  }
  return std::nullopt;
}

std::optional<Idea> castling(const Line& line) {
  if (line[0].move.kind() != chess::MoveKind::castling) return std::nullopt;
  Idea idea = idea_of(line, "castling", 1);
  idea.doing = fmt::format("{}, bringing the king to safety", idea.claim.san);
  return idea;
}

std::optional<Idea> development(const Line& line) {
  constexpr int opening_moves = 12;
  const Step& first = line[0];
  const bool develops = is_minor(first.piece) && chess::relative_rank(line.solver(), first.from) == 0 &&
                        chess::relative_rank(line.solver(), first.to) > 0 && !first.is_capture();
  if (!develops || line.start().move_number() > opening_moves || !is_safe(first)) return std::nullopt;
  Idea idea = idea_of(line, "development", 1);
  idea.doing = fmt::format("{}, developing the {}", idea.claim.san, name_of(first.piece));
  return idea;
}

std::optional<Idea> defence(const Line& line, const Line& other) {
  const Step& taken = other[0];
  if (!taken.captured || taken.move.kind() == chess::MoveKind::en_passant) return std::nullopt;
  const Square s = taken.to;
  const bool stood = line.start().pieces(line.solver()).has(s) && line[0].from != s;
  const bool guards = stood && motif::attacks_from(line[0].after, line[0].to).has(s) && is_safe(line[0]) &&
                      motif::is_badly_placed(line.start(), s) && !motif::is_badly_placed(line[0].after, s);
  if (!guards) return std::nullopt;
  Idea idea = idea_of(line, "defence", 1);
  idea.claim.targets = {{motif::kind_on(line.start(), s), s}};
  idea.claim.squares.push_back(s);
  idea.doing = fmt::format("{}, guarding {}", idea.claim.san, named(idea.claim.targets.front()));
  return idea;
}

std::optional<Idea> trade(const Line& line) {
  const Step& first = line[0];
  if (!is_taken_back(line) || !first.captured || *first.captured == PieceKind::pawn) return std::nullopt;
  if (motif::value_of(first.piece) != motif::value_of(*first.captured)) return std::nullopt;
  Idea idea = idea_of(line, "trade", 2);
  idea.claim.targets = {{*first.captured, first.to}};
  idea.doing =
      fmt::format("{}, trading the {} for {}", idea.claim.san, name_of(first.piece), with_article(*first.captured));
  return idea;
}

}  // namespace pm::explain
