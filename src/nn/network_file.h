// Our own networks as files: version 3 of a small format, written by train/ and compiled into the program.
//
//   "PMHUMAN\n"   8 bytes
//   u32           the version, 3
//   u8, bytes     the name, up to 100 bytes of printable ASCII
//   u16, u16      the lowest and the highest rating it was made for
//   u16 x 7       planes, channels, blocks, squeezed channels, policy planes, value planes, hidden values
//   f16 ...       weights and biases of each layer, in the order of struct Weights
//   32 bytes      SHA-256 of everything before
//
// All numbers are little-endian; weights are IEEE half floats. The input is that of planes.h with ratings. Every length
// is checked before it is believed; an error says what was expected. Pure; any bytes are safe.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "nn/weights.h"

namespace pm::nn {

struct OwnNetwork {
  std::string name;
  int lowest_rating = 0;
  int highest_rating = 0;
  Weights weights;
};

Expected<OwnNetwork> parse_network(std::string_view bytes);
// Weights are rounded to half floats.
std::string format_network(const OwnNetwork& network);

}  // namespace pm::nn
