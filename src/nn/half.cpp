#include "nn/half.h"

#include <bit>
#include <cmath>

namespace pm::nn {

float half_to_float(std::uint16_t half) {
  const bool negative = (half >> 15U) != 0;
  const int exponent = (half >> 10U) & 31;
  const int fraction = half & 1023;
  float size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    size = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    size = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  }
  return negative ? -size : size;
}

std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  if (std::isnan(value)) return sign | 0x7E00U;
  const float size = std::abs(value);
  if (size >= 65520) return sign | 0x7C00U;  // half-way beyond the largest
  // In steps of the half's last place, which nearbyint rounds to, ties to even; a carry runs into the exponent.
  const int exponent = size < 0x1p-14F ? -14 : std::ilogb(size);
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  if (exponent == -14 && steps < 1024) return static_cast<std::uint16_t>(sign | steps);
  return static_cast<std::uint16_t>(sign | ((static_cast<unsigned>(exponent + 15) << 10U) + steps - 1024));
}

}  // namespace pm::nn
