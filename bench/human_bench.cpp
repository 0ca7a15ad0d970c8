// Maia-1 networks: our kernels beside oneDNN, doing the same work in the same run.
//
//   build/bench/bench/human_bench NETWORK.pb.gz [OWN.net]
//
// The peer is put together as the networks' own engine does on a processor: 3x3 convolutions by Winograd's F(4x4, 3x3)
// with oneDNN's matrix product (dnnl_sgemm) at each of the 36 points, the first layer and the policy's last one in
// full. Its transforms and other layers are ours, so that only the two ways of multiplying and our shortcuts are
// compared. A second peer leaves the convolutions to oneDNN's own primitive. The network built into the program, or
// the one given, runs beside them. Best of some rounds, in turns; positions a second.
#include <malloc.h>
#include <dnnl.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "human/built_in.h"
#include "nn/leela_file.h"
#include "nn/network.h"
#include "nn/network_file.h"

namespace pm::human {
namespace {

struct Position {
  nn::Planes planes;
  nn::Planes rated_planes;  // for our own network
  std::vector<nn::PolicySlot> slots;
};

std::vector<Position> positions(std::size_t count) {
  std::mt19937 random(1);
  std::vector<Position> all;
  chess::PositionHistory history(chess::Position::start());
  while (all.size() < count) {
    const chess::MoveList moves = chess::legal_moves(history.newest());
    if (moves.empty() || history.newest().move_number() > 40) {
      history = chess::PositionHistory(chess::Position::start());
      continue;
    }
    Position position{nn::encode_planes(history), nn::encode_planes(history, 1500, 1500), {}};
    for (const chess::Move m : moves) position.slots.push_back(nn::policy_slot(m, history.newest().side_to_move()));
    all.push_back(std::move(position));
    history.play(moves[random() % moves.size()]);
  }
  return all;
}

// What a peer computes for a batch: every layer in full, boards as [square][channel].
class Peer {
 public:
  explicit Peer(const nn::Weights& weights) : weights_(weights) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  std::vector<nn::NetworkOutput> run(const std::vector<Position>& positions, std::size_t begin, std::size_t end) {
    const std::size_t boards = end - begin;
    Floats x = dense_planes(positions, begin, end);
    x = convolve(weights_.input, x, boards, nn::leela_planes, weights_.channels, true);
    for (const nn::ResidualBlock& block : weights_.blocks) {
      Floats z = convolve(block.conv1, x, boards, weights_.channels, weights_.channels, true);
      z = convolve(block.conv2, z, boards, weights_.channels, weights_.channels, false);
      excite(block, z, x, boards);
    }
    Floats policy = convolve(weights_.policy1, x, boards, weights_.channels, weights_.channels, true);
    policy = convolve(weights_.policy2, policy, boards, weights_.channels, weights_.policy2.biases.size(), false);
    std::vector<nn::NetworkOutput> outputs(boards);
    for (std::size_t b = 0; b < boards; ++b) {
      for (const nn::PolicySlot& slot : positions[begin + b].slots) {
        const std::size_t square = b * nn::squares + static_cast<std::size_t>(slot.from);
        outputs[b].logits.push_back(
            policy[square * weights_.policy2.biases.size() + static_cast<std::size_t>(slot.plane)]);
      }
    }
    value(x, boards, outputs);
    return outputs;
  }

 protected:
  using Floats = std::vector<float>;
  virtual Floats convolve(const nn::Layer& layer, const Floats& from, std::size_t boards, std::size_t in,
                          std::size_t out, bool relu) = 0;

  // c = a (rows x inner) * b (inner x columns), all row by row.
  static void multiply(const float* a, const float* b, float* c, std::size_t rows, std::size_t columns,
                       std::size_t inner, char transposed_b) {
    const auto ldb = static_cast<dnnl_dim_t>(transposed_b == 'T' ? inner : columns);
    dnnl_sgemm('N', transposed_b, static_cast<dnnl_dim_t>(rows), static_cast<dnnl_dim_t>(columns),
               static_cast<dnnl_dim_t>(inner), 1, a, static_cast<dnnl_dim_t>(inner), b, ldb, 0, c,
               static_cast<dnnl_dim_t>(columns));
  }

