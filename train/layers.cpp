#include "train/layers.h"

#include <algorithm>
#include <array>

#include "train/winograd.h"

namespace pm::train {
namespace {

constexpr std::size_t squares = 64;
constexpr std::size_t lanes = group_positions;
using Lanes = std::array<float, lanes>;

double total(const Lanes& lanes_of) {
  double sum = 0;
  for (const float lane : lanes_of) sum += lane;
  return sum;
}

// Every thread takes its part of the channels.
template <class Work>
void in_channels(const Boards& how, const Work& work) {
#pragma omp parallel for num_threads(how.threads) schedule(static)
  for (std::size_t c = 0; c < how.channels; ++c) work(c);
}

// The boards of a channel and group, [square][position], and what belongs to them, [position].
template <class Work>
void in_groups(const Boards& how, const Work& work) {
  in_channels(how, [&](std::size_t c) {
    for (std::size_t g = 0; g < how.groups; ++g) {
      const std::size_t at = c * how.groups + g;
      work(at * squares * lanes, at * lanes);
    }
  });
}

}  // namespace

std::size_t Boards::per_channel() const { return groups * squares * lanes; }

void measure(const Boards& how, const float* x, float* means, float* variances) {
  const std::size_t count = how.per_channel();
  in_channels(how, [&](std::size_t c) {
    const float* from = x + c * count;
    double sum = 0;
    for (std::size_t i = 0; i < count; i += squares * lanes) {
      Lanes part{};
      for (std::size_t s = 0; s < squares; ++s) {
        for (std::size_t l = 0; l < lanes; ++l) part[l] += from[i + s * lanes + l];
      }
      sum += total(part);
    }
    const auto mean = static_cast<float>(sum / static_cast<double>(count));
    double squared = 0;
    for (std::size_t i = 0; i < count; i += squares * lanes) {
      Lanes part{};
      for (std::size_t s = 0; s < squares; ++s) {
        for (std::size_t l = 0; l < lanes; ++l) {
          const float d = from[i + s * lanes + l] - mean;
          part[l] += d * d;
        }
      }
      squared += total(part);
    }
    means[c] = mean;
    variances[c] = static_cast<float>(squared / static_cast<double>(count));
  });
}

void normalise(const Normalisation& how, const float* x, const float* means, const float* scales, const float* shifts,
               float* y) {
  const std::size_t count = how.boards.per_channel();
  const float least = how.relu ? 0 : -1e30F;
  in_channels(how.boards, [&](std::size_t c) {
    for (std::size_t i = c * count; i < (c + 1) * count; ++i) {
      y[i] = std::max(least, (x[i] - means[c]) * scales[c] + shifts[c]);
    }
  });
}

void normalise_back(const Normalisation& how, const float* x, const float* means, const float* deviations,
                    const float* weights, const float* shifts, const float* y_gradient, float* x_gradient,
                    float* weights_gradient, float* shifts_gradient) {
  const std::size_t count = how.boards.per_channel();
  in_channels(how.boards, [&](std::size_t c) {
    const float* from = x + c * count;
    const float* gradient = y_gradient + c * count;
    float* to = x_gradient + c * count;
    const float mean = means[c];
    const float deviation = deviations[c];
    const float least = how.relu ? -shifts[c] : -1e30F;  // what is below it was cut off
    double sum = 0;
    double product = 0;
    for (std::size_t i = 0; i < count; i += squares * lanes) {
      Lanes sums{};
      Lanes products{};
      for (std::size_t s = 0; s < squares; ++s) {
        for (std::size_t l = 0; l < lanes; ++l) {
          const std::size_t at = i + s * lanes + l;
          const float unit = (from[at] - mean) * deviation;
          const float d = unit * weights[c] > least ? gradient[at] : 0;
          sums[l] += d;
          products[l] += d * unit;
        }
      }
      sum += total(sums);
      product += total(products);
    }
    weights_gradient[c] = static_cast<float>(product);
    shifts_gradient[c] = static_cast<float>(sum);
    const auto mean_sum = static_cast<float>(sum / static_cast<double>(count));
    const auto mean_product = static_cast<float>(product / static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const float unit = (from[i] - mean) * deviation;
      const float d = unit * weights[c] > least ? gradient[i] : 0;
      to[i] = weights[c] * deviation * (d - mean_sum - unit * mean_product);
    }
  });
}

void average(const Boards& how, const float* x, float* means) {
  in_groups(how, [&](std::size_t boards, std::size_t at) {
    Lanes sum{};
    for (std::size_t s = 0; s < squares; ++s) {
      for (std::size_t l = 0; l < lanes; ++l) sum[l] += x[boards + s * lanes + l];
    }
    for (std::size_t l = 0; l < lanes; ++l) means[at + l] = sum[l] / squares;
  });
}

void average_back(const Boards& how, const float* means_gradient, float* x_gradient) {
  in_groups(how, [&](std::size_t boards, std::size_t at) {
    for (std::size_t s = 0; s < squares; ++s) {
      for (std::size_t l = 0; l < lanes; ++l) x_gradient[boards + s * lanes + l] = means_gradient[at + l] / squares;
    }
  });
}

void join(const Boards& how, const float* z, const float* scales, const float* shifts, const float* x, float* y) {
  in_groups(how, [&](std::size_t boards, std::size_t at) {
    for (std::size_t s = 0; s < squares; ++s) {
      for (std::size_t l = 0; l < lanes; ++l) {
        const std::size_t i = boards + s * lanes + l;
        y[i] = std::max(0.0F, z[i] * scales[at + l] + shifts[at + l] + x[i]);
      }
    }
  });
}

void join_back(const Boards& how, const float* z, const float* scales, const float* y, const float* y_gradient,
               float* z_gradient, float* scales_gradient, float* shifts_gradient, float* x_gradient) {
  in_groups(how, [&](std::size_t boards, std::size_t at) {
    Lanes sums{};
    Lanes products{};
    for (std::size_t s = 0; s < squares; ++s) {
      for (std::size_t l = 0; l < lanes; ++l) {
        const std::size_t i = boards + s * lanes + l;
        const float d = y[i] > 0 ? y_gradient[i] : 0;
        sums[l] += d;
        products[l] += d * z[i];
        z_gradient[i] = d * scales[at + l];
        x_gradient[i] = d;
      }
    }
    std::copy(sums.begin(), sums.end(), shifts_gradient + at);
    std::copy(products.begin(), products.end(), scales_gradient + at);
  });
}

void pair_up(const Pairs& how, const float* asking, const float* offering, float* sums) {
  constexpr std::size_t at_once = 512;
  const std::size_t size = how.boards.per_channel();
#pragma omp parallel for num_threads(how.boards.threads) schedule(static)
  for (std::size_t begin = 0; begin < how.count; begin += at_once) {
    const std::size_t end = std::min(how.count, begin + at_once);
    std::fill(sums + begin, sums + end, 0.0F);
    for (std::size_t c = 0; c < how.boards.channels; ++c) {
      for (std::size_t i = begin; i < end; ++i) {
        sums[i] += asking[c * size + static_cast<std::size_t>(how.from[i])] *
                   offering[c * size + static_cast<std::size_t>(how.to[i])];
      }
    }
  }
}

void pair_up_back(const Pairs& how, const float* asking, const float* offering, const float* sums_gradient,
                  float* asking_gradient, float* offering_gradient) {
  const std::size_t size = how.boards.per_channel();
  in_channels(how.boards, [&](std::size_t c) {
    for (std::size_t i = 0; i < how.count; ++i) {
      const std::size_t from = c * size + static_cast<std::size_t>(how.from[i]);
      const std::size_t to = c * size + static_cast<std::size_t>(how.to[i]);
      asking_gradient[from] += sums_gradient[i] * offering[to];
      offering_gradient[to] += sums_gradient[i] * asking[from];
    }
  });
}

}  // namespace pm::train
