// The body of kernels_*.cpp, each of which sets PM_LANES (floats in a register) and PM_KERNELS (the name of the table)
// and is compiled for its own instruction set. Nothing with external linkage but that table may be instantiated here:
// the linker would keep one copy of it for all processors. Hence no standard library.
#ifndef PM_LANES
#error "include this from a kernels_*.cpp"
#endif

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

#include "nn/kernels.h"

namespace pm::nn {
namespace {

using Vec = float __attribute__((vector_size(PM_LANES * sizeof(float)), may_alias));

constexpr std::size_t lanes = PM_LANES;
constexpr std::size_t vecs_per_block = lane_block / lanes;
// Twelve accumulators of a 16-register machine leave room for the operands; a block of 16 columns needs so many rows.
constexpr std::size_t blocks_at_once = vecs_per_block == 1 ? 2 : 1;
constexpr std::size_t most_rows = 12 / (vecs_per_block * blocks_at_once);

#define PM_HOT [[gnu::always_inline]] inline

PM_HOT Vec load(const float* p) { return *reinterpret_cast<const Vec*>(p); }
PM_HOT void store(float* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
PM_HOT Vec relu(Vec v) {
  const Vec zero{};
  return v > zero ? v : zero;
}

// Rows x (Blocks * 16) outputs held in registers while `in` goes by.
template <std::size_t Rows, std::size_t Blocks>
PM_HOT void multiply_some(const float* from, std::size_t in, const float* weights, std::size_t out, float* to) {
  constexpr std::size_t width = Blocks * vecs_per_block;
  Vec sums[Rows][width] = {};
  for (std::size_t k = 0; k < in; ++k) {
    Vec w[width];
    for (std::size_t v = 0; v < width; ++v) {
      w[v] = load(weights + (v / vecs_per_block) * in * lane_block + k * lane_block + (v % vecs_per_block) * lanes);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vec x = from[r * in + k] - Vec{};
      for (std::size_t v = 0; v < width; ++v) sums[r][v] += x * w[v];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < width; ++v) store(to + r * out + v * lanes, sums[r][v]);
  }
}

template <std::size_t Blocks>
PM_HOT void multiply_rows(const float* from, std::size_t rows, std::size_t in, const float* weights, std::size_t out,
                          float* to) {
  static_assert(most_rows <= 6);
  switch (rows) {
    case 6: return multiply_some<6, Blocks>(from, in, weights, out, to);
    case 5: return multiply_some<5, Blocks>(from, in, weights, out, to);
    case 4: return multiply_some<4, Blocks>(from, in, weights, out, to);
    case 3: return multiply_some<3, Blocks>(from, in, weights, out, to);
    case 2: return multiply_some<2, Blocks>(from, in, weights, out, to);
    default: return multiply_some<1, Blocks>(from, in, weights, out, to);
  }
}

// All rows for one group of columns before the next, so that its weights stay in the first-level cache.
template <std::size_t Blocks>
PM_HOT void multiply_columns(const float* from, std::size_t rows, std::size_t in, const float* weights, std::size_t out,
                             float* to) {
  std::size_t groups = (rows + most_rows - 1) / most_rows;  // as even as can be: a group of one row is slow
  while (groups > 0) {
    const std::size_t now = (rows + groups - 1) / groups;
    multiply_rows<Blocks>(from, now, in, weights, out, to);
    from += now * in;
    to += now * out;
    rows -= now;
    --groups;
  }
}

PM_HOT void multiply_all(const float* from, std::size_t rows, std::size_t in, const float* weights, std::size_t out,
                         float* to) {
  std::size_t column = 0;
  for (; column + blocks_at_once * lane_block <= out; column += blocks_at_once * lane_block) {
    multiply_columns<blocks_at_once>(from, rows, in, weights + column * in, out, to + column);
  }
  if (column < out) multiply_columns<1>(from, rows, in, weights + column * in, out, to + column);
}

void multiply(const float* from, std::size_t rows, std::size_t in, const float* weights, std::size_t out, float* to) {
  multiply_all(from, rows, in, weights, out, to);
}

void multiply_points(const float* points, std::size_t boards, std::size_t in, const float* weights, std::size_t out,
                     float* to) {
  const std::size_t rows = boards * tiles_per_board;
  for (std::size_t p = 0; p < winograd_points; ++p) {
    multiply_all(points + p * point_stride(boards, in), rows, in, weights + p * in * out, out,
                 to + p * point_stride(boards, out));
  }
}

// Six numbers along one axis to six points (0, 1, -1, 2, -2, infinity).
PM_HOT void six_to_points(Vec& a, Vec& b, Vec& c, Vec& d, Vec& e, Vec& f) {
  const Vec even = e - 4.0F * c;
  const Vec odd = d - 4.0F * b;
  const Vec even2 = e - c;
  const Vec odd2 = d - b;
  a = 4.0F * a + (even - c);
  f = f + (4.0F * b - 5.0F * d);
  b = even + odd;
  c = even - odd;
  d = even2 + 2.0F * odd2;
  e = even2 - 2.0F * odd2;
}

// The transposed way back: six points to four numbers, left in a, b, c, d.
PM_HOT void points_to_four(Vec& a, Vec& b, Vec& c, Vec& d, Vec e, Vec f) {
  const Vec sum = b + c;
  const Vec difference = b - c;
  const Vec sum2 = d + e;
  const Vec difference2 = d - e;
  a = (a + sum) + sum2;
  b = difference + 2.0F * difference2;
  c = sum + 4.0F * sum2;
  d = (f + difference) + 8.0F * difference2;
}

// One 6x6 tile, whose 4x4 outputs begin at rank 4 * Up and file 4 * Right; what lies off the board is 0.
template <int Up, int Right>
PM_HOT void tile_to_points(const float* board, std::size_t channels, std::size_t stride, float* points) {
  Vec t[6][6];
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      const int rank = 4 * Up + y - 1;
      const int file = 4 * Right + x - 1;
      const bool on_board = rank >= 0 && rank < 8 && file >= 0 && file < 8;
      t[y][x] = on_board ? load(board + static_cast<std::size_t>(8 * rank + file) * channels) : Vec{};
    }
  }
  for (int x = 0; x < 6; ++x) six_to_points(t[0][x], t[1][x], t[2][x], t[3][x], t[4][x], t[5][x]);
  for (int y = 0; y < 6; ++y) {
    six_to_points(t[y][0], t[y][1], t[y][2], t[y][3], t[y][4], t[y][5]);
    for (int x = 0; x < 6; ++x) store(points + static_cast<std::size_t>(6 * y + x) * stride, t[y][x]);
  }
}

void board_to_points(const float* board, std::size_t boards, std::size_t channels, float* points) {
  const std::size_t stride = point_stride(boards, channels);
  for (std::size_t b = 0; b < boards; ++b) {
    for (std::size_t c = 0; c < channels; c += lanes) {
      const float* from = board + b * squares * channels + c;
      float* to = points + b * tiles_per_board * channels + c;
      tile_to_points<0, 0>(from, channels, stride, to);
      tile_to_points<0, 1>(from, channels, stride, to + channels);
      tile_to_points<1, 0>(from, channels, stride, to + 2 * channels);
      tile_to_points<1, 1>(from, channels, stride, to + 3 * channels);
    }
  }
}

template <bool Relu>
PM_HOT void points_to_tile(const float* points, std::size_t stride, Vec bias, float* tile, std::size_t channels) {
  Vec t[6][6];
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) t[y][x] = load(points + static_cast<std::size_t>(6 * y + x) * stride);
    points_to_four(t[y][0], t[y][1], t[y][2], t[y][3], t[y][4], t[y][5]);
  }
  for (int x = 0; x < 4; ++x) {
    points_to_four(t[0][x], t[1][x], t[2][x], t[3][x], t[4][x], t[5][x]);
    for (int y = 0; y < 4; ++y) {
      const Vec sum = t[y][x] + bias;
      store(tile + static_cast<std::size_t>(8 * y + x) * channels, Relu ? relu(sum) : sum);
    }
  }
}

