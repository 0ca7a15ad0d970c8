// Moves as players write them: Nf3, exd5, O-O, e8=Q+.
//
//   Expected<Move> m = parse_san(position, "Nbd7");
//   std::string text = format_san(position, *m);
//
// Writing is minimal and correct: no more disambiguation than needed (pinned pieces do not count), + and # as they
// are. Reading forgives what real files contain: 0-0, e8Q, e8(Q), e8/Q, long algebraic (Ng1-f3, e2e4, e7xd8=Q), missing
// or extra + and #, trailing glyphs (!, ?, !?, +-, =, e.p.), extra disambiguation, a promotion without its piece (it is
// a queen), and the null moves --, Z0 and @@@@. Piece letters are those of English unless another language is named.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "chess/piece_letters.h"
#include "chess/position.h"

namespace pm::chess {

// A legal move of the position or the null move. move_syntax: not a move at all; move_illegal: a move, but no piece
// can make it; move_ambiguous: two pieces can.
Expected<Move> parse_san(const Position& position, std::string_view text, Language language = Language::english);

// The move must be legal in the position, or the null move ("--").
std::string format_san(const Position& position, Move m);

// What parse_san() finds before it writes a sentence about it; for readers of many games.
struct SanResult {
  Move move = Move::null();  // valid only when ok
  ErrorCode code = ErrorCode::move_syntax;
  bool ok = false;
};
SanResult resolve_san(const Position& position, std::string_view text);
SanResult resolve_san(const Position& position, std::string_view text, Language language);

}  // namespace pm::chess
