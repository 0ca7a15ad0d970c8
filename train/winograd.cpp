#include "train/winograd.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace pm::train {
namespace {

#ifdef __AVX512F__
constexpr std::size_t lanes = 16;
#else
constexpr std::size_t lanes = 8;
#endif
using Vector = float __attribute__((vector_size(lanes * sizeof(float))));
using Lanes = int __attribute__((vector_size(lanes * sizeof(int))));
constexpr std::size_t vectors_at_once = lanes / 4;  // of a row, in a product: with six rows, what registers hold

constexpr std::size_t tile = 6;             // squares a side, seen
constexpr std::size_t core = 4;             // squares a side, answered
constexpr std::size_t spots = tile * tile;  // of a transformed tile
constexpr std::size_t tiles = 4;            // of a board

Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
void store(float* to, const Vector& v) { std::memcpy(to, &v, sizeof v); }

// The transforms of one row or column; "back" is the transpose, for gradients.
constexpr auto boards_forth = []<class T>(const std::array<T, 6>& d)
                                  __attribute__((always_inline)) -> std::array<T, 6> {
  const T a = d[4] - 4 * d[2];
  const T b = d[3] - 4 * d[1];
  const T c = d[4] - d[2];
  const T e = 2 * (d[3] - d[1]);
  return {4 * d[0] - 5 * d[2] + d[4], a + b, a - b, c + e, c - e, 4 * d[1] - 5 * d[3] + d[5]};
};

constexpr auto boards_back = []<class T>(const std::array<T, 6>& m) __attribute__((always_inline)) -> std::array<T, 6> {
  return {4 * m[0],
          4 * (m[2] - m[1] + m[5]) + 2 * (m[4] - m[3]),
          -5 * m[0] - 4 * (m[1] + m[2]) - m[3] - m[4],
          m[1] - m[2] + 2 * (m[3] - m[4]) - 5 * m[5],
          m[0] + m[1] + m[2] + m[3] + m[4],
          m[5]};
};

constexpr auto results_forth = []<class T>(const std::array<T, 6>& m)
                                   __attribute__((always_inline)) -> std::array<T, 4> {
  const T a = m[1] + m[2];
  const T b = m[1] - m[2];
  const T c = m[3] + m[4];
  const T d = m[3] - m[4];
  return {m[0] + a + c, b + 2 * d, a + 4 * c, b + 8 * d + m[5]};
};

constexpr auto results_back = []<class T>(const std::array<T, 4>& y)
                                  __attribute__((always_inline)) -> std::array<T, 6> {
  const T a = y[0] + y[2];
  const T b = y[1] + y[3];
  const T c = y[0] + 4 * y[2];
  const T d = 2 * y[1] + 8 * y[3];
  return {y[0], a + b, a - b, c + d, c - d, y[3]};
};

constexpr auto weights_forth = []<class T>(const std::array<T, 3>& g)
                                   __attribute__((always_inline)) -> std::array<T, 6> {
  const T a = (g[0] + g[2]) / 6;
  const T b = g[0] / 24 + g[2] / 6;
  return {g[0] / 4, -a - g[1] / 6, g[1] / 6 - a, b + g[1] / 12, b - g[1] / 12, g[2]};
};

constexpr auto weights_back = []<class T>(const std::array<T, 6>& u)
                                  __attribute__((always_inline)) -> std::array<T, 3> {
  const T a = (u[1] + u[2]) / 6;
  const T b = u[3] + u[4];
  return {u[0] / 4 - a + b / 24, (u[2] - u[1]) / 6 + (u[3] - u[4]) / 12, b / 6 - a + u[5]};
};

template <class T, std::size_t rows, std::size_t columns>
using Square = std::array<std::array<T, columns>, rows>;

// `line` of every column, which becomes a row.
template <std::size_t to, std::size_t rows, std::size_t columns, class T, class Line>
[[gnu::always_inline]] inline Square<T, columns, to> of_columns(const Square<T, rows, columns>& x, const Line& line) {
  Square<T, columns, to> y;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < columns; ++j) {
    std::array<T, rows> column;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows; ++i) column[i] = x[i][j];
    y[j] = line(column);
  }
  return y;
}

// `line` of every column, then of every row.
template <std::size_t from, std::size_t to, class T, class Line>
[[gnu::always_inline]] inline Square<T, to, to> both_ways(const Square<T, from, from>& x, const Line& line) {
  return of_columns<to>(of_columns<to>(x, line), line);
}

constexpr std::size_t columns = tiles * group_positions;