template <bool Relu>
PM_HOT void points_to_boards(const float* points, std::size_t boards, std::size_t channels, const float* bias,
                             float* board) {
  const std::size_t stride = point_stride(boards, channels);
  for (std::size_t b = 0; b < boards; ++b) {
    for (std::size_t tile = 0; tile < tiles_per_board; ++tile) {
      const std::size_t corner = 32 * (tile / 2) + 4 * (tile % 2);
      for (std::size_t c = 0; c < channels; c += lanes) {
        points_to_tile<Relu>(points + (b * tiles_per_board + tile) * channels + c, stride, load(bias + c),
                             board + (b * squares + corner) * channels + c, channels);
      }
    }
  }
}

void points_to_board(const float* points, std::size_t boards, std::size_t channels, const float* bias, bool relu,
                     float* board) {
  if (relu) {
    points_to_boards<true>(points, boards, channels, bias, board);
  } else {
    points_to_boards<false>(points, boards, channels, bias, board);
  }
}

constexpr int edge_class(int n) { return n == 0 ? 0 : n == 7 ? 2 : 1; }

// 64 channels in registers at a time would need more than an SSE machine has.
constexpr std::size_t first_layer_vecs = 4;

template <std::size_t Vecs>
PM_HOT void first_layer_at(const PlanesOnSquare* set, int rank, int file, const float* weights, std::size_t planes,
                           std::size_t channels, const float* edge, float* to) {
  Vec sums[Vecs];
  for (std::size_t v = 0; v < Vecs; ++v) sums[v] = load(edge + v * lanes);
  for (int up = -1; up <= 1; ++up) {
    for (int right = -1; right <= 1; ++right) {
      if (rank + up < 0 || rank + up > 7 || file + right < 0 || file + right > 7) continue;
      const PlanesOnSquare& there = set[8 * (rank + up) + file + right];
      const float* tap = weights + static_cast<std::size_t>(3 * (up + 1) + right + 1) * planes * channels;
      for (std::size_t i = 0; i < there.count; ++i) {
        const float* w = tap + there.planes[i] * channels;
        for (std::size_t v = 0; v < Vecs; ++v) sums[v] += load(w + v * lanes);
      }
    }
  }
  for (std::size_t v = 0; v < Vecs; ++v) store(to + v * lanes, relu(sums[v]));
}

