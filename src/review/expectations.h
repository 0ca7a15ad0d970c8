// What moves, and the engine's best ones in their place, score against people of the opponent's rating
// (docs/expected-winrate.md 5).
//
//   for (const PlyToCompare& each : *plies_to_compare(review, people, model, evaluator, stop)) {
//     evidence.plies[each.ply].expectation = compare_with_best(review, each, parameters, model, evaluator, stop);
//   }
//
// Trees are dear, so they are built only where they can change what is said: of moves that may be RISKY, and of errors
// whose better move people would not have found. Whether a move may be RISKY is nearly always decided by less: by what
// the review knows of the replies, or by a glance at the likely ones. People::full also compares all other moves that
// lost something.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "expect/analysis.h"
#include "human/human_model.h"
#include "review/game_review.h"

namespace pm::review {

// A move that lost something where there was a choice; not of the opening book.
struct PlyToCompare {
  std::size_t ply;
  bool may_be_risky;  // the trees must be fine enough to tell
  friend bool operator==(const PlyToCompare&, const PlyToCompare&) = default;
};

// Those from this ply on that have not been compared, ascending; none when somebody asked to stop. An error when the
// model fails.
Expected<std::vector<PlyToCompare>> plies_to_compare(const GameReview& review, People people, human::HumanModel& model,
                                                     engine::Evaluator& evaluator, const std::stop_token& stop,
                                                     std::size_t from = 0);

// How deep and how far lines are followed.
expect::Parameters review_parameters(const engine::Limit& limit, People people, bool may_be_risky);

// Nothing when somebody asked to stop, or the engine failed.
std::optional<Expectation> compare_with_best(const GameReview& review, const PlyToCompare& which,
                                             const expect::Parameters& parameters, human::HumanModel& model,
                                             engine::Evaluator& evaluator, const std::stop_token& stop);

}  // namespace pm::review
