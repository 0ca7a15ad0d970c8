#include "explain/positional.h"

#include <algorithm>

#include <fmt/format.h>

#include "explain/haul.h"
#include "explain/idea.h"
#include "motif/placement.h"

namespace pm::explain {
namespace {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Position;
using chess::Square;

Bitboard pawns_of(const Position& position, Colour side) { return position.pieces(side, PieceKind::pawn); }

Bitboard neighbour_files(int file) {
  Bitboard files;
  if (file > 0) files |= chess::file_bits(file - 1);
  if (file < 7) files |= chess::file_bits(file + 1);
  return files;
}

// The ranks in front of a square, as the side sees it.
Bitboard ahead_of(Square s, Colour side) {
  Bitboard ranks;
  for (int rank = 0; rank < 8; ++rank) {
    const bool ahead = side == Colour::white ? rank > chess::rank_of(s) : rank < chess::rank_of(s);
    if (ahead) ranks |= chess::rank_bits(rank);
  }
  return ranks;
}

Bitboard doubled_pawns(const Position& position, Colour side) {
  Bitboard doubled;
  for (int file = 0; file < 8; ++file) {
    const Bitboard on_file = pawns_of(position, side) & chess::file_bits(file);
    if (on_file.many()) doubled |= on_file;
  }
  return doubled;
}

Bitboard isolated_pawns(const Position& position, Colour side) {
  Bitboard isolated;
  for (const Square s : pawns_of(position, side)) {
    if ((pawns_of(position, side) & neighbour_files(chess::file_of(s))).empty()) isolated |= Bitboard(s);
  }
  return isolated;
}

Bitboard passed_pawns(const Position& position, Colour side) {
  Bitboard passed;
  for (const Square s : pawns_of(position, side)) {
    const Bitboard way = (neighbour_files(chess::file_of(s)) | chess::file_bits(chess::file_of(s))) & ahead_of(s, side);
    if ((pawns_of(position, !side) & way).empty()) passed |= Bitboard(s);
  }
  return passed;
}

bool has_bishop_pair(const Position& position, Colour side) {
  const Bitboard bishops = position.pieces(side, PieceKind::bishop);
  return (bishops & chess::light_squares) && (bishops & ~chess::light_squares);
}

// Pawns directly before the king's wing, two ranks deep.
Bitboard shelter(const Position& position, Colour side) {
  const Square king = position.king(side);
  if (chess::relative_rank(side, king) != 0) return {};
  const Bitboard files = neighbour_files(chess::file_of(king)) | chess::file_bits(chess::file_of(king));
  const Bitboard near =
      chess::rank_bits(side == Colour::white ? 1 : 6) | chess::rank_bits(side == Colour::white ? 2 : 5);
  return pawns_of(position, side) & files & near;
}

// Minor pieces on their first squares.
int at_home(const Position& position, Colour side) {
  const Bitboard minors = position.pieces(side, PieceKind::knight) | position.pieces(side, PieceKind::bishop);
  return (minors & chess::rank_bits(side == Colour::white ? 0 : 7)).count();
}

// "the f-pawns", or the pawn's square.
std::string file_text(Square s) { return fmt::format("the {}-pawns", chess::file_letter(chess::file_of(s))); }

class Finder {
 public:
  Finder(const motif::Step& played, const motif::Line& after) : played_(played), side_(played.before.side_to_move()) {
    // The position once what was begun is over: the move, and the exchange that follows it.
    settled_ = played.after;
    std::size_t steps = 0;
    while (steps < after.size() && steps < 4 && after[steps].is_capture()) ++steps;
    if (steps > 0) settled_ = after[steps - 1].after;
    steps_ = steps;
    for (std::size_t i = 0; i < steps; ++i) {
      line_.push_back(after[i].move);
      if (i % 2 == 1 && after[i].piece == PieceKind::pawn) pawn_moved_ = true;
    }
    if (played.piece == PieceKind::pawn) pawn_moved_ = true;
    after_ = &after;
  }

  std::vector<Claim> claims() && {
    castling();
    king_shelter();
    passed_pawn();
    bishop_pair();
    pawn_structure();
    holes();
    development();
    return std::move(claims_);
  }

