// Asks a human model about many positions a few at a time, so that a long game is not held in memory as so many
// histories, and asking ends soon after somebody wants it to.
//
//   ModelBatches batches(model, stop);
//   for (...) if (auto asked = batches.ask(query, [&](const human::Prediction& answer) { ... }); !asked) return ...;
//   return batches.finish();
//
// Answers come in the order of the queries, those of the last ones in finish(). After a stop there are none. One
// thread.
#pragma once

#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

#include "human/human_model.h"

namespace pm::review {

class ModelBatches {
 public:
  // Enough for all cores, and answered within some milliseconds.
  static constexpr std::size_t at_once = 64;
  using Take = std::function<void(const human::Prediction& answer)>;

  ModelBatches(human::HumanModel& model, std::stop_token stop) : model_(model), stop_(std::move(stop)) {}

  // Fails when the model does.
  Expected<void> ask(human::Query query, Take take) {
    queries_.push_back(std::move(query));
    takes_.push_back(std::move(take));
    return queries_.size() < at_once ? Expected<void>() : finish();
  }

  Expected<void> finish() {
    const std::vector<human::Query> queries = std::exchange(queries_, {});
    const std::vector<Take> takes = std::exchange(takes_, {});
    if (queries.empty() || stop_.stop_requested()) return {};
    const auto answers = model_.predict(queries, human::Want::moves);
    if (!answers) return tl::make_unexpected(answers.error());
    for (std::size_t i = 0; i < takes.size(); ++i) takes[i]((*answers)[i]);
    return {};
  }

 private:
  human::HumanModel& model_;
  std::stop_token stop_;
  std::vector<human::Query> queries_;
  std::vector<Take> takes_;
};

}  // namespace pm::review
