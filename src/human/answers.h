// What stands around a network, whichever it is: a position as it sees it, its numbers as probabilities, and many
// positions shared out among threads.
#pragma once

#include <algorithm>
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

}  // namespace pm::human
