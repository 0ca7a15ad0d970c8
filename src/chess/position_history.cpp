#include "chess/position_history.h"

#include <algorithm>

namespace pm::chess {

void PositionHistory::push(const Position& position) {
  if (position.halfmove_clock() == 0) earlier_.clear();
  const std::uint64_t key = position.repetition_key();
  const bool repeated = std::find(earlier_.begin(), earlier_.end(), key) != earlier_.end();
  if (earlier_.size() == most_remembered) earlier_.erase(earlier_.begin());
  earlier_.push_back(key);
  head_ = (head_ + 1) % boards;
  recent_[head_] = {position, repeated};
  size_ = std::min(size_ + 1, boards);
}

PositionHistory PositionHistory::at_end_of(std::span<const Position> game) {
  std::size_t first = game.size() - std::min(game.size(), boards);
  // Whether the oldest board had been there before is told by those behind it.
  for (std::size_t i = 0; i < most_remembered && first > 0 && game[first].halfmove_clock() != 0; ++i) --first;
  PositionHistory history(game[first]);
  for (const Position& each : game.subspan(first + 1)) history.push(each);
  return history;
}

int PositionHistory::occurrences() const {
  return static_cast<int>(std::count(earlier_.begin(), earlier_.end(), earlier_.back()));
}

bool PositionHistory::is_complete() const {
  return size_ == boards || board(size_ - 1).repetition_key() == Position::start().repetition_key();
}

PositionHistory::Key PositionHistory::key() const {
  // Two independent 64-bit mixes (the finaliser of SplitMix64 with different seeds) over everything planes.cpp reads.
  Key key{0x9E3779B97F4A7C15ULL, 0xD1B54A32D192ED03ULL};
  const auto add = [&key](std::uint64_t value) {
    const auto mix = [](std::uint64_t x) {
      x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
      x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
      return x ^ (x >> 31);
    };
    key.high = mix(key.high + value);
    key.low = mix((key.low ^ value) + 0x9E3779B97F4A7C15ULL);
  };
  for (std::size_t i = 0; i < size_; ++i) {
    add(board(i).placement_key());
    add(repeated(i) ? 1 : 0);
  }
  add(newest().castling_rooks().bits());
  add(board(size_ - 1).castling_rooks().bits());
  const auto oldest_en_passant = board(size_ - 1).en_passant();
  add(oldest_en_passant ? 1 + static_cast<std::uint64_t>(index(*oldest_en_passant)) : 0);
  // The legal moves depend on the newest position's own en-passant square too.
  add(newest().en_passant() ? 1 + static_cast<std::uint64_t>(index(*newest().en_passant())) : 0);
  add(static_cast<std::uint64_t>(newest().halfmove_clock()));
  add(size_);
  return key;
}

}  // namespace pm::chess