 private:
  static Floats dense_planes(const std::vector<Position>& positions, std::size_t begin, std::size_t end) {
    Floats x((end - begin) * nn::squares * nn::leela_planes);
    for (std::size_t b = begin; b < end; ++b) {
      for (std::size_t p = 0; p < nn::leela_planes; ++p) {
        const nn::Plane& plane = positions[b].planes[p];
        for (std::size_t s = 0; s < nn::squares; ++s) {
          if (((plane.mask >> s) & 1U) != 0) x[((b - begin) * nn::squares + s) * nn::leela_planes + p] = plane.value;
        }
      }
    }
    return x;
  }

  void excite(const nn::ResidualBlock& block, const Floats& z, Floats& x, std::size_t boards) const {
    const std::size_t channels = weights_.channels;
    const std::size_t squeezed = block.squeeze.biases.size();
    Floats means(channels);
    Floats hidden(squeezed);
    Floats scales(2 * channels);
    for (std::size_t b = 0; b < boards; ++b) {
      const float* zb = z.data() + b * nn::squares * channels;
      float* xb = x.data() + b * nn::squares * channels;
      std::fill(means.begin(), means.end(), 0.0F);
      for (std::size_t s = 0; s < nn::squares; ++s) {
        for (std::size_t c = 0; c < channels; ++c) means[c] += zb[s * channels + c];
      }
      for (float& mean : means) mean /= nn::squares;
      multiply(means.data(), block.squeeze.weights.data(), hidden.data(), 1, squeezed, channels, 'T');
      for (std::size_t i = 0; i < squeezed; ++i) hidden[i] = std::max(0.0F, hidden[i] + block.squeeze.biases[i]);
      multiply(hidden.data(), block.excite.weights.data(), scales.data(), 1, 2 * channels, squeezed, 'T');
      for (std::size_t i = 0; i < 2 * channels; ++i) scales[i] += block.excite.biases[i];
      for (std::size_t c = 0; c < channels; ++c) scales[c] = 1 / (1 + std::exp(-scales[c]));
      for (std::size_t s = 0; s < nn::squares; ++s) {
        for (std::size_t c = 0; c < channels; ++c) {
          const std::size_t at = s * channels + c;
          xb[at] = std::max(0.0F, zb[at] * scales[c] + scales[channels + c] + xb[at]);
        }
      }
    }
  }

  void value(const Floats& x, std::size_t boards, std::vector<nn::NetworkOutput>& outputs) const {
    const std::size_t planes = weights_.value1.biases.size();
    const std::size_t hidden = weights_.value2.biases.size();
    Floats v(boards * nn::squares * planes);
    multiply(x.data(), weights_.value1.weights.data(), v.data(), boards * nn::squares, planes, weights_.channels, 'T');
    Floats flat(v.size());  // [channel][square], as the next layer wants it
    for (std::size_t b = 0; b < boards; ++b) {
      for (std::size_t s = 0; s < nn::squares; ++s) {
        for (std::size_t p = 0; p < planes; ++p) {
          flat[(b * planes + p) * nn::squares + s] =
              std::max(0.0F, v[(b * nn::squares + s) * planes + p] + weights_.value1.biases[p]);
        }
      }
    }
    Floats h(boards * hidden);
    multiply(flat.data(), weights_.value2.weights.data(), h.data(), boards, hidden, planes * nn::squares, 'T');
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = std::max(0.0F, h[i] + weights_.value2.biases[i % hidden]);
    Floats logits(boards * 3);
    multiply(h.data(), weights_.value3.weights.data(), logits.data(), boards, 3, hidden, 'T');
    for (std::size_t b = 0; b < boards; ++b) {
      float sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        sum += outputs[b].wdl[i] = std::exp(logits[3 * b + i] + weights_.value3.biases[i]);
      }
      for (float& part : outputs[b].wdl) part /= sum;
    }
  }