 private:
  void add(std::string_view motif, Bitboard squares, std::string text) {
    Claim claim{ClaimKind::gives_up, motif, side_, played_.move};
    for (const Square s : squares) claim.squares.push_back(s);
    claim.line = line_;
    claim.text = std::move(text);
    claims_.push_back(std::move(claim));
  }

  void castling() {
    if (!may_castle(played_.before, side_) || may_castle(played_.after, side_)) return;
    if (played_.move.kind() == chess::MoveKind::castling) return;
    add("castlingRights", Bitboard(played_.to), "Gives up castling.");
  }

  void king_shelter() {
    if (played_.before.pieces(!side_, PieceKind::queen).empty()) return;  // nothing to hide from
    const Bitboard before = shelter(played_.before, side_);
    const bool pawn_moved = played_.piece == PieceKind::pawn && before.has(played_.from);
    const bool castled =
        !may_castle(played_.before, side_) || may_castle(played_.before, side_) == may_castle(played_.after, side_);
    const int file = chess::file_of(played_.before.king(side_));
    const bool on_wing = file <= 2 || file >= 6;
    if (pawn_moved && castled && on_wing) {
      add("kingShelter", Bitboard(played_.to),
          fmt::format("Loosens the king's shelter: the pawn leaves {}.", chess::format_square(played_.from)));
      return;
    }
    const bool king_left = played_.piece == PieceKind::king && played_.move.kind() != chess::MoveKind::castling;
    const bool bare = (chess::king_attacks(played_.to) & pawns_of(played_.after, side_)).empty();
    if (king_left && before.count() >= 2 && bare) {
      add("kingShelter", Bitboard(played_.to), "The king leaves the shelter of its pawns.");
    }
  }

  void passed_pawn() {
    // Where each of them stood before is not looked at: one that was passed already is not new.
    Bitboard fresh = passed_pawns(settled_, !side_) & ~passed_pawns(played_.before, !side_);
    for (const Square s : fresh) {
      const Square behind = chess::offset(s, -chess::forward(!side_));
      if (passed_pawns(played_.before, !side_).has(behind)) fresh &= ~Bitboard(s);
    }
    constexpr int far_enough = 3;  // its fourth rank, counted from 0
    for (const Square s : fresh) {
      if (chess::relative_rank(!side_, s) < far_enough) fresh &= ~Bitboard(s);
    }
    if (fresh.empty()) return;
    const Square s = fresh.first();
    if (!stays(s, !side_)) return;
    const bool at_once = passed_pawns(played_.after, !side_).has(s);
    const std::string what =
        fmt::format("{} a passed pawn on {}", side_ == Colour::white ? "Black" : "White", chess::format_square(s));
    add("passedPawn", Bitboard(s),
        at_once ? fmt::format("Gives {}.", what) : fmt::format("Allows {}, which gives {}.", exchange(), what));
  }

  void bishop_pair() {
    if (!has_bishop_pair(played_.before, side_) || has_bishop_pair(settled_, side_)) return;
    const auto bishops = [&](const Position& position) { return position.pieces(!side_, PieceKind::bishop).count(); };
    if (bishops(settled_) < bishops(played_.before)) return;  // for a bishop
    const bool lost = motif::material(settled_, side_) + 1 < motif::material(played_.before, side_);
    if (lost) return;  // for nothing
    const bool taken = !played_.is_capture() && steps_ > 0 && (*after_)[0].captured == PieceKind::bishop;
    add("bishopPair", {},
        taken ? fmt::format("Allows {}, which takes the bishop pair.", san_of((*after_)[0]))
              : "Gives up the bishop pair.");
  }

