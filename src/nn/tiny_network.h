// For tests: a small network of random numbers in Leela's format, and what it answers, computed the plain way in double
// precision from the same numbers.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "nn/planes.h"

namespace pm::nn::tiny {

using Numbers = std::vector<double>;

struct Convolution {
  Numbers weights, biases, means, variances, gammas, betas;  // biases alone, or batch normalisation
};

struct Block {
  Convolution conv1, conv2;
  Numbers w1, b1, w2, b2;
};

// What the format's fields say; tests change them one by one.
struct Format {
  std::uint64_t magic = 0x1c0;
  std::uint64_t minor_version = 21;
  std::uint64_t encoding = 1;
  std::array<std::uint64_t, 7> network = {1, 2, 4, 2, 2, 0, 0};
};

struct Network {
  Format format;
  std::size_t channels = 0;
  Convolution input, policy1, policy2, value1;
  std::vector<Block> blocks;
  Numbers value2_w, value2_b, value3_w, value3_b;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Network make(std::size_t channels, std::size_t blocks, std::size_t squeezed, std::size_t value_planes,
               std::size_t hidden) {
    Network n;
    n.channels = channels;
    n.input = normalised(channels, leela_planes * 9);
    for (std::size_t i = 0; i < blocks; ++i) {
      Block b;
      b.conv1 = normalised(channels, channels * 9);
      b.conv2 = normalised(channels, channels * 9);
      b.w1 = numbers(squeezed * channels, -1, 1);
      b.b1 = numbers(squeezed, -0.5, 0.5);
      b.w2 = numbers(2 * channels * squeezed, -1, 1);
      b.b2 = numbers(2 * channels, -0.5, 0.5);
      n.blocks.push_back(b);
    }
    n.policy1 = normalised(channels, channels * 9);
    n.policy2.weights = numbers(80 * channels * 9, -0.3, 0.3);
    n.policy2.biases = numbers(80, -1, 1);
    n.value1 = normalised(value_planes, channels);
    n.value2_w = numbers(hidden * value_planes * 64, -0.1, 0.1);
    n.value2_b = numbers(hidden, -0.5, 0.5);
    n.value3_w = numbers(3 * hidden, -0.3, 0.3);
    n.value3_b = numbers(3, -0.5, 0.5);
    return n;
  }

 private:
  // On the 16-bit steps between the bounds, so that nothing is lost in writing; the bounds themselves always occur.
  Numbers numbers(std::size_t count, double from, double to) {
    std::uniform_int_distribution<int> steps(0, 65535);
    const auto low = static_cast<float>(from);
    const auto high = static_cast<float>(to);
    Numbers made(count);
    for (std::size_t i = 0; i < count; ++i) {
      const int step = i == 0 ? 0 : i == 1 ? 65535 : steps(random_);
      made[i] = low + (static_cast<double>(high) - low) * step / 65535;
    }
    return made;
  }
  Convolution normalised(std::size_t out, std::size_t per_filter) {
    const double width = 2 / std::sqrt(static_cast<double>(per_filter));
    return {numbers(out * per_filter, -width, width),
            {},
            numbers(out, -0.5, 0.5),
            numbers(out, 0.2, 1.5),
            numbers(out, 0.5, 1.5),
            numbers(out, -0.5, 0.5)};
  }

