// An option whose value is one of some words.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

namespace pm::cli {

// `chosen` gets the number of the word. Other words are refused with those that are accepted.
CLI::Option* add_words(CLI::App* command, const std::string& name, const std::vector<std::string>& words,
                       const std::function<void(std::size_t)>& chosen, const std::string& help);

// The first choice is the default, which `into` already has.
template <class T>
CLI::Option* add_choice(CLI::App* command, const std::string& name, T& into,
                        const std::vector<std::pair<std::string, T>>& choices, const std::string& help) {
  std::vector<std::string> words;
  std::vector<T> values;
  words.reserve(choices.size());
  values.reserve(choices.size());
  for (const auto& [word, value] : choices) {
    words.push_back(word);
    values.push_back(value);
  }
  return add_words(command, name, words, [&into, values](std::size_t i) { into = values[i]; }, help);
}

}  // namespace pm::cli
