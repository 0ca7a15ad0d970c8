#include "train/samples.h"

#include <algorithm>

#include "chess/fen.h"
#include "chess/movegen.h"

namespace pm::train {
namespace {

constexpr std::size_t buffer_size = 1U << 16U;
// How much of what a person really played, and of how the game ended, goes into what is learnt of a game of people. The
// rest is the teacher's word, which is much less noisy.
constexpr float played_share = 0.25F;
constexpr float result_share = 0.25F;
constexpr int times_people = 3;  // how often a game of people comes up for each time one of the teacher's does

Sample sample_of(const TaughtGame& game, const chess::PositionHistory& history, const TaughtPly& ply) {
  Sample sample;
  const bool white = history.newest().side_to_move() == chess::Colour::white;
  sample.planes = nn::encode_planes(history, game.ratings[white ? 0 : 1], game.ratings[white ? 1 : 0]);
  const Teaching& teaching = ply.teaching;
  const chess::MoveList legal = chess::legal_moves(history.newest());
  float sum = 0;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    sample.slots.push_back(nn::policy_slot(legal[i], history.newest().side_to_move()));
    sample.moves.push_back(static_cast<float>(teaching.moves[i]));
    sum += sample.moves.back();
  }
  for (float& p : sample.moves) p /= sum;
  const float results = static_cast<float>(teaching.results[0]) + teaching.results[1] + teaching.results[2];
  for (std::size_t i = 0; i < 3; ++i) sample.results[i] = static_cast<float>(teaching.results[i]) / results;
  if (game.by_people) {
    for (float& p : sample.moves) p *= 1 - played_share;
    sample.moves[ply.played] += played_share;
    for (float& p : sample.results) p *= 1 - result_share;
    const int won = white ? game.result : 2 - game.result;  // 2: the mover won
    sample.results[static_cast<std::size_t>(2 - won)] += result_share;
  }
  return sample;
}

// Calls visit(history, ply) for every position of a game.
template <class Visit>
void replay(const TaughtGame& game, const Visit& visit) {
  const auto start = game.start.empty() ? chess::Position::start() : chess::parse_fen(game.start);
  if (!start) return;
  chess::PositionHistory history(*start);
  for (const TaughtPly& ply : game.plies) {
    const chess::MoveList legal = chess::legal_moves(history.newest());
    if (legal.size() != ply.teaching.moves.size()) return;  // data of another program's making
    visit(history, ply);
    history.play(legal[ply.played]);
  }
}

}  // namespace

std::vector<Sample> all_samples(const TaughtGame& game) {
  std::vector<Sample> samples;
  replay(game, [&](const chess::PositionHistory& history, const TaughtPly& ply) {
    samples.push_back(sample_of(game, history, ply));
  });
  return samples;
}

void Samples::add_game(const TaughtGame& game) {
  replay(game, [&](const chess::PositionHistory& history, const TaughtPly& ply) {
    buffer_.push_back(sample_of(game, history, ply));
  });
}

Sample Samples::next() {
  while (buffer_.size() < buffer_size) {
    if (order_.empty()) {
      for (std::size_t i = 0; i < games_.size(); ++i)
        order_.insert(order_.end(), games_[i].by_people ? times_people : 1, i);
      std::shuffle(order_.begin(), order_.end(), random_);
    }
    add_game(games_[order_.back()]);
    order_.pop_back();
  }
  std::swap(buffer_[random_() % buffer_.size()], buffer_.back());
  Sample sample = std::move(buffer_.back());
  buffer_.pop_back();
  return sample;
}

}  // namespace pm::train
