// Small systems of linear equations, for fits.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace pm::bench {

// By Gauss and Jordan; the last column is the right side.
inline std::vector<double> solved(std::vector<std::vector<double>> m) {
  const std::size_t n = m.size();
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t i = p + 1; i < n; ++i) {
      if (std::abs(m[i][p]) > std::abs(m[p][p])) std::swap(m[i], m[p]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = m[i][p] / m[p][p];
      for (std::size_t k = p; k <= n; ++k) m[i][k] -= factor * m[p][k];
    }
  }
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = m[i][n] / m[i][i];
  return x;
}

}  // namespace pm::bench
