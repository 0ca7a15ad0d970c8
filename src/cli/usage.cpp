#include "cli/usage.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/suggestion.h"

namespace pm::cli {
namespace {

// The command the arguments begin with, or null.
const CLI::App* command_of(const CLI::App& app, const std::vector<std::string>& args) {
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!args.empty() && each->get_name() == args.front()) return each;
  }
  return nullptr;
}

std::optional<std::string> unknown_option(const CLI::App& command, const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg == "--") break;  // the rest are no options
    const std::string option = arg.substr(0, arg.find('='));
    if (!option.starts_with("--") || command.get_option_no_throw(option) != nullptr) continue;
    Nearest nearest(option.substr(2));
    for (const CLI::Option* each : command.get_options()) {
      for (const std::string& name : each->get_lnames())
        nearest.offer("--" + name, edit_distance(option.substr(2), name));
    }
    return fmt::format("unknown option {}{}", option, nearest.question());
  }
  return std::nullopt;
}

// The option parser breaks some of its sentences into lines.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// The option parser's own words, but for a value that is no number.
std::string sentence_of(const CLI::ParseError& error) {
  std::string text = one_line(error.what());
  constexpr std::string_view prefix = "Could not convert: ";
  const std::size_t equals = text.find(" = ");
  if (!text.starts_with(prefix) || equals == std::string::npos) return text;
  return fmt::format("{}: expected a number, found {}", text.substr(prefix.size(), equals - prefix.size()),
                     text.substr(equals + 3));
}

}  // namespace

std::vector<std::string> with_help_as_option(std::vector<std::string> args) {
  if (args.empty() || args.front() != "help") return args;
  args.erase(args.begin(),
             std::find_if(args.begin(), args.end(), [](const std::string& arg) { return arg != "help"; }));
  args.emplace_back("--help");
  return args;
}

std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& args) {
  if (args.empty() || args.front().starts_with('-') || command_of(app, args) != nullptr) return std::nullopt;
  Nearest nearest(args.front());
  nearest.offer("help");
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    nearest.offer(each->get_name());
  return fmt::format("unknown command {}{} (see postmortem --help)", one_line(args.front()), nearest.question());
}

std::string usage_error(const CLI::App& app, const std::vector<std::string>& args, const CLI::ParseError& error) {
  const CLI::App* command = command_of(app, args);
  const auto option = unknown_option(command != nullptr ? *command : app, args);
  return fmt::format("{} (see postmortem{} --help)", option ? one_line(*option) : sentence_of(error),
                     command != nullptr ? " " + command->get_name() : "");
}

}  // namespace pm::cli