void first_layer(const PlanesOnSquare* set, const float* weights, std::size_t planes, const float* edges,
                 std::size_t channels, float* board) {
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 8; ++file) {
      const float* edge = edges + static_cast<std::size_t>(3 * edge_class(rank) + edge_class(file)) * channels;
      float* to = board + static_cast<std::size_t>(8 * rank + file) * channels;
      std::size_t c = 0;
      for (; c + first_layer_vecs * lanes <= channels; c += first_layer_vecs * lanes) {
        first_layer_at<first_layer_vecs>(set, rank, file, weights + c, planes, channels, edge + c, to + c);
      }
      for (; c < channels; c += lanes) {
        first_layer_at<1>(set, rank, file, weights + c, planes, channels, edge + c, to + c);
      }
    }
  }
}

void sum_squares(const float* board, std::size_t channels, float* sums) {
  for (std::size_t c = 0; c < channels; c += lanes) {
    Vec sum{};
    for (std::size_t s = 0; s < squares; ++s) sum += load(board + s * channels + c);
    store(sums + c, sum);
  }
}

void scale_and_add(float* board, const float* skip, std::size_t channels, const float* scale, const float* shift) {
  for (std::size_t s = 0; s < squares; ++s) {
    for (std::size_t c = 0; c < channels; c += lanes) {
      const std::size_t at = s * channels + c;
      store(board + at, relu(load(board + at) * load(scale + c) + (load(shift + c) + load(skip + at))));
    }
  }
}

void add_bias_relu(float* rows, std::size_t count, std::size_t columns, const float* bias) {
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < columns; c += lanes) {
      store(rows + r * columns + c, relu(load(rows + r * columns + c) + load(bias + c)));
    }
  }
}

// The same number of chains on every instruction set, and enough of them to keep the units busy.
constexpr std::size_t chains = lane_block / lanes;

float total_of(const Vec (&sums)[chains]) {
  float total = 0;
  for (const Vec& sum : sums) {
    for (std::size_t l = 0; l < lanes; ++l) total += sum[l];
  }
  return total;
}

float convolve_at(const float* board, std::size_t square, std::size_t channels, const float* weights) {
  const int rank = static_cast<int>(square / 8);
  const int file = static_cast<int>(square % 8);
  Vec sums[chains] = {};
  for (int up = -1; up <= 1; ++up) {
    for (int right = -1; right <= 1; ++right) {
      if (rank + up < 0 || rank + up > 7 || file + right < 0 || file + right > 7) continue;
      const float* from = board + static_cast<std::size_t>(8 * (rank + up) + file + right) * channels;
      const float* tap = weights + static_cast<std::size_t>(3 * (up + 1) + right + 1) * channels;
      for (std::size_t c = 0; c < channels; c += lane_block) {
        for (std::size_t v = 0; v < chains; ++v) sums[v] += load(from + c + v * lanes) * load(tap + c + v * lanes);
      }
    }
  }
  return total_of(sums);
}

