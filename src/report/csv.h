// Reviews as a table, one row a move, for spreadsheets and statistics (RFC 4180).
#pragma once

#include <string>

#include "review/game_review.h"

namespace pm::report {

std::string csv_header();
// `game` counts from 1.
std::string review_csv(const review::GameReview& review, std::size_t game);

}  // namespace pm::report
