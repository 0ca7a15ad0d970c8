// Reviews as a table, one row a move, for spreadsheets and statistics (RFC 4180).
#pragma once

#include <stop_token>
#include <string>

#include "review/game_review.h"

namespace pm::report {

std::string csv_header();
// `game` counts from 1.
// Asked to stop it ends soon, and rows are missing.
std::string review_csv(const review::GameReview& review, std::size_t game, const std::stop_token& stop = {});

}  // namespace pm::report
