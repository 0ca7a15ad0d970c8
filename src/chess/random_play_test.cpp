// Twenty thousand positions reached by random play, standard and Chess960: whatever holds for one position must hold
// for all of them.
#include <gtest/gtest.h>

#include <random>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"

namespace pm::chess {
namespace {

constexpr int positions_wanted = 20'000;
constexpr int longest_game = 200;

void check_every_move(const Position& position) {
  const Position untouched = position;
  const MoveList moves = legal_moves(position);
  ASSERT_EQ(static_cast<int>(moves.size()), count_legal_moves(position));
  for (const Move m : moves) {
    const std::string san = format_san(position, m);
    const auto from_san = parse_san(position, san);
    ASSERT_TRUE(from_san && *from_san == m) << format_fen(position) << " " << san;
    for (const auto notation : {CastlingNotation::king_to_goal, CastlingNotation::king_takes_rook}) {
      // In Chess960 a king's step to g1 or c1 and castling share one spelling; only king-takes-rook tells them apart.
      if (notation == CastlingNotation::king_to_goal && m.kind() == MoveKind::castling &&
          natural_notation(position) != notation) {
        continue;
      }
      const auto from_uci = parse_uci(position, format_uci(m, notation));
      ASSERT_TRUE(from_uci && *from_uci == m) << format_fen(position) << " " << format_uci(m, notation);
    }
    ASSERT_TRUE(keeps_king_safe(position, m));
    const Position next = position.after(m);
    const auto from_fen = parse_fen(format_fen(next));
    ASSERT_TRUE(from_fen) << format_fen(next);
    ASSERT_EQ(*from_fen, next) << format_fen(next);  // key from scratch equals incremental key, and all else
    ASSERT_EQ(from_fen->key(), next.key());
    ASSERT_EQ(position, untouched);
  }
}

// Plays random games from the starts until `count` positions have been looked at.
void play_random_games(const std::vector<std::string>& starts, int count, unsigned seed) {
  std::mt19937 random(seed);
  for (std::size_t game = 0; count > 0; ++game) {
    Position position = parse_fen(starts[game % starts.size()]).value();
    for (int ply = 0; ply < longest_game && count > 0; ++ply, --count) {
      check_every_move(position);
      if (testing::Test::HasFatalFailure()) return;
      const MoveList moves = legal_moves(position);
      if (moves.empty()) break;
      position.play(moves[random() % moves.size()]);
    }
  }
}

TEST(RandomPlay, standard_chess) { play_random_games({std::string(start_fen)}, positions_wanted, 20261115); }

TEST(RandomPlay, chess960) {
  play_random_games({"bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
                     "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
                     "rkrnnbbq/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w CAca - 0 1",
                     "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"},
                    positions_wanted / 4, 960);
}

TEST(RandomPlay, from_a_crowded_middlegame) {
  play_random_games({"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                     "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"},
                    positions_wanted / 4, 7);
}

}  // namespace
}  // namespace pm::chess