  void pawn_structure() {
    const Bitboard before = doubled_pawns(played_.before, side_);
    const Bitboard at_once = doubled_pawns(played_.after, side_);
    for (const Bitboard doubled : {at_once, doubled_pawns(settled_, side_)}) {
      for (int file = 0; file < 8; ++file) {
        const Bitboard now = doubled & chess::file_bits(file);
        const bool fresh = now && (before & chess::file_bits(file)).empty();
        if (!fresh || motif::any_of(now, [&](Square s) { return !stays(s, side_); })) continue;
        const std::string pawns = file_text(now.first());
        add("doubledPawns", now,
            at_once.has(now.first()) ? fmt::format("Doubles {}.", pawns)
                                     : fmt::format("Allows {}, doubling {}.", exchange(), pawns));
        return;
      }
    }
    if (!pawn_moved_) return;
    const Bitboard was = isolated_pawns(played_.before, side_);
    for (const Square s : isolated_pawns(settled_, side_)) {
      if ((was & chess::file_bits(chess::file_of(s))) || !stays(s, side_)) continue;
      const bool at_once = isolated_pawns(played_.after, side_).has(s);
      const std::string what = fmt::format("the pawn on {} isolated", chess::format_square(s));
      add("isolatedPawn", Bitboard(s),
          at_once ? fmt::format("Leaves {}.", what) : fmt::format("Allows {}, which leaves {}.", exchange(), what));
      return;
    }
  }

  // The exchange that follows the move: "dxe6 fxe6".
  std::string exchange() const {
    std::string text;
    for (std::size_t i = 0; i < steps_; ++i) {
      if (i > 0) text += ' ';
      text += san_of((*after_)[i]);
    }
    return text;
  }

  // The pawn is not taken in the next moves.
  bool stays(Square s, Colour side) const {
    constexpr std::size_t soon = 10;
    for (std::size_t i = steps_; i < std::min(soon, after_->size()); ++i) {
      const motif::Step& step = (*after_)[i];
      if (step.to == s && step.is_capture() && step.before.side_to_move() != side) return false;
      if (step.from == s) return true;
    }
    return true;
  }

  // Squares in the own half that no own pawn can guard any more, since the pawn beside them moved on.
  void holes() {
    if (played_.piece != PieceKind::pawn || played_.is_capture()) return;
    for (const Square s : chess::pawn_attacks(side_, played_.from)) {
      const int file = chess::file_of(s);
      const int rank = chess::relative_rank(side_, s);
      if (file < 2 || file > 5 || rank < 2 || rank > 3) continue;
      const Bitboard behind = neighbour_files(file) & ~ahead_of(s, side_) & ~chess::rank_bits(chess::rank_of(s));

      const bool guardable = (pawns_of(played_.after, side_) & behind).operator bool();
      if (guardable || (pawns_of(played_.before, side_) & behind).empty() || !is_used(s)) continue;
      add("outpost", Bitboard(s), fmt::format("No pawn can guard {} any more.", chess::format_square(s)));
      return;
    }
  }

  // The opponent puts a piece there soon.
  bool is_used(Square s) const {
    constexpr std::size_t soon = 6;
    for (std::size_t i = 0; i < std::min(soon, after_->size()); i += 2) {
      if ((*after_)[i].to == s && (*after_)[i].piece != PieceKind::pawn) return true;
    }
    return false;
  }

  void development() {
    constexpr int opening_moves = 12;
    constexpr int behind = 2;
    if (played_.before.move_number() > opening_moves || !may_castle(played_.before, side_)) return;
    const int ours = at_home(played_.after, side_);
    const int theirs = at_home(played_.after, !side_);
    const bool develops = at_home(played_.before, side_) > ours || played_.is_capture() || played_.gives_check();
    if (develops || ours < theirs + behind - 1 || ours < 2) return;
    add("development", {}, fmt::format("Does not develop a piece: {} of the minor pieces are still at home.", ours));
  }

  const motif::Step& played_;
  Colour side_;
  Position settled_ = Position::start();
  std::size_t steps_ = 0;
  bool pawn_moved_ = false;  // one of the mover's, in what was begun
  const motif::Line* after_ = nullptr;
  std::vector<chess::Move> line_;
  std::vector<Claim> claims_;
};

}  // namespace

bool may_castle(const Position& position, Colour side) {
  return (position.castling_rooks() & position.pieces(side)).operator bool();
}

bool is_passed(const Position& position, Square pawn) {
  return passed_pawns(position, chess::colour_of(position.piece_on(pawn))).has(pawn);
}

bool pawns_can_attack(const Position& position, Square square, Colour by) {
  return (pawns_of(position, by) & neighbour_files(chess::file_of(square)) & ahead_of(square, !by)).operator bool();
}

std::vector<Claim> positional_claims(const motif::Step& played, const motif::Line& after) {
  return Finder(played, after).claims();
}

}  // namespace pm::explain