  const nn::Weights& weights_;
};

// Convolutions by Winograd's way with oneDNN's matrix product.
class WinogradPeer final : public Peer {
 public:
  explicit WinogradPeer(const nn::Weights& weights) : Peer(weights) {
    prepare(weights.input, nn::leela_planes);
    for (const nn::ResidualBlock& block : weights.blocks) {
      prepare(block.conv1, weights.channels);
      prepare(block.conv2, weights.channels);
    }
    prepare(weights.policy1, weights.channels);
    prepare(weights.policy2, weights.channels);
  }

 private:
  // [36][in][out], without the packing of our own kernels.
  void prepare(const nn::Layer& layer, std::size_t in) {
    constexpr float g[6][3] = {{1.0F / 4, 0, 0},
                               {-1.0F / 6, -1.0F / 6, -1.0F / 6},
                               {-1.0F / 6, 1.0F / 6, -1.0F / 6},
                               {1.0F / 24, 1.0F / 12, 1.0F / 6},
                               {1.0F / 24, -1.0F / 12, 1.0F / 6},
                               {0, 0, 1}};
    const std::size_t out = layer.biases.size();
    nn::AlignedFloats points(nn::winograd_points * in * out);
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < in; ++i) {
        const float* w = &layer.weights[(o * in + i) * 9];
        for (std::size_t p = 0; p < nn::winograd_points; ++p) {
          float sum = 0;
          for (std::size_t tap = 0; tap < 9; ++tap) sum += g[p / 6][tap / 3] * g[p % 6][tap % 3] * w[tap];
          points[(p * in + i) * out + o] = sum;
        }
      }
    }
    nn::AlignedFloats biases(out);
    std::copy(layer.biases.begin(), layer.biases.end(), biases.data());
    prepared_.push_back({&layer, std::move(points), std::move(biases)});
  }

  Floats convolve(const nn::Layer& layer, const Floats& from, std::size_t boards, std::size_t in, std::size_t out,
                  bool relu) override {
    const auto found =
        std::find_if(prepared_.begin(), prepared_.end(), [&](const Prepared& p) { return p.layer == &layer; });
    const nn::Kernels& kernels = nn::best_kernels();
    float* board = room(board_, from.size());
    std::copy(from.begin(), from.end(), board);
    float* points = room(points_, nn::winograd_points * nn::point_stride(boards, in));
    float* products = room(products_, nn::winograd_points * nn::point_stride(boards, out));
    kernels.board_to_points(board, boards, in, points);
    for (std::size_t p = 0; p < nn::winograd_points; ++p) {
      multiply(points + p * nn::point_stride(boards, in), found->points.data() + p * in * out,
               products + p * nn::point_stride(boards, out), boards * nn::tiles_per_board, out, in, 'N');
    }
    const std::size_t size = boards * nn::squares * out;
    float* to = room(to_, size);
    kernels.points_to_board(products, boards, out, found->biases.data(), relu, to);
    return {to, to + size};
  }

  static float* room(nn::AlignedFloats& kept, std::size_t size) {
    if (kept.size() < size) kept = nn::AlignedFloats(size);
    return kept.data();
  }

  struct Prepared {
    const nn::Layer* layer;
    nn::AlignedFloats points;
    nn::AlignedFloats biases;
  };
  std::vector<Prepared> prepared_;
  nn::AlignedFloats board_;
  nn::AlignedFloats points_;
  nn::AlignedFloats products_;
  nn::AlignedFloats to_;
};

// Convolutions by oneDNN's own primitive, which chooses its algorithm and its layout of the weights.
class PrimitivePeer final : public Peer {
 public:
  using Peer::Peer;

