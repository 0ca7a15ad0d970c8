// One thing that is said of a move, with its evidence: who does what to whom, and the line that shows it. What cannot
// be shown is not claimed (docs/explanations.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/move.h"
#include "chess/types.h"

namespace pm::explain {

enum class ClaimKind : std::uint8_t {
  allows,     // an error: what the best reply does
  misses,     // an error: what the best move would have done
  does,       // a good move: what it does
  gives_up,   // an error without a tactic: what changed for the worse
  trap,       // most people reply with an error
  stalemate,  // literal
  mate,       // literal
};
inline constexpr std::array<std::string_view, 7> claim_names{"allows", "misses",    "does", "gives_up",
                                                             "trap",   "stalemate", "mate"};

struct Target {
  chess::PieceKind piece;
  chess::Square square;
  friend bool operator==(const Target&, const Target&) = default;
};

struct Wins {
  std::optional<chess::PieceKind> piece;  // the dearest man that is won
  std::optional<int> mate_in;             // moves
  int material = 0;                       // net pawns at the end of the line
};

// NOLINTBEGIN(readability-redundant-member-init): initialisers may leave them out
struct Claim {
  ClaimKind kind = ClaimKind::allows;
  std::string_view motif;  // motif::name_of(), or one of ours: "material", "threat", "doubledPawns", ...
  chess::Colour by = chess::Colour::white;
  chess::Move move = chess::Move::null();  // that does it
  std::string san = {};
  std::size_t ply = 0;  // of that move: 0 is the move itself, 1 the reply
  std::vector<chess::Square> squares = {};
  std::vector<Target> targets = {};
  std::optional<Wins> wins = std::nullopt;
  // From the position after the move played; for `misses`, `does` and `trap` from the one before it.
  std::vector<chess::Move> line = {};
  std::string text = {};
};
// NOLINTEND(readability-redundant-member-init)

struct Explanation {
  std::string text;  // at most two sentences of claims and, for errors, the line that refutes; empty: nothing to say
  std::vector<Claim> claims;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<chess::Move> refutation = {};  // of an error, as the text says it: from the position after the move
};

}  // namespace pm::explain