float dot(const float* a, const float* b, std::size_t channels) {
  Vec sums[chains] = {};
  for (std::size_t c = 0; c < channels; c += lane_block) {
    for (std::size_t v = 0; v < chains; ++v) sums[v] += load(a + c + v * lanes) * load(b + c + v * lanes);
  }
  return total_of(sums);
}

using Ints = int __attribute__((vector_size(PM_LANES * sizeof(int)), may_alias));

constexpr float norm_epsilon = 1e-5F;

// e to the power of x, for x of at most 88: a power of two times a polynomial, to 2e-7 of the value.
PM_HOT Vec exp_of(Vec x) {
  const Vec least = Vec{} - 87.0F;
  x = x > least ? x : least;
  constexpr float rounding = 12582912.0F;  // 1.5 * 2^23: adding it leaves a whole number in the last bits
  // The logarithms are written out: nothing of the standard library may be instantiated here, and ln 2 is in two parts.
  const Vec shifted = x * 1.44269504F + rounding;  // NOLINT(modernize-use-std-numbers)
  const Vec whole = shifted - rounding;
  const Vec rest = (x - whole * 0.693359375F) + whole * 2.12194440e-4F;  // NOLINT(modernize-use-std-numbers)
  Vec sum = Vec{} + 1.9875691500e-4F;
  sum = sum * rest + 1.3981999507e-3F;
  sum = sum * rest + 8.3334519073e-3F;
  sum = sum * rest + 4.1665795894e-2F;
  sum = sum * rest + 1.6666665459e-1F;
  sum = sum * rest + 5.0000001201e-1F;
  sum = sum * rest * rest + rest + 1.0F;
  const Ints power = (reinterpret_cast<const Ints&>(shifted) - 0x4B400000 + 127) << 23;
  return sum * reinterpret_cast<const Vec&>(power);
}

// Abramowitz and Stegun, 7.1.26.
PM_HOT Vec erf_of(Vec x) {
  const Vec size = x > Vec{} ? x : -x;
  const Vec t = 1.0F / (1.0F + 0.3275911F * size);
  Vec sum = Vec{} + 1.061405429F;
  sum = sum * t - 1.453152027F;
  sum = sum * t + 1.421413741F;
  sum = sum * t - 0.284496736F;
  sum = sum * t + 0.254829592F;
  const Vec value = 1.0F - sum * t * exp_of(-size * size);
  return x > Vec{} ? value : -value;
}

PM_HOT float lanes_sum(Vec v) {
  float sum = 0;
  for (std::size_t i = 0; i < lanes; ++i) sum += v[i];
  return sum;
}

void add_bias_gelu(float* rows, std::size_t count, std::size_t columns, const float* bias) {
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < columns; c += lanes) {
      const Vec x = load(rows + r * columns + c) + load(bias + c);
      store(rows + r * columns + c, 0.5F * x * (1.0F + erf_of(x * 0.70710678F)));
    }
  }
}

void add_and_norm(float* rows, const float* more, const float* bias, std::size_t count, std::size_t columns,
                  const float* scale) {
  for (std::size_t r = 0; r < count; ++r) {
    float* row = rows + r * columns;
    Vec sum{};
    for (std::size_t c = 0; c < columns; c += lanes) {
      Vec x = load(row + c) + load(more + r * columns + c);
      if (bias != nullptr) x += load(bias + c);
      store(row + c, x);
      sum += x * x;
    }
    const float part = 1.0F / __builtin_sqrtf(lanes_sum(sum) / static_cast<float>(columns) + norm_epsilon);
    for (std::size_t c = 0; c < columns; c += lanes) store(row + c, load(row + c) * part * load(scale + c));
  }
}

void layer_norm(float* rows, std::size_t count, std::size_t columns, const float* scale, const float* shift) {
  for (std::size_t r = 0; r < count; ++r) {
    float* row = rows + r * columns;
    Vec sum{};
    for (std::size_t c = 0; c < columns; c += lanes) sum += load(row + c);
    const float mean = lanes_sum(sum) / static_cast<float>(columns);
    Vec square{};
    for (std::size_t c = 0; c < columns; c += lanes) {
      const Vec x = load(row + c) - mean;
      square += x * x;
    }
    const float part = 1.0F / __builtin_sqrtf(lanes_sum(square) / static_cast<float>(columns) + norm_epsilon);
    for (std::size_t c = 0; c < columns; c += lanes) {
      store(row + c, (load(row + c) - mean) * part * load(scale + c) + load(shift + c));
    }
  }
}

