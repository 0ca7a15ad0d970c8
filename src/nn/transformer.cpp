#include "nn/transformer.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pm::nn {
namespace {

constexpr float highest_rating = 5000;
constexpr std::size_t promotion_pieces = 4;

std::size_t seen_by(chess::Colour mover, chess::Square square) {
  const auto index = static_cast<std::size_t>(chess::index(square));
  return mover == chess::Colour::white ? index : index ^ 56U;
}

AlignedFloats aligned(const std::vector<float>& numbers, std::size_t size) {
  AlignedFloats copy(size);
  std::copy(numbers.begin(), numbers.end(), copy.data());
  return copy;
}

Bfloat nearest_bfloat(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return static_cast<Bfloat>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

}  // namespace

Maia3Squares encode_maia3(const chess::PositionHistory& history, std::size_t boards) {
  Maia3Squares all{};
  for (std::size_t slot = 0; slot < boards; ++slot) {  // the oldest first; before the first known, that is repeated
    const std::size_t ago = std::min(boards - 1 - slot, history.size() - 1);
    const chess::Position& position = history.board(ago);
    const chess::Colour mover = position.side_to_move();
    for (const chess::Colour side : {mover, !mover}) {
      for (int role = 0; role < chess::piece_kinds; ++role) {
        for (const chess::Square square : position.pieces(side, static_cast<chess::PieceKind>(role))) {
          PlanesOnSquare& there = all[seen_by(mover, square)];
          const int flag = (side == mover ? 0 : chess::piece_kinds) + role;
          there.planes[there.count++] =
              static_cast<std::uint8_t>(slot * maia3_flags_per_board + static_cast<unsigned>(flag));
        }
      }
    }
  }
  return all;
}

Maia3Move maia3_move(chess::Move m, chess::Colour mover) {
  const auto from = static_cast<int>(seen_by(mover, m.from()));
  const auto to = static_cast<int>(seen_by(mover, m.to()));
  if (m.kind() == chess::MoveKind::castling) {
    const int rank = from & ~7;
    return {from, rank + (to > from ? 6 : 2), -1};
  }
  if (m.kind() != chess::MoveKind::promotion) return {from, to, -1};
  return {from, to, chess::index(chess::PieceKind::queen) - chess::index(m.promoted())};
}

Maia3Network::Packed Maia3Network::pack(const Dense& dense, bool rounded) {
  const std::size_t size = dense.in * dense.out;
  Packed packed{dense.in, dense.out, AlignedFloats(rounded ? 0 : size), AlignedBfloats(rounded ? size : 0),
                aligned(dense.biases, dense.out)};
  for (std::size_t i = 0; i < dense.in; ++i) {
    for (std::size_t o = 0; o < dense.out; ++o) {
      const float weight = dense.weights[i * dense.out + o];
      const std::size_t block = o / lane_block * dense.in * lane_block;
      const std::size_t lane = o % lane_block;
      if (rounded) {
        packed.bfloats[block + i / 2 * 2 * lane_block + 2 * lane + i % 2] = nearest_bfloat(weight);
      } else {
        packed.weights[block + i * lane_block + lane] = weight;
      }
    }
  }
  return packed;
}

void Maia3Network::multiply(const Packed& layer, const float* from, std::size_t rows, Workspace& work,
                            float* to) const {
  if (layer.bfloats.size() == 0) {
    kernels_.multiply(from, rows, layer.in, layer.weights.data(), layer.out, to);
    return;
  }
  kernels_.to_bfloat(from, rows * layer.in, work.rounded.data());
  kernels_.multiply_bfloat(work.rounded.data(), rows, layer.in, layer.bfloats.data(), layer.out, to);
}

Maia3Network::PackedNorm Maia3Network::pack(const Norm& norm) {
  return {aligned(norm.weights, norm.weights.size()), aligned(norm.biases, norm.weights.size())};
}

Maia3Network::Maia3Network(const Maia3Weights& weights, const Kernels& kernels)
    : kernels_(kernels),
      boards_(weights.boards),
      width_(weights.width),
      heads_(weights.heads),
      widest_(3 * weights.width),
      low_rating_(weights.low_rating),
      high_rating_(weights.high_rating),
      flags_(weights.boards * maia3_flags_per_board * weights.width),
      token_biases_(aligned(weights.tokens.biases, weights.width)),
      pairs_(pack(weights.pairs)),
      last_(pack(weights.last)),
      from_(pack(weights.from)),
      to_(pack(weights.to)),
      promotion_(weights.promotion.weights.size()),
      value_norm_(pack(weights.value_norm)),
      value1_(pack(weights.value1)),
      value2_(weights.value2) {
  std::copy_n(weights.tokens.weights.begin(), flags_.size(), flags_.data());
  Dense ratings{2 * low_rating_.size(), width_, {}, {}};
  ratings.weights.assign(weights.tokens.weights.begin() + static_cast<std::ptrdiff_t>(flags_.size()),
                         weights.tokens.weights.end());
  ratings_ = pack(ratings);
  for (std::size_t piece = 0; piece < promotion_pieces; ++piece) {
    for (std::size_t c = 0; c < width_; ++c) {
      promotion_[piece * width_ + c] = weights.promotion.weights[c * promotion_pieces + piece];
    }
  }
  // The large layers; the others cost little, and the moves would feel it. With the way out of the attention too, moves
  // come within a hair of the half point that they may differ by, on one side or the other.
  const bool rounded = kernels_.multiply_bfloat != nullptr;
  blocks_.reserve(weights.blocks.size());
  for (const EncoderBlock& from : weights.blocks) {
    blocks_.push_back({pack(from.squeeze), pack(from.squeeze_norm), pack(from.expand), pack(from.expand_norm),
                       pack(from.query_key_value, rounded), pack(from.out), pack(from.norm1), pack(from.feed1, rounded),
                       pack(from.feed2, rounded), pack(from.norm2)});
    widest_ = std::max(widest_, from.feed1.out);
  }
}

Maia3Network::Workspace::Workspace(const Maia3Network& network)
    : x(boards_at_once * squares * network.width_),
      wide(boards_at_once * squares * network.widest_),
      mixed(boards_at_once * squares * network.width_),
      mean(boards_at_once * network.width_),
      small(boards_at_once * std::max(network.blocks_.front().squeeze.out, network.value1_.out)),
      parts(boards_at_once * network.heads_ * network.pairs_.in),
      pairs(boards_at_once * network.heads_ * squares * squares),
      head(4 * squares * (network.width_ / network.heads_) + squares * squares),
      rating(2 * network.low_rating_.size() + network.width_),
      rounded(network.kernels_.multiply_bfloat == nullptr
                  ? 0
                  : std::max({boards_at_once * squares * network.widest_, network.ratings_.in, parts.size()})) {}

void Maia3Network::run(std::span<const Maia3Input> inputs, bool want_value, std::span<NetworkOutput> outputs) const {
  const auto work = spare_.borrow([&] { return std::make_unique<Workspace>(*this); });
  for (std::size_t done = 0; done < inputs.size(); done += boards_at_once) {
    const std::size_t now = std::min(boards_at_once, inputs.size() - done);
    run_some(inputs.subspan(done, now), want_value, *work, &outputs[done]);
  }
}

// What stands on each square, and who plays.
void Maia3Network::tokens(const Maia3Input& input, Workspace& work, float* x) const {
  const std::size_t size = low_rating_.size();
  float* ratings = work.rating.data();
  float* added = ratings + 2 * size;
  for (std::size_t player = 0; player < 2; ++player) {
    const auto rating = static_cast<float>(player == 0 ? input.rating : input.opponent_rating);
    const float part = std::clamp(rating, 0.0F, highest_rating) / highest_rating;
    for (std::size_t i = 0; i < size; ++i) {
      ratings[player * size + i] = part * low_rating_[i] + (1 - part) * high_rating_[i];
    }
  }
  multiply(ratings_, ratings, 1, work, added);
  for (std::size_t c = 0; c < width_; ++c) added[c] += token_biases_[c];
  for (std::size_t square = 0; square < squares; ++square) {
    float* token = x + square * width_;
    std::copy_n(added, width_, token);
    const PlanesOnSquare& there = (*input.squares)[square];
    for (std::size_t i = 0; i < there.count; ++i) {
      const float* flag = flags_.data() + there.planes[i] * width_;
      for (std::size_t c = 0; c < width_; ++c) token[c] += flag[c];
    }
  }
}

// How much each square should look at each other one, whatever stands there now: from the mean over all squares.
void Maia3Network::pair_biases(const Block& block, std::size_t boards, Workspace& work) const {
  for (std::size_t b = 0; b < boards; ++b) {
    float* mean = work.mean.data() + b * width_;
    kernels_.sum_squares(work.x.data() + b * squares * width_, width_, mean);
    for (std::size_t c = 0; c < width_; ++c) mean[c] /= static_cast<float>(squares);
  }
  multiply(block.squeeze, work.mean.data(), boards, work, work.small.data());
  kernels_.add_bias_gelu(work.small.data(), boards, block.squeeze.out, block.squeeze.biases.data());
  kernels_.layer_norm(work.small.data(), boards, block.squeeze.out, block.squeeze_norm.scale.data(),
                      block.squeeze_norm.shift.data());
  multiply(block.expand, work.small.data(), boards, work, work.parts.data());
  kernels_.add_bias_gelu(work.parts.data(), boards, block.expand.out, block.expand.biases.data());
  kernels_.layer_norm(work.parts.data(), boards, block.expand.out, block.expand_norm.scale.data(),
                      block.expand_norm.shift.data());
  multiply(pairs_, work.parts.data(), boards * heads_, work, work.pairs.data());
}

// From queries, keys and values in `wide` to `mixed`.
void Maia3Network::attention(std::size_t boards, Workspace& work) const {
  const std::size_t size = width_ / heads_;
  const float scale = 1.0F / std::sqrt(static_cast<float>(size));
  float* queries = work.head.data();
  float* keys = queries + squares * size;   // [square / 16][channel][16]
  float* values = keys + squares * size;    // [channel / 16][square][16]
  float* result = values + squares * size;  // [square][channel]
  float* scores = result + squares * size;
  for (std::size_t b = 0; b < boards; ++b) {
    for (std::size_t h = 0; h < heads_; ++h) {
      for (std::size_t s = 0; s < squares; ++s) {
        const float* row = work.wide.data() + (b * squares + s) * 3 * width_ + h * size;
        float* key = keys + s / lane_block * size * lane_block + s % lane_block;
        for (std::size_t c = 0; c < size; ++c) {
          queries[s * size + c] = row[c] * scale;
          key[c * lane_block] = row[width_ + c];
        }
        for (std::size_t c = 0; c < size; c += lane_block) {
          std::copy_n(row + 2 * width_ + c, lane_block, values + (c / lane_block * squares + s) * lane_block);
        }
      }
      kernels_.multiply(queries, squares, size, keys, squares, scores);
      kernels_.softmax(scores, work.pairs.data() + (b * heads_ + h) * squares * squares, squares, squares);
      kernels_.multiply(scores, squares, squares, values, size, result);
      for (std::size_t s = 0; s < squares; ++s) {
        std::copy_n(result + s * size, size, work.mixed.data() + (b * squares + s) * width_ + h * size);
      }
    }
  }
}

void Maia3Network::block(const Block& block, std::size_t boards, Workspace& work) const {
  const std::size_t rows = boards * squares;
  pair_biases(block, boards, work);
  multiply(block.query_key_value, work.x.data(), rows, work, work.wide.data());
  attention(boards, work);
  multiply(block.out, work.mixed.data(), rows, work, work.wide.data());
  kernels_.add_and_norm(work.x.data(), work.wide.data(), nullptr, rows, width_, block.norm1.scale.data());
  multiply(block.feed1, work.x.data(), rows, work, work.wide.data());
  kernels_.add_bias_gelu(work.wide.data(), rows, block.feed1.out, block.feed1.biases.data());
  multiply(block.feed2, work.wide.data(), rows, work, work.mixed.data());
  kernels_.add_and_norm(work.x.data(), work.mixed.data(), block.feed2.biases.data(), rows, width_,
                        block.norm2.scale.data());
}

void Maia3Network::run_some(std::span<const Maia3Input> inputs, bool want_value, Workspace& work,
                            NetworkOutput* outputs) const {
  const std::size_t boards = inputs.size();
  for (std::size_t b = 0; b < boards; ++b) tokens(inputs[b], work, work.x.data() + b * squares * width_);
  for (const Block& each : blocks_) block(each, boards, work);
  const std::size_t rows = boards * squares;
  kernels_.layer_norm(work.x.data(), rows, width_, last_.scale.data(), last_.shift.data());
  float* from = work.wide.data();
  float* to = work.mixed.data();
  multiply(from_, work.x.data(), rows, work, from);
  multiply(to_, work.x.data(), rows, work, to);
  const float scale = std::sqrt(static_cast<float>(width_));
  for (std::size_t b = 0; b < boards; ++b) {
    outputs[b].logits.clear();
    for (const Maia3Move& move : inputs[b].moves) {
      const float* there = to + (b * squares + static_cast<std::size_t>(move.to)) * width_;
      float logit =
          kernels_.dot(from + (b * squares + static_cast<std::size_t>(move.from)) * width_, there, width_) / scale;
      if (move.promotion >= 0) {
        logit +=
            scale * kernels_.dot(there, promotion_.data() + static_cast<std::size_t>(move.promotion) * width_, width_);
      }
      outputs[b].logits.push_back(logit);
    }
  }
  if (want_value) value_head(boards, work, outputs);
}

void Maia3Network::value_head(std::size_t boards, Workspace& work, NetworkOutput* outputs) const {
  for (std::size_t b = 0; b < boards; ++b) {
    float* mean = work.mean.data() + b * width_;
    kernels_.sum_squares(work.x.data() + b * squares * width_, width_, mean);
    for (std::size_t c = 0; c < width_; ++c) mean[c] /= static_cast<float>(squares);
  }
  kernels_.layer_norm(work.mean.data(), boards, width_, value_norm_.scale.data(), value_norm_.shift.data());
  multiply(value1_, work.mean.data(), boards, work, work.small.data());
  kernels_.add_bias_relu(work.small.data(), boards, value1_.out, value1_.biases.data());
  for (std::size_t b = 0; b < boards; ++b) {
    std::array<float, 3> logits{};  // loss, draw, win
    for (std::size_t o = 0; o < logits.size(); ++o) {
      logits[o] = value2_.biases[o];
      for (std::size_t i = 0; i < value2_.in; ++i) {
        logits[o] += work.small[b * value2_.in + i] * value2_.weights[i * logits.size() + o];
      }
    }
    const float most = *std::max_element(logits.begin(), logits.end());
    float sum = 0;
    for (float& logit : logits) sum += logit = std::exp(logit - most);
    for (std::size_t o = 0; o < logits.size(); ++o) outputs[b].wdl[o] = logits[logits.size() - 1 - o] / sum;
  }
}

}  // namespace pm::nn
