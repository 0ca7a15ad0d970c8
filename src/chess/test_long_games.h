// Long games, for tests of what grows with the length of a game.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "chess/draws.h"
#include "chess/game_state.h"
#include "chess/movegen.h"

namespace pm::chess {

// Both sides move a knight out and back: over by fivefold repetition after a few moves, and played on all the same.
inline GameState knights_shuffle(std::size_t plies) {
  constexpr std::array<Move, 4> there_and_back{Move::plain(Square::g1, Square::f3), Move::plain(Square::g8, Square::f6),
                                               Move::plain(Square::f3, Square::g1),
                                               Move::plain(Square::f6, Square::g8)};
  GameState game;
  for (std::size_t i = 0; i < plies; ++i) game.moves.push_back(there_and_back[i % there_and_back.size()]);
  return game;
}

// Random moves that never end the game: pawns are moved and men are taken only when 75 moves would be over soon. Some
// ten thousand plies are possible so; where no such move is left the game ends earlier.
inline GameState long_random_game(std::size_t plies, unsigned seed) {
  constexpr int soon = 140;  // plies without a pawn move or capture; 150 end the game
  std::mt19937 random(seed);
  GameState game;
  Position position = game.start;
  History history(position);
  while (game.moves.size() < plies) {
    const MoveList legal = legal_moves(position);
    std::vector<Move> moves(legal.begin(), legal.end());
    for (std::size_t i = moves.size(); i > 1; --i) std::swap(moves[i - 1], moves[random() % i]);
    const bool is_time = position.halfmove_clock() >= soon;
    const auto place = [&](Move m) {  // in the order they are tried
      const bool pawn = kind_of(position.piece_on(m.from())) == PieceKind::pawn;
      const bool capture = position.captured_by(m) != Piece::none;
      const int cost = (pawn ? 1 : 0) + (capture ? 2 : 0);
      return is_time ? (cost == 0 ? 4 : cost) : cost;
    };
    const auto goes_on = [&](Move m) {
      const Position after = position.after(m);
      History with = history;
      with.push(after);
      return !game_end(after, with) && with.repetitions() < 3;
    };
    constexpr int last_place = 4;
    auto chosen = moves.end();
    for (int each = 0; each <= last_place && chosen == moves.end(); ++each) {
      chosen = std::find_if(moves.begin(), moves.end(), [&](Move m) { return place(m) == each && goes_on(m); });
    }
    if (chosen == moves.end()) break;
    game.moves.push_back(*chosen);
    position.play(*chosen);
    history.push(position);
  }
  return game;
}

}  // namespace pm::chess
