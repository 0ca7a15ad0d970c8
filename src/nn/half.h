// IEEE 754 half floats, as 16 bits.
#pragma once

#include <cstdint>

namespace pm::nn {

float half_to_float(std::uint16_t half);
// The nearest, ties to even; too large becomes infinity.
std::uint16_t float_to_half(float value);

}  // namespace pm::nn
