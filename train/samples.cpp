#include "train/samples.h"

#include <algorithm>
#include <numeric>

#include "chess/movegen.h"
#include "human/policy_map.h"

namespace pm::train {
namespace {

constexpr std::size_t buffer_size = 1U << 16U;
// How much of what a person really played, and of how the game ended, goes into what is learnt of a game of people. The
// rest is the teacher's word, which is much less noisy.
constexpr float played_share = 0.25F;
constexpr float result_share = 0.25F;

Sample sample_of(const human::Trail& trail, int rating, int opponent_rating, const Teaching& teaching) {
  Sample sample;
  sample.planes = human::encode_planes(trail, rating, opponent_rating);
  const chess::MoveList legal = chess::legal_moves(trail.newest());
  float sum = 0;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const human::PolicySlot slot = human::policy_slot(legal[i], trail.newest().side_to_move());
    sample.slots.push_back(static_cast<std::uint16_t>(slot.plane * 64 + slot.from));
    sample.moves.push_back(static_cast<float>(teaching.moves[i]));
    sum += sample.moves.back();
  }
  for (float& p : sample.moves) p /= sum;
  const float results = static_cast<float>(teaching.results[0]) + teaching.results[1] + teaching.results[2];
  for (std::size_t i = 0; i < 3; ++i) sample.results[i] = static_cast<float>(teaching.results[i]) / results;
  return sample;
}

}  // namespace

std::vector<Sample> all_samples(const TaughtGame& game) {
  std::vector<Sample> samples;
  human::Trail trail(chess::Position::start());
  for (const TaughtPly& ply : game.plies) {
    const chess::MoveList legal = chess::legal_moves(trail.newest());
    if (legal.size() != ply.teachings[0].moves.size()) break;  // data of another program's making
    const bool white = trail.newest().side_to_move() == chess::Colour::white;
    const int own = game.ratings[white ? 0 : 1];
    const int other = game.ratings[white ? 1 : 0];
    samples.push_back(sample_of(trail, own, other, ply.teachings[0]));
    if (game.by_people) {
      Sample& sample = samples.back();
      for (float& p : sample.moves) p *= 1 - played_share;
      sample.moves[ply.played] += played_share;
      for (float& p : sample.results) p *= 1 - result_share;
      const int won = white ? game.result : 2 - game.result;  // 2: the mover won
      sample.results[static_cast<std::size_t>(2 - won)] += result_share;
    }
    if (own != other) samples.push_back(sample_of(trail, other, own, ply.teachings[1]));
    trail.play(legal[ply.played]);
  }
  return samples;
}

// A board is learnt at one of the two players' ratings, by lot: at both it would be almost the same twice.
void Samples::add_game(const TaughtGame& game) {
  std::vector<Sample> all = all_samples(game);
  const std::size_t ratings = game.ratings[0] != game.ratings[1] ? 2 : 1;
  for (std::size_t i = 0; i + ratings <= all.size(); i += ratings) {
    buffer_.push_back(std::move(all[ratings == 2 ? i + random_() % 2 : i]));
  }
}

Sample Samples::next() {
  while (buffer_.size() < buffer_size) {
    if (order_.empty()) {
      order_.resize(games_.size());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
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
