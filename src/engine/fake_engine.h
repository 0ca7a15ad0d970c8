// For tests: an engine that answers at once. A score follows from the position it is of, so the same question always
// has the same answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "chess/draws.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/engine.h"

namespace pm::engine {

class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(std::size_t lines = 2) : lines_(lines) {}

  const std::string& name() const override { return name_; }
  Expected<void> new_game(const std::stop_token& /*stop*/) override { return {}; }
  Expected<Evaluation> evaluate(const Search& search, const std::stop_token& /*stop*/) override {
    const chess::Position position = search.state.current();
    const bool white = position.side_to_move() == chess::Colour::white;
    struct Scored {
      chess::Move move;
      int centipawns;
      bool mates;
    };
    std::vector<Scored> all;
    for (const chess::Move move : chess::legal_moves(position)) {
      const chess::Position after = position.after(move);
      const auto end = chess::game_end(after, 1);
      const bool mates = end == chess::GameEnd::checkmate;
      all.push_back({move, mates ? (white ? 100'000 : -100'000) : end ? 0 : centipawns(after), mates});
    }
    std::sort(all.begin(), all.end(), [&](const Scored& a, const Scored& b) {
      const int better = white ? a.centipawns - b.centipawns : b.centipawns - a.centipawns;
      return better != 0 ? better > 0 : a.move.bits() < b.move.bits();
    });
    Evaluation evaluation;
    evaluation.limit = search.limit;
    for (const Scored& each : all) {
      if (evaluation.lines.size() == lines_) break;
      const score::WhiteScore score =
          each.mates ? score::WhiteScore(score::Mate{1, white}) : score::WhiteScore(score::Centipawns{each.centipawns});
      evaluation.lines.push_back({score, static_cast<int>(search.limit.value), {each.move}});
    }
    return evaluation;
  }

 private:
  // From -300 to 300.
  static int centipawns(const chess::Position& position) {
    std::uint32_t hash = 2'166'136'261U;  // FNV-1a
    for (const char c : chess::format_fen(position)) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    return static_cast<int>(hash % 601U) - 300;
  }

  std::string name_ = "Fake Engine";
  std::size_t lines_;
};

}  // namespace pm::engine