 private:
  using Memory = dnnl::memory;

  Floats convolve(const nn::Layer& layer, const Floats& from, std::size_t boards, std::size_t in, std::size_t out,
                  bool relu) override {
    Prepared& prepared = prepare(layer, boards, in, out, relu);
    Floats to(boards * nn::squares * out);
    prepared.source.set_data_handle(const_cast<float*>(from.data()));
    prepared.target.set_data_handle(to.data());
    prepared.primitive.execute(stream_, {{DNNL_ARG_SRC, prepared.source},
                                         {DNNL_ARG_WEIGHTS, prepared.weights},
                                         {DNNL_ARG_BIAS, prepared.bias},
                                         {DNNL_ARG_DST, prepared.target}});
    stream_.wait();
    return to;
  }

  struct Prepared {
    const nn::Layer* layer;
    std::size_t boards;
    dnnl::convolution_forward primitive;
    Memory source;
    Memory weights;
    Memory bias;
    Memory target;
  };

  Prepared& prepare(const nn::Layer& layer, std::size_t boards, std::size_t in, std::size_t out, bool relu) {
    for (Prepared& each : prepared_) {
      if (each.layer == &layer && each.boards == boards) return each;
    }
    const auto n = static_cast<Memory::dim>(boards);
    const auto i = static_cast<Memory::dim>(in);
    const auto o = static_cast<Memory::dim>(out);
    using Type = Memory::data_type;
    using Tag = Memory::format_tag;
    const Memory::desc source({n, i, 8, 8}, Type::f32, Tag::nhwc);
    const Memory::desc target({n, o, 8, 8}, Type::f32, Tag::nhwc);
    const Memory::desc any({o, i, 3, 3}, Type::f32, Tag::any);
    const Memory::desc bias({o}, Type::f32, Tag::x);
    const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference,
                                                      dnnl::algorithm::convolution_auto, source, any, bias, target,
                                                      {1, 1}, {1, 1}, {1, 1});
    dnnl::primitive_attr attributes;
    if (relu) {
      dnnl::post_ops after;
      after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
      attributes.set_post_ops(after);
    }
    const dnnl::convolution_forward::primitive_desc chosen(description, attributes, engine_);
    Memory plain({{o, i, 3, 3}, Type::f32, Tag::oihw}, engine_, const_cast<float*>(layer.weights.data()));
    Memory weights(chosen.weights_desc(), engine_);
    dnnl::reorder(plain, weights).execute(stream_, plain, weights);
    stream_.wait();
    prepared_.push_back({&layer, boards, dnnl::convolution_forward(chosen), Memory(source, engine_, nullptr), weights,
                         Memory(bias, engine_, const_cast<float*>(layer.biases.data())),
                         Memory(target, engine_, nullptr)});
    return prepared_.back();
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<Prepared> prepared_;
};

// Positions a second over a third of a second.
template <class Run>
double speed(std::size_t batch, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::chrono::duration<double> taken{};
  std::size_t done = 0;
  while (taken.count() < 0.3) {
    run();
    done += batch;
    taken = Clock::now() - begin;
  }
  return static_cast<double>(done) / taken.count();
}

double largest_difference(const std::vector<nn::NetworkOutput>& a, const std::vector<nn::NetworkOutput>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t m = 0; m < a[i].logits.size(); ++m) {
      most = std::max<double>(most, std::abs(a[i].logits[m] - b[i].logits[m]));
    }
  }
  return most;
}