// C[rows][columns] = A[rows][depth] B[depth][columns].
template <std::size_t rows>
void multiply_rows(const float* a, const float* b, float* c, std::size_t depth) {
  constexpr std::size_t step = vectors_at_once * lanes;
  for (std::size_t j = 0; j < columns; j += step) {
    std::array<std::array<Vector, vectors_at_once>, rows> sums{};
    for (std::size_t p = 0; p < depth; ++p) {
      std::array<Vector, vectors_at_once> y;
      for (std::size_t v = 0; v < vectors_at_once; ++v) y[v] = load(b + p * columns + j + v * lanes);
      for (std::size_t i = 0; i < rows; ++i) {
        const float x = a[i * depth + p];
        for (std::size_t v = 0; v < vectors_at_once; ++v) sums[i][v] += x * y[v];
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t v = 0; v < vectors_at_once; ++v) store(c + i * columns + j + v * lanes, sums[i][v]);
    }
  }
}

void multiply(const float* a, const float* b, float* c, std::size_t rows, std::size_t depth) {
  std::size_t i = 0;
  for (; i + 6 <= rows; i += 6) multiply_rows<6>(a + i * depth, b, c + i * columns, depth);
  for (; i + 2 <= rows; i += 2) multiply_rows<2>(a + i * depth, b, c + i * columns, depth);
  for (; i < rows; ++i) multiply_rows<1>(a + i * depth, b, c + i * columns, depth);
}

// The first or second halves of two vectors, lane by lane in turns.
template <bool second>
[[gnu::always_inline]] inline Vector woven(const Vector& a, const Vector& b) {
  Lanes order;
  for (std::size_t l = 0; l < lanes; ++l) {
    order[l] = static_cast<int>((second ? lanes / 2 : 0) + l / 2 + (l % 2) * lanes);
  }
  return __builtin_shuffle(a, b, order);
}

// As many rows as a vector has lanes become columns: woven together often enough, they are.
[[gnu::always_inline]] inline void transpose(std::array<Vector, lanes>& rows) {
#pragma GCC unroll 4
  for (std::size_t done = 1; done < lanes; done *= 2) {
    std::array<Vector, lanes> next;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes / 2; ++i) {
      next[2 * i] = woven<false>(rows[i], rows[i + lanes / 2]);
      next[2 * i + 1] = woven<true>(rows[i], rows[i + lanes / 2]);
    }
    rows = next;
  }
}

std::size_t whole_vectors(std::size_t width) { return (width + lanes - 1) / lanes * lanes; }

// B[width][columns] as [columns][width], filled up with zeros to whole vectors.
void transpose_all(const float* b, std::size_t width, float* to) {
  const std::size_t padded = whole_vectors(width);
  for (std::size_t j = 0; j < padded; j += lanes) {
    for (std::size_t p = 0; p < columns; p += lanes) {
      std::array<Vector, lanes> rows{};
      for (std::size_t i = 0; i < lanes && j + i < width; ++i) rows[i] = load(b + (j + i) * columns + p);
      transpose(rows);
      for (std::size_t i = 0; i < lanes; ++i) store(to + (p + i) * padded + j, rows[i]);
    }
  }
}

// C[rows][width] += A[rows][columns] B[columns][padded], for some vectors of the width from `j` on.
template <std::size_t rows, std::size_t vectors>
void add_products_rows(const float* a, const float* b, float* c, std::size_t width, std::size_t j) {
  const std::size_t padded = whole_vectors(width);
  std::array<std::array<Vector, vectors>, rows> sums{};
  for (std::size_t p = 0; p < columns; ++p) {
    std::array<Vector, vectors> y;
    for (std::size_t v = 0; v < vectors; ++v) y[v] = load(b + p * padded + j + v * lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const float x = a[i * columns + p];
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += x * y[v];
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) {
      float* const to = c + i * width + j + v * lanes;
      const std::size_t count = std::min(lanes, width - (j + v * lanes));
      for (std::size_t l = 0; l < count; ++l) to[l] += sums[i][v][l];
    }
  }
}

template <std::size_t rows>
void add_products_all(const float* a, const float* b, float* c, std::size_t width) {
  std::size_t j = 0;
  for (; j + vectors_at_once * lanes <= whole_vectors(width); j += vectors_at_once * lanes) {
    add_products_rows<rows, vectors_at_once>(a, b, c, width, j);
  }
  for (; j < width; j += lanes) add_products_rows<rows, 1>(a, b, c, width, j);
}

