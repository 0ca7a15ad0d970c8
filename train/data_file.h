// Games to learn from, as they stand on disk: the moves, and for every position what the teacher would play at the
// mover's rating. Boards are not kept; replaying a game gives them back, with their history.
//
// A file is the eight bytes "PMTRAIN2" and then games, little-endian:
//   u8 length of the FEN they begin with, 0 for the usual start, and that FEN; u16 White's rating, u16 Black's rating,
//   u8 1 when people of these ratings played it, u8 result (0 White lost, 1 draw, 2 White won), u16 plies; for each
//   ply: u8 legal moves, u8 which of them was played, in the generator's order; the teacher's probability of each legal
//   move (u16, of 65535), then its probabilities of the mover's win, draw, loss (u16 each).
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "human/human_model.h"

namespace pm::train {

struct Teaching {
  std::vector<std::uint16_t> moves;        // in the generator's order
  std::array<std::uint16_t, 3> results{};  // win, draw, loss of the mover
};

struct TaughtPly {
  std::size_t played = 0;  // which of the legal moves
  Teaching teaching;
};

struct TaughtGame {
  std::string start;             // FEN; empty: the usual start
  std::array<int, 2> ratings{};  // White's, Black's
  bool by_people = false;
  int result = 1;  // 0 White lost, 1 draw, 2 White won
  std::vector<TaughtPly> plies;
};

Teaching teaching_of(const human::Prediction& prediction);

class DataWriter {
 public:
  explicit DataWriter(const std::string& path);
  bool write(const TaughtGame& game);  // false when the disk is full
  std::size_t positions() const { return positions_; }

 private:
  std::ofstream file_;
  std::size_t positions_ = 0;
};

// All games of a file, in order; an error names the file and the byte.
Expected<std::vector<TaughtGame>> read_data(const std::string& path);

}  // namespace pm::train
