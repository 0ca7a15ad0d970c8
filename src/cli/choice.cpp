#include "cli/choice.h"

#include <algorithm>

#include <fmt/format.h>

namespace pm::cli {

CLI::Option* add_words(CLI::App* command, const std::string& name, const std::vector<std::string>& words,
                       const std::function<void(std::size_t)>& chosen, const std::string& help) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char* joint = i + 1 == words.size() ? " or " : ", ";
    list += fmt::format("{}{}", i == 0 ? "" : joint, words[i]);
  }
  const CLI::callback_t choose = [name, words, list, chosen](const CLI::results_t& given) {
    const auto found = std::find(words.begin(), words.end(), given.front());
    if (found == words.end()) {
      throw CLI::ValidationError(name, fmt::format("expected {}, found {}", list, given.front()));
    }
    chosen(static_cast<std::size_t>(found - words.begin()));
    return true;
  };
  return command->add_option(name, choose, fmt::format("{}: {}", help, list))->type_name("WORD");
}

}  // namespace pm::cli
