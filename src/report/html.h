// Reviews as one self-contained HTML page: board, graph, moves and reasons, no network and no server.
//
//   out << html_head() << review_json(first, {}) << html_between() << review_json(second, {}) << html_tail(scheme);
//
// The page carries the JSON of the games and a script that shows them, so a page of many games is written as they come.
#pragma once

#include <string>
#include <string_view>

#include "report/scheme.h"

namespace pm::report {

std::string html_head();
std::string html_between();
std::string html_tail(Scheme scheme);

// JSON made fit to stand inside a script element.
std::string html_safe(std::string_view json);

}  // namespace pm::report
