// Reviews as the bytes of an output: each game with what stands before it, so that the output is its games put together
// and what comes last.
//
//   ReviewFormatter formatter(command, streams);
//   out << formatter.game(first, problems, 1) << formatter.game(second, problems, 2) << formatter.end();
//
// Pure: any thread may call.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "pgn/problem.h"
#include "report/text.h"
#include "review/game_review.h"

namespace pm::cli {

class ReviewFormatter {
 public:
  // The command must outlive it.
  ReviewFormatter(const ReviewCommand& command, const Streams& streams);

  // `number` of the game in the output, from 1. Asked to stop it ends soon, and the bytes are not whole.
  std::string game(const review::GameReview& review, const std::vector<pgn::Problem>& problems, std::size_t number,
                   const std::stop_token& stop = {}) const;
  std::string end() const;

 private:
  const ReviewCommand& command_;
  report::TextOptions text_options_;
};

}  // namespace pm::cli
