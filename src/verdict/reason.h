// Why a move got its label: the rule that fired, the numbers it used, and one sentence made of nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pm::verdict {

struct Reason {
  struct Number {
    std::string_view name;  // "win_before", "loss", "threshold_low", ...
    double value = 0;
  };
  std::string_view rule;  // short, stable, for programs: "loss", "forced", "sacrifice", ...
  std::vector<Number> numbers;
  std::string text;  // for people

  const Number* find(std::string_view name) const {
    for (const Number& n : numbers) {
      if (n.name == name) return &n;
    }
    return nullptr;
  }
};

}  // namespace pm::verdict
