// An analysis of expected win rates as JSON, `postmortem.expect/1` (docs/formats.md). The same analysis gives the same
// bytes, however long it took and wherever its values came from.
#pragma once

#include <string>

#include "expect/analysis.h"

namespace pm::report {

// Where an analysis comes from.
struct ExpectSource {
  const chess::PositionHistory& history;
  const human::ModelIdentity& model;
  const engine::EvaluatorIdentity& engine;
  bool timed = false;  // with the seconds of each move: then the bytes differ from run to run
};

// One object and a line break.
std::string expect_json(const expect::Analysis& analysis, const ExpectSource& source);

}  // namespace pm::report