// The batch in two halves on two threads, or whole on one.
template <class Part>
void in_threads(std::size_t batch, std::size_t threads, const Part& part) {
  if (threads == 1) return part(0, 0, batch);
  const std::jthread other([&] { part(1, batch / 2, batch); });
  part(0, 0, batch / 2);
}

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int compare(const char* path, const char* own_path) {
  const auto weights = nn::parse_leela(bytes_of(path));
  if (!weights) {
    fmt::print(stderr, "{}: {}\n", path, weights.error().sentence);
    return 1;
  }
  const nn::Network network(*weights);
  const auto own_network =
      own_path != nullptr ? nn::parse_network(bytes_of(own_path)) : nn::parse_network(built_in_network());
  if (!own_network) {
    fmt::print(stderr, "{}: {}\n", own_path, own_network.error().sentence);
    return 1;
  }
  const nn::Network own(own_network->weights);
  // One peer per thread: they keep memory to compute in.
  WinogradPeer winograd[2] = {WinogradPeer(*weights), WinogradPeer(*weights)};
  PrimitivePeer primitive[2] = {PrimitivePeer(*weights), PrimitivePeer(*weights)};
  const auto all = positions(32);
  std::vector<nn::NetworkInput> inputs;
  inputs.reserve(all.size());
  for (const Position& position : all) inputs.push_back({&position.planes, position.slots});
  std::vector<nn::NetworkInput> rated_inputs;
  rated_inputs.reserve(all.size());
  for (const Position& position : all) rated_inputs.push_back({&position.rated_planes, position.slots});
  std::vector<nn::NetworkOutput> outputs(all.size());
  network.run(inputs, true, outputs);
  fmt::print("largest difference of a logit: {:.6f} from sgemm, {:.6f} from the primitive; {}\n",
             largest_difference(outputs, winograd[0].run(all, 0, all.size())),
             largest_difference(outputs, primitive[0].run(all, 0, all.size())), nn::best_kernels().name);
  constexpr int rounds = 9;
  for (const auto& [batch, threads] : {std::pair<std::size_t, std::size_t>{1, 1}, {32, 1}, {32, 2}}) {
    double ours = 0;
    double ours_small = 0;
    double sgemm = 0;
    double conv = 0;
    for (int round = 0; round < rounds; ++round) {  // in turns: all have the same luck with the machine
      const auto run = [&](const nn::Network& some, std::span<const nn::NetworkInput> with) {
        return speed(batch, [&] {
          in_threads(batch, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
            some.run(with.subspan(begin, end - begin), true, std::span(outputs).subspan(begin, end - begin));
          });
        });
      };
      ours = std::max(ours, run(network, inputs));
      ours_small = std::max(ours_small, run(own, rated_inputs));
      sgemm = std::max(sgemm, speed(batch, [&] {
                         in_threads(batch, threads, [&](std::size_t thread, std::size_t begin, std::size_t end) {
                           winograd[thread].run(all, begin, end);
                         });
                       }));
      conv = std::max(conv, speed(batch, [&] {
                        in_threads(batch, threads, [&](std::size_t thread, std::size_t begin, std::size_t end) {
                          primitive[thread].run(all, begin, end);
                        });
                      }));
    }
    fmt::print(
        "Maia-1, batch {:>2}, {} {}: {:>5.0f} positions/s; oneDNN with Winograd {:>5.0f}, ratio {:.2f}; oneDNN's "
        "convolution {:>5.0f}, ratio {:.2f}\n",
        batch, threads, threads == 1 ? "thread " : "threads", ours, sgemm, ours / sgemm, conv, ours / conv);
    fmt::print("{} beside it: {:>5.0f} positions/s, {:.2f} times Maia-1\n", own_network->name, ours_small,
               ours_small / ours);
  }
  double load = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const auto read = nn::parse_leela(bytes_of(path));
    const nn::Network loaded(*read);
    load = std::min(load, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  fmt::print("load of one network: {:.1f} ms, asked for 30\n", 1e3 * load);
  return 0;
}

}  // namespace
}  // namespace pm::human

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: human_bench NETWORK.pb.gz [OWN.net]\n");
    return 2;
  }
  // Memory that is given back is kept: the peers are not to be measured by page faults.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  return pm::human::compare(argv[1], argc == 3 ? argv[2] : nullptr);
}
