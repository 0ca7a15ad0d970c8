// An analysis of expected win rates as text: the ranked list, and the tree below a move.
#pragma once

#include <string>

#include "expect/analysis.h"

namespace pm::report {

struct ExpectTextOptions {
  bool colour = false;
  bool glyphs = false;  // line-drawing characters; else ASCII
};

std::string expect_list(const expect::Analysis& analysis, const ExpectTextOptions& options);
std::string expect_tree(const expect::Candidate& candidate, const ExpectTextOptions& options);

}  // namespace pm::report
