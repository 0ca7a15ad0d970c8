// A network file's answers by the framework's plain layers, to hold our own kernels against: nothing here is shared
// with nn/network.cpp but the weights.
#include <torch/torch.h>

#include <algorithm>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/movegen.h"
#include "chess/position_history.h"
#include "chess/uci.h"
#include "nn/planes.h"
#include "nn/policy_map.h"
#include "pgn/reader.h"
#include "train/commands.h"
#include "train/files.h"

namespace pm::train {
namespace {

using torch::Tensor;

Tensor tensor_of(const std::vector<float>& numbers, at::IntArrayRef sizes) {
  return torch::tensor(at::ArrayRef<float>(numbers)).view(sizes);
}

Tensor convolved(const Tensor& x, const nn::Layer& layer, std::int64_t size) {
  const auto out = static_cast<std::int64_t>(layer.biases.size());
  return torch::conv2d(x, tensor_of(layer.weights, {out, x.size(1), size, size}), tensor_of(layer.biases, {out}), 1,
                       size / 2);
}

Tensor linear(const Tensor& x, const nn::Layer& layer) {
  const auto out = static_cast<std::int64_t>(layer.biases.size());
  return torch::linear(x, tensor_of(layer.weights, {out, x.size(1)}), tensor_of(layer.biases, {out}));
}

struct Answer {
  Tensor moves;    // logits by plane, [plane * 64 + square]
  Tensor pairs;    // and by where a move comes from and goes to, [from * 64 + to]
  Tensor results;  // probabilities
};

Answer answer(const nn::Weights& w, const nn::Planes& planes) {
  Tensor x = torch::zeros({1, static_cast<std::int64_t>(w.planes), 8, 8});
  float* to = x.data_ptr<float>();
  for (const nn::Plane& plane : std::span(planes).first(w.planes)) {
    for (std::size_t square = 0; square < 64; ++square) *to++ = ((plane.mask >> square) & 1U) != 0 ? plane.value : 0;
  }
  x = torch::relu(convolved(x, w.input, 3));
  for (const nn::ResidualBlock& block : w.blocks) {
    const Tensor z = convolved(torch::relu(convolved(x, block.conv1, 3)), block.conv2, 3);
    const Tensor g = linear(torch::relu(linear(z.mean({2, 3}), block.squeeze)), block.excite);
    const auto parts = g.unsqueeze(-1).unsqueeze(-1).chunk(2, 1);
    x = torch::relu(z * torch::sigmoid(parts[0]) + parts[1] + x);
  }
  const Tensor policy = torch::relu(convolved(x, w.policy1, 3));
  const Tensor moves = convolved(policy, w.policy2, 3);
  const Tensor places = policy.flatten(2).squeeze(0).t();
  const Tensor pairs = linear(places, w.pairing).matmul(places.t());
  const Tensor value = linear(torch::relu(convolved(x, w.value1, 1)).flatten(1), w.value2);
  return {moves.flatten(), pairs.flatten(), torch::softmax(linear(torch::relu(value), w.value3).flatten(), 0)};
}

std::string record_of(const nn::Weights& weights, const chess::PositionHistory& history, const std::string& moves,
                      int rating, int opponent_rating) {
  const Answer found = answer(weights, nn::encode_planes(history, rating, opponent_rating));
  const chess::Position& position = history.newest();
  const chess::MoveList legal = chess::legal_moves(position);
  std::vector<std::int64_t> slots;
  std::vector<std::int64_t> pairs;
  for (const chess::Move move : legal) {
    const nn::PolicySlot slot = nn::policy_slot(move, position.side_to_move());
    slots.push_back(slot.plane * 64 + slot.from);
    pairs.push_back(slot.from * 64 + slot.to);
  }
  const Tensor logits = found.moves.take(torch::tensor(slots)) + found.pairs.take(torch::tensor(pairs));
  const Tensor percents = 100 * torch::softmax(logits.to(torch::kDouble), 0);
  std::string text = fmt::format(R"({{"moves": [{}], "rating": {}, "opponent_rating": {}, "policy_pct": {{)", moves,
                                 rating, opponent_rating);
  for (std::size_t i = 0; i < legal.size(); ++i) {
    text += fmt::format(R"({}"{}": {:.4f})", i == 0 ? "" : ", ", chess::format_uci(legal[i]),
                        percents[static_cast<std::int64_t>(i)].item<double>());
  }
  return text + fmt::format(R"(}}, "wdl": [{:.6f}, {:.6f}, {:.6f}]}})", found.results[0].item<double>(),
                            found.results[1].item<double>(), found.results[2].item<double>());
}

bool can_promote(const chess::Position& position) {
  const chess::MoveList legal = chess::legal_moves(position);
  return std::any_of(legal.begin(), legal.end(),
                     [](chess::Move move) { return move.kind() == chess::MoveKind::promotion; });
}

}  // namespace

Expected<void> make_golden(const GoldenCommand& command) {
  const auto network = read_network(command.model);
  if (!network) return tl::make_unexpected(network.error());
  const auto source = pgn::open_source(command.games);
  if (!source) return tl::make_unexpected(source.error());
  pgn::GameReader reader(**source);
  std::string records;
  // One position of each game, further and further on, at ratings all over the range; every fifth with a pawn that can
  // promote.
  const int range = network->highest_rating - network->lowest_rating;
  for (int made = 0; made < command.positions;) {
    const auto read = reader.next();
    if (!read) return fail(ErrorCode::bad_input, fmt::format("{}: too few games", command.games));
    chess::PositionHistory history(chess::Position::start());
    std::string moves;
    int plies = 0;
    const int wanted = 2 * made + made % 3;
    const auto found = [&] { return plies >= wanted && (made % 5 != 4 || can_promote(history.newest())); };
    for (auto n = read->game.main_move(0); n != pgn::Game::none && !found(); n = read->game.main_move(n)) {
      if (read->game.node(n).move.is_null()) break;
      moves += fmt::format(R"({}"{}")", moves.empty() ? "" : ", ", chess::format_uci(read->game.node(n).move));
      history.play(read->game.node(n).move);
      ++plies;
    }
    if (!found() || chess::legal_moves(history.newest()).empty()) continue;
    records +=
        fmt::format("{}\n  {}", made == 0 ? "" : ",",
                    record_of(network->weights, history, moves, network->lowest_rating + made * 137 % (range + 1),
                              network->lowest_rating + made * 311 % (range + 1)));
    ++made;
  }
  std::ofstream out(command.out);
  out << "{\"records\": [" << records << "\n]}\n" << std::flush;
  if (!out) return fail(ErrorCode::file_open, fmt::format("cannot write {}", command.out));
  return {};
}

}  // namespace pm::train
