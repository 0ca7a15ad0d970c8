// A command line that was not understood, in one line: what was wrong, what was perhaps meant, and where help is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace pm::cli {

// `help COMMAND` is `COMMAND --help`, and `help` alone `--help`; other arguments as they are.
std::vector<std::string> with_help_as_option(std::vector<std::string> args);

// The first argument when it should be a command and is none: to be asked before parsing, since --help would hide it.
std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& args);

// Of arguments that were refused. An option nobody knows comes first: what else is missing may follow from it.
std::string usage_error(const CLI::App& app, const std::vector<std::string>& args, const CLI::ParseError& error);

}  // namespace pm::cli
