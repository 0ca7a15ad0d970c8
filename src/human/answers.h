// What stands around a network, whichever it is: a position as it sees it, its numbers as probabilities, and many
// positions shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "chess/movegen.h"
#include "human/human_model.h"
#include "nn/network.h"

namespace pm::human {

// Bounds the memory of a large batch; far more than the threads need to be busy.
inline constexpr std::size_t most_at_once = 1024;

struct Encoded {
  chess::MoveList moves;
  nn::Planes planes;
  std::vector<nn::PolicySlot> slots;
};
// With the planes the network wants to see.
Encoded encode(const chess::PositionHistory& history, const nn::Planes& planes);

// Whether all numbers are numbers.
bool is_finite(const nn::NetworkOutput& output);

// Adds `share` of what a network answers about these moves. `to` has a place for each.
void add_answer(const chess::MoveList& moves, const nn::NetworkOutput& output, double share, Prediction& to);

// Cuts `count` things into one part per thread and calls work(begin, end) for all of them at once.
template <class Work>
void in_parts(std::size_t threads, std::size_t count, const Work& work) {
  const std::size_t parts = std::clamp<std::size_t>(count / nn::Network::boards_at_once, 1, threads);
  std::vector<std::jthread> others;
  others.reserve(parts - 1);
  for (std::size_t part = 1; part < parts; ++part) {
    others.emplace_back([&, part] { work(count * part / parts, count * (part + 1) / parts); });
  }
  work(0, count / parts);
}

// What a model with one network for all ratings does with queries: ratings checked, shared out among threads, and
// answers that are no numbers refused. answer(queries, predictions) says whether all are numbers.
template <class Answer>
Expected<std::vector<Prediction>> predict_in_parts(const HumanModel& model, std::span<const Query> queries,
                                                   std::size_t threads, const Answer& answer) {
  for (const Query& query : queries) {
    for (const int rating : {query.rating, query.opponent_rating}) {
      if (const auto covered = model.check_rating(rating); !covered) return tl::make_unexpected(covered.error());
    }
  }
  std::vector<Prediction> predictions(queries.size());
  std::atomic<bool> sound = true;
  for (std::size_t done = 0; done < queries.size(); done += most_at_once) {
    const std::size_t now = std::min(most_at_once, queries.size() - done);
    in_parts(threads, now, [&](std::size_t begin, std::size_t end) {
      if (!answer(queries.subspan(done + begin, end - begin), &predictions[done + begin])) sound = false;
    });
  }
  if (!sound) {
    return fail(ErrorCode::weights_format, model.identity().name + ": the network's answers are not finite numbers");
  }
  return predictions;
}

}  // namespace pm::human
