// The layers between convolutions, each in one pass over the boards and with its gradient. Boards are as in winograd.h,
// [channel][group][square][position of the group].
#pragma once

#include <cstddef>
#include <cstdint>

namespace pm::train {

struct Boards {
  std::size_t channels;
  std::size_t groups;
  int threads;  // at least one

  std::size_t per_channel() const;  // numbers
};

// Batch normalisation, and nothing below zero when `relu`.
struct Normalisation {
  Boards boards;
  bool relu;
};

// Of each channel: its mean and variance over the batch.
void measure(const Boards& how, const float* x, float* means, float* variances);
// y = (x - mean) * scale + shift, of each channel; the scale has the deviation in it.
void normalise(const Normalisation& how, const float* x, const float* means, const float* scales, const float* shifts,
               float* y);
// From the gradient of y: of x, of the scale before the deviation was put in (`weights`), and of the shift.
// `deviations` are 1 / sqrt(variance + something).
void normalise_back(const Normalisation& how, const float* x, const float* means, const float* deviations,
                    const float* weights, const float* shifts, const float* y_gradient, float* x_gradient,
                    float* weights_gradient, float* shifts_gradient);

// Squares' means: [channel][group][position].
void average(const Boards& how, const float* x, float* means);
void average_back(const Boards& how, const float* means_gradient, float* x_gradient);

// y = max(0, z * scale + shift + x), scales and shifts [channel][group][position]: the end of a residual block.
void join(const Boards& how, const float* z, const float* scales, const float* shifts, const float* x, float* y);
void join_back(const Boards& how, const float* z, const float* scales, const float* y, const float* y_gradient,
               float* z_gradient, float* scales_gradient, float* shifts_gradient, float* x_gradient);

// Pairs of places on the boards, as they are counted in channel 0.
struct Pairs {
  Boards boards;
  std::size_t count;
  const std::int64_t* from;
  const std::int64_t* to;
};

// sum = the sum over channels of asking[from] * offering[to], of each pair; gradients are added to what is there.
void pair_up(const Pairs& how, const float* asking, const float* offering, float* sums);
void pair_up_back(const Pairs& how, const float* asking, const float* offering, const float* sums_gradient,
                  float* asking_gradient, float* offering_gradient);

}  // namespace pm::train