  std::mt19937 random_;
};

// ---- Writing ----

inline void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80U);
  to += static_cast<char>(value);
}
inline void put_number(std::string& to, std::uint32_t field, std::uint64_t value) {
  put_varint(to, field << 3);
  put_varint(to, value);
}
inline void put_fixed32(std::string& to, std::uint32_t field, std::uint32_t value) {
  put_varint(to, (field << 3) | 5);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
inline void put_bytes(std::string& to, std::uint32_t field, const std::string& bytes) {
  put_varint(to, (field << 3) | 2);
  put_varint(to, bytes.size());
  to += bytes;
}
inline void put_array(std::string& to, std::uint32_t field, const Numbers& numbers) {
  if (numbers.empty()) return;
  double low = numbers[0];
  double high = numbers[0];
  for (const double n : numbers) low = std::min(low, n), high = std::max(high, n);
  std::string array;
  put_fixed32(array, 1, std::bit_cast<std::uint32_t>(static_cast<float>(low)));
  put_fixed32(array, 2, std::bit_cast<std::uint32_t>(static_cast<float>(high)));
  std::string steps;
  for (const double n : numbers) {
    const auto step = high > low ? static_cast<unsigned>(std::lround((n - low) / (high - low) * 65535)) : 0U;
    steps += static_cast<char>(step & 0xFFU);
    steps += static_cast<char>(step >> 8);
  }
  put_bytes(array, 3, steps);
  put_bytes(to, field, array);
}
inline std::string written(const Convolution& c) {
  std::string text;
  put_array(text, 1, c.weights);
  put_array(text, 2, c.biases);
  put_array(text, 3, c.means);
  put_array(text, 4, c.variances);
  put_array(text, 5, c.gammas);
  put_array(text, 6, c.betas);
  return text;
}

inline std::string written_weights(const Network& n) {
  std::string weights;
  put_bytes(weights, 1, written(n.input));
  for (const Block& b : n.blocks) {
    std::string excitation;
    put_array(excitation, 1, b.w1);
    put_array(excitation, 2, b.b1);
    put_array(excitation, 3, b.w2);
    put_array(excitation, 4, b.b2);
    std::string block;
    put_bytes(block, 1, written(b.conv1));
    put_bytes(block, 2, written(b.conv2));
    put_bytes(block, 3, excitation);
    put_bytes(weights, 2, block);
  }
  put_bytes(weights, 3, written(n.policy2));
  put_bytes(weights, 6, written(n.value1));
  put_array(weights, 7, n.value2_w);
  put_array(weights, 8, n.value2_b);
  put_array(weights, 9, n.value3_w);
  put_array(weights, 10, n.value3_b);
  put_bytes(weights, 11, written(n.policy1));
  return weights;
}

// The protocol buffer, not yet packed.
inline std::string written(const Network& n) {
  std::string version;
  put_number(version, 1, 0);
  put_number(version, 2, n.format.minor_version);
  std::string network_format;
  for (std::uint32_t i = 0; i < n.format.network.size(); ++i) {
    if (n.format.network[i] != 0) put_number(network_format, i + 1, n.format.network[i]);
  }
  std::string format;
  put_number(format, 1, n.format.encoding);
  put_bytes(format, 2, network_format);
  std::string message;
  put_fixed32(message, 1, static_cast<std::uint32_t>(n.format.magic));
  put_bytes(message, 3, version);
  put_bytes(message, 4, format);
  put_bytes(message, 10, written_weights(n));
  return message;
}

inline std::string packed(const std::string& message) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, message.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(message.data()));
  stream.avail_in = static_cast<uInt>(message.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// ---- The plain way ----

using Boards = std::vector<Numbers>;  // [channel][square]

inline Boards convolve(const Convolution& c, const Boards& in, int size) {
  const auto width = static_cast<std::size_t>(size);
  const std::size_t taps = width * width;
  const std::size_t outs = c.weights.size() / (in.size() * taps);
  Boards out(outs, Numbers(64));
  for (std::size_t o = 0; o < outs; ++o) {
    for (int square = 0; square < 64; ++square) {
      double sum = 0;
      for (std::size_t i = 0; i < in.size(); ++i) {
        for (int y = 0; y < size; ++y) {
          for (int x = 0; x < size; ++x) {
            const int rank = square / 8 + y - size / 2;
            const int file = square % 8 + x - size / 2;
            if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
            sum += c.weights[(o * in.size() + i) * taps + width * static_cast<std::size_t>(y) +
                             static_cast<std::size_t>(x)] *
                   in[i].at(8U * static_cast<unsigned>(rank) + static_cast<unsigned>(file));
          }
        }
      }
      if (!c.biases.empty()) sum += c.biases[o];
      if (!c.means.empty()) sum = (sum - c.means[o]) * c.gammas[o] / std::sqrt(c.variances[o] + 1e-5) + c.betas[o];
      out[o][static_cast<std::size_t>(square)] = sum;
    }
  }
  return out;
}

inline void relu(Boards& boards) {
  for (Numbers& board : boards) {
    for (double& x : board) x = std::max(x, 0.0);
  }
}

inline Numbers dense(const Numbers& weights, const Numbers& biases, const Numbers& in) {
  Numbers out = biases;
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (std::size_t i = 0; i < in.size(); ++i) out[o] += weights[o * in.size() + i] * in[i];
  }
  return out;
}

struct Answer {
  Boards policy;  // logits, [plane][square]
  Numbers wdl;
};

inline Answer run(const Network& n, const Planes& planes) {
  Boards x(leela_planes, Numbers(64));
  for (std::size_t p = 0; p < leela_planes; ++p) {
    for (std::size_t s = 0; s < 64; ++s) x[p][s] = ((planes[p].mask >> s) & 1U) != 0 ? planes[p].value : 0;
  }
  x = convolve(n.input, x, 3);
  relu(x);
  for (const Block& b : n.blocks) {
    Boards y = convolve(b.conv1, x, 3);
    relu(y);
    Boards z = convolve(b.conv2, y, 3);
    Numbers means;
    for (const Numbers& board : z) {
      double sum = 0;
      for (const double v : board) sum += v;
      means.push_back(sum / 64);
    }
    Numbers squeezed = dense(b.w1, b.b1, means);
    for (double& v : squeezed) v = std::max(v, 0.0);
    const Numbers g = dense(b.w2, b.b2, squeezed);
    for (std::size_t c = 0; c < z.size(); ++c) {
      for (std::size_t s = 0; s < 64; ++s) {
        x[c][s] = std::max(0.0, z[c][s] / (1 + std::exp(-g[c])) + g[z.size() + c] + x[c][s]);
      }
    }
  }
  Boards p = convolve(n.policy1, x, 3);
  relu(p);
  Boards v = convolve(n.value1, x, 1);
  relu(v);
  Numbers flat;
  for (const Numbers& board : v) flat.insert(flat.end(), board.begin(), board.end());
  Numbers hidden = dense(n.value2_w, n.value2_b, flat);
  for (double& h : hidden) h = std::max(h, 0.0);
  Numbers wdl = dense(n.value3_w, n.value3_b, hidden);
  double sum = 0;
  for (double& w : wdl) sum += (w = std::exp(w));
  for (double& w : wdl) w /= sum;
  return {convolve(n.policy2, p, 3), wdl};
}

}  // namespace pm::nn::tiny
