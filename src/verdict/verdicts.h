// All four schemes at once: what a review keeps of every move.
#pragma once

#include <optional>

#include "verdict/acpl.h"
#include "verdict/labels.h"
#include "verdict/lichess.h"
#include "verdict/points.h"

namespace pm::verdict {

struct SchemeOptions {
  bool theory = true;  // ask the opening book
  PointsOptions points;
  LabelsOptions labels;
};

// What is known of a move besides the engine's lines.
struct Knowledge {
  PointsKnowledge points;
  LabelsKnowledge labels;
  std::optional<WhiteScore> lichess_before = std::nullopt;  // in place of the engine's score of the position before
};

struct Verdicts {
  PointsVerdict points;
  LabelsVerdict labels;
  AcplVerdict acpl;
  LichessVerdict lichess;
};

Verdicts judge(const JudgedMove& judged, const SchemeOptions& options = {}, const Knowledge& knowledge = {});

}  // namespace pm::verdict
