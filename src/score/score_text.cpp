#include "score/score_text.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/numbers.h"

namespace pm::score {
namespace {

std::string mate_text(const Mate& mate) { return fmt::format("#{}{}", mate.wins ? "" : "-", mate.moves); }

}  // namespace

std::string format_score(const WhiteScore& white) {
  if (const Mate* mate = white.score().mate()) return mate_text(*mate);
  return fmt::format("{}", white.score().centipawns()->value);
}

std::optional<WhiteScore> parse_score(std::string_view text) {
  const bool is_mate = text.starts_with('#');
  const auto value = parse_number<int>(text.substr(is_mate ? 1 : 0));
  constexpr int most = 1'000'000;
  if (!value || (is_mate && *value == 0) || *value > most || *value < -most) return std::nullopt;
  if (is_mate) return WhiteScore(Mate{std::abs(*value), *value > 0});
  return WhiteScore(Centipawns{*value});
}

std::string pawns_text(const Score& score) {
  if (const Mate* mate = score.mate()) return mate->moves == 0 ? "mate" : mate_text(*mate);
  const int cp = score.centipawns()->value;
  return cp == 0 ? "0.00" : fmt::format("{:+.2f}", cp / 100.0);
}

std::string score_in_words(const MoverScore& score) {
  const Mate* mate = score.mate();
  if (mate == nullptr) return pawns_text(score.score());
  if (mate->moves == 0) return mate->wins ? "checkmate" : "being mated";
  return fmt::format("{} in {}", mate->wins ? "mate" : "being mated", mate->moves);
}

}  // namespace pm::score