// C[rows][width] += A[rows][columns] B[width][columns]^T.
void add_products(const float* a, const float* b, float* c, std::size_t rows, std::size_t width) {
  thread_local std::vector<float> turned;
  turned.resize(columns * whole_vectors(width));
  transpose_all(b, width, turned.data());
  std::size_t i = 0;
  for (; i + 6 <= rows; i += 6) add_products_all<6>(a + i * columns, turned.data(), c + i * width, width);
  for (; i < rows; ++i) add_products_all<1>(a + i * columns, turned.data(), c + i * width, width);
}

// One group of a batch: where its boards are, and where a number stands among its transformed tiles,
// [spot][channel][tile][position].
struct Group {
  std::size_t all;  // groups of the batch
  std::size_t which;

  std::size_t board(std::size_t channel) const { return (channel * all + which) * 64 * group_positions; }
};

constexpr std::size_t gap = 16;  // floats between the spots, or all of them would want the same cache lines
constexpr std::size_t spot_size(std::size_t channels) { return channels * columns + gap; }

// Where a tile begins: its first answer on a board, its first square seen on a board with an edge.
constexpr std::size_t row_of(std::size_t t) { return t / 2 * core; }
constexpr std::size_t column_of(std::size_t t) { return t % 2 * core; }

template <std::size_t side>
[[gnu::always_inline]] inline Square<Vector, side, side> load_square(const float* from, std::size_t row_step,
                                                                     std::size_t step) {
  Square<Vector, side, side> square;
#pragma GCC unroll 8
  for (std::size_t y = 0; y < side; ++y) {
#pragma GCC unroll 8
    for (std::size_t x = 0; x < side; ++x) square[y][x] = load(from + y * row_step + x * step);
  }
  return square;
}

template <std::size_t side>
[[gnu::always_inline]] inline void store_square(const Square<Vector, side, side>& square, float* to,
                                                std::size_t row_step, std::size_t step) {
#pragma GCC unroll 8
  for (std::size_t y = 0; y < side; ++y) {
#pragma GCC unroll 8
    for (std::size_t x = 0; x < side; ++x) store(to + y * row_step + x * step, square[y][x]);
  }
}

constexpr std::size_t edged = 10;  // squares a side of a board with an edge
using EdgedBoard = std::array<float, edged * edged * lanes>;

void see_boards(const Group& group, std::size_t channels, const float* boards, float* seen) {
  const std::size_t spot = spot_size(channels);
  alignas(64) EdgedBoard board{};
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < group_positions; i += lanes) {
      const float* from = boards + group.board(c) + i;
      for (std::size_t square = 0; square < 64; ++square) {
        store(board.data() + ((square / 8 + 1) * edged + square % 8 + 1) * lanes,
              load(from + square * group_positions));
      }
      for (std::size_t t = 0; t < tiles; ++t) {
        const auto d =
            load_square<tile>(board.data() + (row_of(t) * edged + column_of(t)) * lanes, edged * lanes, lanes);
        store_square<tile>(both_ways<tile, tile>(d, boards_forth), seen + c * columns + t * group_positions + i,
                           tile * spot, spot);
      }
    }
  }
}

void unsee_boards(const Group& group, std::size_t channels, const float* seen, float* boards) {
  const std::size_t spot = spot_size(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < group_positions; i += lanes) {
      alignas(64) EdgedBoard sums{};
      for (std::size_t t = 0; t < tiles; ++t) {
        const auto v = load_square<tile>(seen + c * columns + t * group_positions + i, tile * spot, spot);
        auto d = both_ways<tile, tile>(v, boards_back);
        float* const at = sums.data() + (row_of(t) * edged + column_of(t)) * lanes;
        const auto before = load_square<tile>(at, edged * lanes, lanes);
        for (std::size_t y = 0; y < tile; ++y) {
          for (std::size_t x = 0; x < tile; ++x) d[y][x] += before[y][x];
        }
        store_square<tile>(d, at, edged * lanes, lanes);
      }
      float* const to = boards + group.board(c) + i;
      for (std::size_t square = 0; square < 64; ++square) {
        store(to + square * group_positions, load(sums.data() + ((square / 8 + 1) * edged + square % 8 + 1) * lanes));
      }
    }
  }
}

void answer(const Group& group, std::size_t channels, const float* products, float* results) {
  const std::size_t spot = spot_size(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t t = 0; t < tiles; ++t) {
      for (std::size_t i = 0; i < group_positions; i += lanes) {
        const auto m = load_square<tile>(products + c * columns + t * group_positions + i, tile * spot, spot);
        store_square<core>(both_ways<tile, core>(m, results_forth),
                           results + group.board(c) + (row_of(t) * 8 + column_of(t)) * group_positions + i,
                           8 * group_positions, group_positions);
      }
    }
  }
}

