// The `labels` scheme: nine labels from a centipawn and a probability scale (docs/rules.md 4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "verdict/judged_move.h"
#include "verdict/reason.h"

namespace pm::verdict {

enum class Label : std::uint8_t { book, miss, brilliant, best, excellent, good, inaccuracy, mistake, blunder };
inline constexpr std::size_t label_count = 9;
std::string_view name_of(Label label);

// Which of the two scales decides when they disagree.
enum class Dual : std::uint8_t { lenient, strict };

struct LabelsVerdict {
  Label label;
  Label severity;  // the table's label, kept beside Miss
  Reason reason;
};

struct LabelsOptions {
  Dual dual = Dual::lenient;
  bool brilliant = true;
};

// What a book and a shallower search say of the move; both optional.
struct LabelsKnowledge {
  BookKnowledge book = {};
  // The score of the position before at about half the depth: a brilliant move is one the engine itself needed depth
  // to see. Without it the score of the full search is taken.
  std::optional<WhiteScore> shallow_before = std::nullopt;
};

LabelsVerdict judge_labels(const JudgedMove& judged, const LabelsOptions& options = {},
                           const LabelsKnowledge& knowledge = {});

// The table alone. A mate counts as certain on the scale of probability, and on the other not at all.
Label label_by_loss(const MoverScore& before, const MoverScore& after, Dual dual);

}  // namespace pm::verdict
