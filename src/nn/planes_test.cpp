#include "nn/planes.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::nn {
namespace {

chess::PositionHistory history(const char* fen, std::initializer_list<const char*> moves = {}) {
  chess::PositionHistory t(chess::parse_fen(fen).value());
  for (const char* move : moves) t.play(chess::parse_uci(t.newest(), move).value());
  return t;
}

constexpr const char* start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr std::uint64_t everywhere = ~std::uint64_t{0};
constexpr std::uint64_t square(int file, int rank) { return std::uint64_t{1} << (8 * rank + file); }

TEST(Planes, BeforeTheStartThereIsNothing) {
  const Planes planes = encode_planes(history(start, {"e2e4"}));
  EXPECT_NE(planes[0].mask, 0U);
  EXPECT_NE(planes[13].mask, 0U);
  for (std::size_t p = 26; p < 104; ++p) EXPECT_EQ(planes[p].mask, 0U) << p;
}

TEST(Planes, BeforeAnyOtherPositionItIsRepeated) {
  const Planes planes = encode_planes(history("8/8/8/3k4/8/3K4/3P4/8 b - - 0 1"));
  for (std::size_t board = 1; board < 8; ++board) {
    for (std::size_t p = 0; p < 12; ++p) EXPECT_EQ(planes[13 * board + p].mask, planes[p].mask);
    EXPECT_EQ(planes[13 * board + 12].mask, 0U);
  }
}

TEST(Planes, RepeatedBoardsHaveTheTwoSquareStepUndone) {
  const Planes planes = encode_planes(history("8/8/8/8/3pP3/8/K7/7k b - e3 0 1"));
  // Black to move: White's pawn is theirs, ranks flipped, so e4 is rank 5 and e2 rank 7 counted from 1.
  EXPECT_EQ(planes[6].mask, square(4, 4));
  EXPECT_EQ(planes[13 + 6].mask, square(4, 6));
  EXPECT_EQ(planes[13 * 7 + 6].mask, square(4, 6));
  EXPECT_EQ(planes[13].mask, planes[0].mask);
}

TEST(Planes, APawnThatWentTwoSquaresInTheGameStaysWhereItWas) {
  const Planes planes = encode_planes(history("8/8/8/8/3p4/8/4P3/K6k w - - 0 1", {"e2e4"}));
  EXPECT_EQ(planes[6].mask, square(4, 4));
  for (std::size_t board = 1; board < 8; ++board) EXPECT_EQ(planes[13 * board + 6].mask, square(4, 6));
}

TEST(Planes, SayWhichBoardsHadBeenThereBefore) {
  const chess::PositionHistory there_and_back = history(start, {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3"});
  const Planes planes = encode_planes(there_and_back);
  EXPECT_EQ(planes[12].mask, everywhere);       // after 3.Nf3 again
  EXPECT_EQ(planes[13 + 12].mask, everywhere);  // the start again
  EXPECT_EQ(planes[26 + 12].mask, 0U);
  EXPECT_EQ(there_and_back.occurrences(), 2);
}

TEST(Planes, ShowRightsColourAndClockOfTheSideToMove) {
  const Planes planes = encode_planes(history("r3k2r/8/8/8/8/8/8/R3K2R b KQk - 7 30"));
  EXPECT_EQ(planes[104].mask, 0U);          // own O-O-O
  EXPECT_EQ(planes[105].mask, everywhere);  // own O-O
  EXPECT_EQ(planes[106].mask, everywhere);
  EXPECT_EQ(planes[107].mask, everywhere);
  EXPECT_EQ(planes[108].mask, everywhere);  // Black to move
  EXPECT_EQ(planes[109].mask, everywhere);
  EXPECT_EQ(planes[109].value, 7);
  EXPECT_EQ(planes[110].mask, 0U);
  EXPECT_EQ(planes[111].mask, everywhere);
}

TEST(PositionHistory, IsCompleteFromTheStartOrWithEightBoards) {
  EXPECT_TRUE(history(start).is_complete());
  EXPECT_TRUE(history(start, {"e2e4", "e7e5"}).is_complete());
  EXPECT_FALSE(history("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").is_complete());
  const char* endgame = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1";
  EXPECT_FALSE(history(endgame, {"d3c3", "d5c5", "c3b3", "c5b5", "b3c3", "b5c5"}).is_complete());
  EXPECT_TRUE(history(endgame, {"d3c3", "d5c5", "c3b3", "c5b5", "b3c3", "b5c5", "c3d3"}).is_complete());
}

TEST(PositionHistory, HasAKeyOfItsOwnForEverythingAModelSees) {
  const std::vector<chess::PositionHistory> different{
      history(start),
      history(start, {"g1f3", "g8f6", "f3g1", "f6g8"}),  // the same board with a history
      history("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"),
      history("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 1"),
      history("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
      history("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
      history("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
      history(start, {"e2e4"}),
  };
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < different.size(); ++j) {
      EXPECT_EQ(different[i].key() == different[j].key(), i == j) << i << " " << j;
    }
  }
  EXPECT_EQ(history(start, {"e2e4", "e7e5"}).key(), history(start, {"e2e4", "e7e5"}).key());
}

}  // namespace
}  // namespace pm::nn
