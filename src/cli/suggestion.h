// "did you mean ...?" for a word nobody knows.
//
//   Nearest nearest("reveiw");
//   for (const std::string& command : commands) nearest.offer(command);
//   nearest.question()  ->  "; did you mean review?", or nothing when no word is near
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pm::cli {

// Letters added, left out, changed, or two neighbours swapped, each once (the distance called optimal string
// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

// Keeps the few nearest of any number of words, the nearest first, of equally near ones the first.
class Nearest {
 public:
  explicit Nearest(std::string_view wanted) : wanted_(wanted) {}
  // A word as it is.
  void offer(std::string_view word) { offer(word, edit_distance(wanted_, word)); }
  // Something that is compared in another way and is `distance` away.
  void offer(std::string_view shown, std::size_t distance);
  // With what goes before it in a sentence; empty when nothing is near.
  std::string question() const;

 private:
  struct Near {
    std::size_t distance;
    std::string word;
  };
  std::string wanted_;
  std::vector<Near> best_;
};

}  // namespace pm::cli
