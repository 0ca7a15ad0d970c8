// The `acpl` scheme: how many centipawns a move gives away (docs/rules.md 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "verdict/judged_move.h"
#include "verdict/reason.h"

namespace pm::verdict {

enum class Judgement : std::uint8_t { inaccuracy, mistake, blunder };
inline constexpr std::size_t judgement_kinds = 3;
std::string_view name_of(Judgement judgement);

// Centipawn loss, 0..2000: mates and scores beyond +-1000 count as +-1000.
int centipawn_loss(const MoverScore& before, const MoverScore& after);
// 50, 100 and 200 centipawns.
std::optional<Judgement> judge_centipawn_loss(int loss);

struct AcplVerdict {
  int loss;                        // centipawns
  std::optional<Judgement> error;  // never of the engine's first choice
  Reason reason;
};
AcplVerdict judge_acpl(const JudgedMove& judged);

}  // namespace pm::verdict
