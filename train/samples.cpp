#include "train/samples.h"

#include <algorithm>

#include "chess/movegen.h"

namespace pm::train {
namespace {

constexpr std::size_t buffer_size = 1U << 16U;
// How much of what a person really played, and of how the game ended, goes into what is learnt of a game of people. The
// rest is the teacher's word, which is much less noisy.
constexpr float played_share = 0.25F;
constexpr float result_share = 0.25F;
// The stronger the player, the more there is to see: how often boards are learnt at a rating, relative to each other.
int weight_of(int rating) { return rating >= 1900 ? 5 : rating >= 1500 ? 3 : 2; }
constexpr int most_weight = 5;
constexpr int times_people = 3;  // how often a game of people comes up for each time one of the teachers' does

// The two ratings a board can be learnt at: the mover's, and the opponent's as if it were the mover's.
enum class Learnt { as_mover, as_opponent };

std::array<int, 2> ratings_of(const TaughtGame& game, const chess::PositionHistory& history, Learnt learnt) {
  const bool white = history.newest().side_to_move() == chess::Colour::white;
  const bool first = white == (learnt == Learnt::as_mover);
  return {game.ratings[first ? 0 : 1], game.ratings[first ? 1 : 0]};
}

Sample sample_of(const TaughtGame& game, const chess::PositionHistory& history, const TaughtPly& ply, Learnt learnt) {
  Sample sample;
  const auto [rating, opponent_rating] = ratings_of(game, history, learnt);
  sample.planes = nn::encode_planes(history, rating, opponent_rating);
  const Teaching& teaching = ply.teachings[learnt == Learnt::as_mover ? 0 : 1];
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
  if (game.by_people && learnt == Learnt::as_mover) {
    for (float& p : sample.moves) p *= 1 - played_share;
    sample.moves[ply.played] += played_share;
    for (float& p : sample.results) p *= 1 - result_share;
    const bool white = history.newest().side_to_move() == chess::Colour::white;
    const int won = white ? game.result : 2 - game.result;  // 2: the mover won
    sample.results[static_cast<std::size_t>(2 - won)] += result_share;
  }
  return sample;
}

// Calls visit(history, ply) for every position of a game.
template <class Visit>
void replay(const TaughtGame& game, const Visit& visit) {
  chess::PositionHistory history(chess::Position::start());
  for (const TaughtPly& ply : game.plies) {
    const chess::MoveList legal = chess::legal_moves(history.newest());
    if (legal.size() != ply.teachings[0].moves.size()) return;  // data of another program's making
    visit(history, ply);
    history.play(legal[ply.played]);
  }
}

}  // namespace

std::vector<Sample> all_samples(const TaughtGame& game) {
  std::vector<Sample> samples;
  replay(game, [&](const chess::PositionHistory& history, const TaughtPly& ply) {
    samples.push_back(sample_of(game, history, ply, Learnt::as_mover));
    if (game.ratings[0] != game.ratings[1]) samples.push_back(sample_of(game, history, ply, Learnt::as_opponent));
  });
  return samples;
}

// A board is learnt at one of the two players' ratings, by lot, or not this time: at both it would be almost the same
// twice.
void Samples::add_game(const TaughtGame& game) {
  const auto below = [&](int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); };
  replay(game, [&](const chess::PositionHistory& history, const TaughtPly& ply) {
    const auto [own, other] = ratings_of(game, history, Learnt::as_mover);
    Learnt learnt = Learnt::as_mover;
    if (own != other && below(weight_of(own) + weight_of(other)) < weight_of(other)) learnt = Learnt::as_opponent;
    if (below(most_weight) < weight_of(learnt == Learnt::as_mover ? own : other)) {
      buffer_.push_back(sample_of(game, history, ply, learnt));
    }
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
