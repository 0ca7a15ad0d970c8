// Scores and what follows from them, each a type of its own, so that no unit or point of view can be mistaken.
//
//   WhiteScore s = WhiteScore(Centipawns{31});
//   WinRate w = win_rate(s.seen_by(Colour::black), points_slope);
//
// Engines speak for the side to move, PGN for White: convert on reading. A mate always says who mates.
#pragma once

#include <compare>

#include "chess/types.h"

namespace pm::score {

struct Centipawns {
  int value = 0;
  friend auto operator<=>(const Centipawns&, const Centipawns&) = default;
};

struct Mate {
  int moves = 0;      // until mate, 0 = it is on the board
  bool wins = false;  // the side whose view this is mates
  friend bool operator==(const Mate&, const Mate&) = default;
};

// One or the other, never both.
class Score {
 public:
  constexpr Score(Centipawns cp) : centipawns_(cp) {}          // NOLINT(google-explicit-constructor): a score it is
  constexpr Score(Mate mate) : mate_(mate), is_mate_(true) {}  // NOLINT(google-explicit-constructor): a score it is
  constexpr const Centipawns* centipawns() const { return is_mate_ ? nullptr : &centipawns_; }
  constexpr const Mate* mate() const { return is_mate_ ? &mate_ : nullptr; }
  constexpr Score reversed() const {
    return is_mate_ ? Score(Mate{mate_.moves, !mate_.wins}) : Score(Centipawns{-centipawns_.value});
  }
  friend bool operator==(const Score&, const Score&) = default;

 private:
  Centipawns centipawns_;
  Mate mate_;
  bool is_mate_ = false;
};

// From the view of the player whose move is being judged.
class MoverScore {
 public:
  constexpr explicit MoverScore(Score score) : score_(score) {}
  constexpr const Score& score() const { return score_; }
  constexpr const Centipawns* centipawns() const { return score_.centipawns(); }
  constexpr const Mate* mate() const { return score_.mate(); }
  constexpr bool is_winning_mate() const { return mate() != nullptr && mate()->wins; }
  constexpr bool is_losing_mate() const { return mate() != nullptr && !mate()->wins; }
  // At least so many centipawns, a mate counting as more than any number of them.
  constexpr bool at_least(Centipawns least) const {
    return mate() != nullptr ? mate()->wins : centipawns()->value >= least.value;
  }
  friend bool operator==(const MoverScore&, const MoverScore&) = default;

 private:
  Score score_;
};

// From White's view.
class WhiteScore {
 public:
  constexpr explicit WhiteScore(Score score) : score_(score) {}
  constexpr const Score& score() const { return score_; }
  constexpr MoverScore seen_by(chess::Colour mover) const {
    return MoverScore(mover == chess::Colour::white ? score_ : score_.reversed());
  }
  friend bool operator==(const WhiteScore&, const WhiteScore&) = default;

 private:
  Score score_;
};

// Chance to win plus half the chance to draw, 0..1.
class WinRate {
 public:
  constexpr explicit WinRate(double value) : value_(value) {}
  constexpr double value() const { return value_; }
  constexpr double percent() const { return 100 * value_; }
  friend auto operator<=>(const WinRate&, const WinRate&) = default;

 private:
  double value_;
};

// How much win rate a move gave away, 0..1; never negative.
class Loss {
 public:
  constexpr explicit Loss(double value) : value_(value) {}
  constexpr double value() const { return value_; }
  constexpr double percent() const { return 100 * value_; }
  friend auto operator<=>(const Loss&, const Loss&) = default;

 private:
  double value_;
};

constexpr Loss loss_between(WinRate before, WinRate after) {
  return Loss(before > after ? before.value() - after.value() : 0.0);
}

// How steeply centipawns turn into win rate: w = 1 / (1 + exp(-slope * cp)).
struct Slope {
  double per_centipawn;
};
inline constexpr Slope points_slope{0.0035};       // docs/rules.md 2.1
inline constexpr Slope labels_slope{0.004};        // docs/rules.md 4
inline constexpr Slope lichess_slope{0.00368208};  // docs/rules.md 5: Lichess, fitted on games of people

WinRate win_rate(Centipawns cp, Slope slope);
// A mate is exactly 1 or 0.
WinRate win_rate(const MoverScore& score, Slope slope);

// A mate as +-1000 and centipawns no further out: how centipawn losses are counted.
Centipawns clamped(const MoverScore& score);

}  // namespace pm::score