void softmax(float* rows, const float* bias, std::size_t count, std::size_t columns) {
  for (std::size_t r = 0; r < count; ++r) {
    float* row = rows + r * columns;
    Vec most = Vec{} - 3e38F;
    for (std::size_t c = 0; c < columns; c += lanes) {
      const Vec x = load(row + c) + load(bias + r * columns + c);
      store(row + c, x);
      most = x > most ? x : most;
    }
    float top = most[0];
    for (std::size_t i = 1; i < lanes; ++i) top = most[i] > top ? most[i] : top;
    Vec sum{};
    for (std::size_t c = 0; c < columns; c += lanes) {
      const Vec x = exp_of(load(row + c) - top);
      store(row + c, x);
      sum += x;
    }
    const float part = 1.0F / lanes_sum(sum);
    for (std::size_t c = 0; c < columns; c += lanes) store(row + c, load(row + c) * part);
  }
}

#ifdef __AVX512BF16__

using Pairs = int __attribute__((vector_size(PM_LANES * sizeof(int)), may_alias));

void to_bfloat(const float* from, std::size_t count, Bfloat* to) {
  for (std::size_t i = 0; i < count; i += lanes) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to + i),
                       reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_load_ps(from + i))));
  }
}

// As multiply_some, two inputs at a time. 24 accumulators of 32 registers.
template <std::size_t Rows, std::size_t Blocks>
PM_HOT void multiply_bfloat_some(const Bfloat* from, std::size_t in, const Bfloat* weights, std::size_t out,
                                 float* to) {
  Vec sums[Rows][Blocks] = {};
  for (std::size_t k = 0; k < in; k += 2) {
    Pairs w[Blocks];
    for (std::size_t b = 0; b < Blocks; ++b) {
      w[b] = *reinterpret_cast<const Pairs*>(weights + (b * in + k) * lane_block);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      int pair = 0;
      __builtin_memcpy(&pair, from + r * in + k, sizeof pair);
      const __m512i x = _mm512_set1_epi32(pair);
      for (std::size_t b = 0; b < Blocks; ++b) {
        sums[r][b] = reinterpret_cast<Vec>(_mm512_dpbf16_ps(
            reinterpret_cast<__m512>(sums[r][b]), reinterpret_cast<__m512bh>(x), reinterpret_cast<__m512bh>(w[b])));
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t b = 0; b < Blocks; ++b) store(to + r * out + b * lanes, sums[r][b]);
  }
}

template <std::size_t Blocks>
PM_HOT void multiply_bfloat_columns(const Bfloat* from, std::size_t rows, std::size_t in, const Bfloat* weights,
                                    std::size_t out, float* to) {
  constexpr std::size_t many = 8;
  for (; rows >= many; rows -= many, from += many * in, to += many * out) {
    multiply_bfloat_some<many, Blocks>(from, in, weights, out, to);
  }
  for (; rows > 0; --rows, from += in, to += out) multiply_bfloat_some<1, Blocks>(from, in, weights, out, to);
}

void multiply_bfloat(const Bfloat* from, std::size_t rows, std::size_t in, const Bfloat* weights, std::size_t out,
                     float* to) {
  constexpr std::size_t many = 3;
  std::size_t column = 0;
  for (; column + many * lane_block <= out; column += many * lane_block) {
    multiply_bfloat_columns<many>(from, rows, in, weights + column * in, out, to + column);
  }
  for (; column < out; column += lane_block) {
    multiply_bfloat_columns<1>(from, rows, in, weights + column * in, out, to + column);
  }
}

#else

constexpr void (*to_bfloat)(const float*, std::size_t, Bfloat*) = nullptr;
constexpr void (*multiply_bfloat)(const Bfloat*, std::size_t, std::size_t, const Bfloat*, std::size_t,
                                  float*) = nullptr;

#endif

}  // namespace

extern const Kernels PM_KERNELS;
// NOLINTNEXTLINE(misc-definitions-in-headers): each kernels_*.cpp defines its own
const Kernels PM_KERNELS{PM_KERNELS_NAME,
                         multiply,
                         board_to_points,
                         multiply_points,
                         points_to_board,
                         first_layer,
                         sum_squares,
                         scale_and_add,
                         add_bias_relu,
                         convolve_at,
                         dot,
                         add_bias_gelu,
                         add_and_norm,
                         layer_norm,
                         softmax,
                         to_bfloat,
                         multiply_bfloat};

}  // namespace pm::nn