void unanswer(const Group& group, std::size_t channels, const float* results, float* products) {
  const std::size_t spot = spot_size(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t t = 0; t < tiles; ++t) {
      for (std::size_t i = 0; i < group_positions; i += lanes) {
        const auto y =
            load_square<core>(results + group.board(c) + (row_of(t) * 8 + column_of(t)) * group_positions + i,
                              8 * group_positions, group_positions);
        store_square<tile>(both_ways<core, tile>(y, results_back), products + c * columns + t * group_positions + i,
                           tile * spot, spot);
      }
    }
  }
}

// [spot][out][in], or turned: [spot][in][out].
std::vector<float> see_weights(const Convolution& how, const float* weights, bool turned) {
  std::vector<float> seen(spots * how.out * how.in);
  for (std::size_t k = 0; k < how.out; ++k) {
    for (std::size_t c = 0; c < how.in; ++c) {
      Square<float, 3, 3> g;
      for (std::size_t i = 0; i < 9; ++i) g[i / 3][i % 3] = weights[(k * how.in + c) * 9 + i];
      const auto u = both_ways<3, tile>(g, weights_forth);
      const std::size_t at = turned ? c * how.out + k : k * how.in + c;
      for (std::size_t s = 0; s < spots; ++s) seen[s * how.out * how.in + at] = u[s / tile][s % tile];
    }
  }
  return seen;
}

// Every thread takes its part of the groups; always the same part, so that sums are repeatable.
template <class Work>
void in_groups(const Convolution& how, const Work& work) {
  const auto threads = static_cast<std::size_t>(how.threads);
#pragma omp parallel for num_threads(how.threads) schedule(static, 1)
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (std::size_t g = how.groups * thread / threads; g < how.groups * (thread + 1) / threads; ++g) {
      work(thread, Group{how.groups, g});
    }
  }
}

// Room for the transformed tiles of a group, kept from one use to the next.
struct Room {
  std::vector<float> seen;
  std::vector<float> products;
};

Room& room_for(const Convolution& how) {
  thread_local Room room;
  room.seen.resize(spots * spot_size(how.in));
  room.products.resize(spots * spot_size(how.out));
  return room;
}

}  // namespace

void convolve(const Convolution& how, const float* boards, const float* weights, float* results) {
  const std::vector<float> u = see_weights(how, weights, false);
  in_groups(how, [&](std::size_t, const Group& group) {
    Room& room = room_for(how);
    see_boards(group, how.in, boards, room.seen.data());
    for (std::size_t s = 0; s < spots; ++s) {
      multiply(u.data() + s * how.out * how.in, room.seen.data() + s * spot_size(how.in),
               room.products.data() + s * spot_size(how.out), how.out, how.in);
    }
    answer(group, how.out, room.products.data(), results);
  });
}

void convolve_back(const Convolution& how, const float* boards, const float* weights, const float* results_gradient,
                   float* boards_gradient, float* weights_gradient) {
  const std::vector<float> turned = boards_gradient != nullptr ? see_weights(how, weights, true) : std::vector<float>();
  std::vector<std::vector<float>> u(static_cast<std::size_t>(how.threads),
                                    std::vector<float>(spots * how.out * how.in));
  in_groups(how, [&](std::size_t thread, const Group& group) {
    Room& room = room_for(how);
    see_boards(group, how.in, boards, room.seen.data());
    unanswer(group, how.out, results_gradient, room.products.data());
    for (std::size_t s = 0; s < spots; ++s) {
      add_products(room.products.data() + s * spot_size(how.out), room.seen.data() + s * spot_size(how.in),
                   u[thread].data() + s * how.out * how.in, how.out, how.in);
    }
    if (boards_gradient == nullptr) return;
    for (std::size_t s = 0; s < spots; ++s) {
      multiply(turned.data() + s * how.out * how.in, room.products.data() + s * spot_size(how.out),
               room.seen.data() + s * spot_size(how.in), how.in, how.out);
    }
    unsee_boards(group, how.in, room.seen.data(), boards_gradient);
  });
  for (std::size_t k = 0; k < how.out * how.in; ++k) {
    Square<float, tile, tile> sum{};
    for (const auto& part : u) {
      for (std::size_t s = 0; s < spots; ++s) sum[s / tile][s % tile] += part[s * how.out * how.in + k];
    }
    const auto g = both_ways<tile, 3>(sum, weights_back);
    for (std::size_t i = 0; i < 9; ++i) weights_gradient[k * 9 + i] = g[i / 3][i % 3];
  }
}

}  // namespace pm::train
