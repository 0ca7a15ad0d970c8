#include "verdict/verdicts.h"

namespace pm::verdict {

Verdicts judge(const JudgedMove& judged, const SchemeOptions& options, const Knowledge& knowledge) {
  const WhiteScore lichess_before = knowledge.lichess_before.value_or(judged.lines_before.front().score);
  return {judge_points(judged, options.points, knowledge.points),
          judge_labels(judged, options.labels, knowledge.labels), judge_acpl(judged),
          judge_lichess(judged, lichess_before.seen_by(judged.mover()))};
}

}  // namespace pm::verdict
