#include "nn/policy_map.h"

#include <gtest/gtest.h>

#include <set>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"

namespace pm::nn {
namespace {

struct Case {
  const char* fen;
  const char* move;
  PolicySlot slot;
};

TEST(PolicyMap, PutsMovesWhereTheNetworksKeepThem) {
  const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const char* after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
  const char* castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const char* black_castles = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
  const char* promotes = "1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1";
  const char* black_promotes = "4k3/8/8/8/8/8/p1p5/1N2K3 b - - 0 1";
  const Case cases[] = {
      {start, "e2e4", {1, 12, 28}},       // north, two squares
      {start, "g1f3", {63, 6, 21}},       // (-1, 2)
      {after_e4, "e7e5", {1, 12, 28}},    // the same, seen by Black
      {after_e4, "b8c6", {56, 1, 18}},    // (1, 2)
      {castles, "e1g1", {14 + 2, 4, 7}},  // east, three squares: the king takes its rook
      {castles, "e1c1", {42 + 3, 4, 0}},  // west, four squares
      {black_castles, "e8g8", {14 + 2, 4, 7}},
      {castles, "a1a8", {6, 0, 56}},
      {castles, "h1h8", {6, 7, 63}},
      {promotes, "a7a8q", {64 + 5, 48, 56}},  // straight, queen
      {promotes, "a7a8r", {64 + 3, 48, 56}},
      {promotes, "a7a8b", {64 + 4, 48, 56}},
      {promotes, "a7a8n", {0, 48, 56}},       // the plain move
      {promotes, "a7b8q", {64 + 8, 48, 57}},  // towards h
      {promotes, "c7b8r", {64 + 0, 50, 57}},  // towards a
      {promotes, "c7b8n", {49, 50, 57}},      // north-west
      {black_promotes, "a2b1q", {64 + 8, 48, 57}},
  };
  for (const Case& c : cases) {
    const auto position = chess::parse_fen(c.fen).value();
    const PolicySlot slot = policy_slot(chess::parse_uci(position, c.move).value(), position.side_to_move());
    EXPECT_EQ(slot.plane, c.slot.plane) << c.fen << " " << c.move;
    EXPECT_EQ(slot.from, c.slot.from) << c.fen << " " << c.move;
    EXPECT_EQ(slot.to, c.slot.to) << c.fen << " " << c.move;
  }
}

TEST(PolicyMap, GivesEveryMoveOfAPositionAPlaceOfItsOwn) {
  for (const char* fen :
       {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"}) {
    const auto position = chess::parse_fen(fen).value();
    std::set<std::pair<int, int>> places;
    const chess::MoveList moves = chess::legal_moves(position);
    for (const chess::Move m : moves) {
      const PolicySlot slot = policy_slot(m, position.side_to_move());
      EXPECT_GE(slot.plane, 0);
      EXPECT_LT(slot.plane, policy_planes);
      places.insert({slot.plane, slot.from});
    }
    EXPECT_EQ(places.size(), moves.size()) << fen;
  }
}

}  // namespace
}  // namespace pm::nn
